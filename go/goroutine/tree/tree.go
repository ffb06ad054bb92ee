// Tree starts a goroutine for a range of leaves, which starts ten for the tenths of it, down to a goroutine for each leaf.
package main

import (
	"sync"

	"corobench/harness"
)

const children = 10

// result is a task's slot: the number of tasks joined below it and itself, and the sum of its leaves.
type result struct {
	Finished int `json:"finished"`
	Checksum int `json:"checksum"`
}

// family is what a task shares with its children.
type family struct {
	results [children]result
	ended   sync.WaitGroup
}

// node is the body of task number `task`, for `size` leaves from `first` on.
func node(task, first, size int, slot *result, ended *sync.WaitGroup, trace *harness.Trace) {
	defer ended.Done()
	trace.Record(harness.Ran, task)
	if size == 1 {
		*slot = result{Finished: 1, Checksum: first}
	} else {
		*slot = branch(first, size/children, trace)
	}
	trace.Record(harness.Done, task)
}

// branch starts a task's children, each for `share` leaves, and joins them.
func branch(first, share int, trace *harness.Trace) result {
	f := new(family)
	f.ended.Add(children)
	for i := range children {
		child := trace.SpawnNext()
		go node(child, first+i*share, share, &f.results[i], &f.ended, trace)
		trace.Record(harness.Spawned, child)
	}
	f.ended.Wait()
	total := result{Finished: 1}
	for _, r := range f.results {
		total.Finished += r.Finished
		total.Checksum += r.Checksum
	}
	return total
}

// grow starts the root of n leaves, the first of which is number `first`.
func grow(first, n int, trace *harness.Trace) result {
	var root result
	var ended sync.WaitGroup
	ended.Add(1)
	task := trace.SpawnNext()
	go node(task, first, n, &root, &ended, trace)
	trace.Record(harness.Spawned, task)
	ended.Wait()
	return root
}

func main() {
	run := harness.Begin("tree", "n")
	n := run.Int("n")
	for leaves := n; leaves > 1; leaves /= children {
		if leaves%children != 0 {
			harness.Fail(2, "tree: n=%d: must be a power of ten", n)
		}
	}
	harness.Repeat(run, func() (int, result) {
		e := grow(run.Nonce(), n, run.Trace)
		return e.Finished, e
	}, func(e result) bool {
		return e == result{Finished: (children*n - 1) / (children - 1), Checksum: n*run.Nonce() + n*(n-1)/2}
	})
	run.End()
}
