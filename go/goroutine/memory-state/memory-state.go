// Memory-state parks n goroutines that each hold 1 KiB of local state, eight calls deep.
package main

import "corobench/goroutine/gate"

const (
	depth     = 8
	stateSize = 1024
	modulus   = 251
)

// descend makes the calls above the one that holds the state. It is kept as a call: inlined, levels would share a frame.
//
//go:noinline
func descend(g *gate.Gate, i, levels int) int {
	if levels == 1 {
		return carry(g, i)
	}
	return descend(g, i, levels-1)
}

// carry is the deepest call. It is kept as a call: inlined into descend, its state would be in the frame of every level.
// The array does not escape (memory-state_test.go), so that it is on the goroutine's own stack.
//
//go:noinline
func carry(g *gate.Gate, i int) int {
	var state [stateSize]byte
	for at := range state {
		state[at] = byte(i % modulus)
	}
	g.Wait(i)
	return i - i%modulus + int(state[stateSize-1])
}

func wait(g *gate.Gate, i int) int {
	return descend(g, i, depth-1)
}

func main() {
	gate.Hold("memory-state", wait)
}
