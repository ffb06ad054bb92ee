// Spawn-chain starts one goroutine, which starts the next as its last act, n times; they are numbered from the nonce on.
package main

import "corobench/harness"

type evidence struct {
	Finished int `json:"finished"`
	Checksum int `json:"checksum"`
}

// chain is what the tasks share. They need no lock: a go statement happens before the start of its goroutine.
type chain struct {
	end   int // the number after the last task's
	sum   evidence
	last  chan struct{}
	trace *harness.Trace
}

// task starts its successor as its last act, so that its end is recorded before: recorded after, the recorder itself would
// run beside the next task, wherever the scheduler preempts there or has another processor.
func (c *chain) task(i int) {
	c.trace.Record(harness.Ran, i)
	c.sum.Checksum += i
	c.sum.Finished++
	next := i + 1
	if next == c.end {
		c.trace.Record(harness.Done, i)
		close(c.last)
		return
	}
	c.trace.Record(harness.Spawn, next)
	c.trace.Record(harness.Done, i)
	go c.task(next)
	c.trace.Record(harness.Spawned, next)
}

func spawnChain(first, n int, trace *harness.Trace) evidence {
	c := &chain{end: first + n, last: make(chan struct{}), trace: trace}
	trace.Record(harness.Spawn, first)
	go c.task(first)
	trace.Record(harness.Spawned, first)
	<-c.last
	return c.sum
}

func main() {
	run := harness.Begin("spawn-chain", "n")
	n := run.Int("n")
	harness.Repeat(run, func() (int, evidence) {
		e := spawnChain(run.Nonce(), n, run.Trace)
		return e.Finished, e
	}, func(e evidence) bool {
		return e == evidence{Finished: n, Checksum: n*run.Nonce() + n*(n-1)/2}
	})
	run.End()
}
