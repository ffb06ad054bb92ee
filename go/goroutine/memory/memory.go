// Memory parks n goroutines that hold nothing but their number.
package main

import "corobench/goroutine/gate"

func wait(g *gate.Gate, i int) int {
	g.Wait(i)
	return i
}

func main() {
	gate.Hold("memory", wait)
}
