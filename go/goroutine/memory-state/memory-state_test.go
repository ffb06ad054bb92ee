package main

import (
	"runtime"
	"strings"
	"testing"
)

// waitAndFail runs a task's body without a gate, which panics at the wait, and returns the frames that were on the stack there.
func waitAndFail() (frames []string) {
	defer func() {
		recover()
		var callers [64]uintptr
		all := runtime.CallersFrames(callers[:runtime.Callers(0, callers[:])])
		for more := true; more; {
			var frame runtime.Frame
			frame, more = all.Next()
			frames = append(frames, frame.Function)
		}
	}()
	wait(nil, 1)
	return nil
}

func TestTheStateIsEightCallsDeepAndHeldOnce(t *testing.T) {
	count := map[string]int{}
	for _, frame := range waitAndFail() {
		count[frame[strings.LastIndex(frame, ".")+1:]]++
	}
	if count["descend"] != depth-1 || count["carry"] != 1 {
		t.Errorf("got %v", count)
	}
}

func TestTheStateIsOnTheStack(t *testing.T) {
	const calls = 1000
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range calls {
		wait1()
	}
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / calls; each >= stateSize {
		t.Errorf("%d bytes of heap a call", each)
	}
}

// wait1 is one call of a task's body, ended by the panic at the missing gate.
func wait1() {
	defer func() { recover() }()
	wait(nil, 1)
}
