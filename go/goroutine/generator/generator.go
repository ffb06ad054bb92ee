// Generator resumes one coroutine n times by iter.Pull, which hands over to it and back without the scheduler.
package main

import (
	"iter"

	"corobench/harness"
)

type evidence struct {
	Finished int `json:"finished"`
	Checksum int `json:"checksum"`
}

// adder hands out one more than it was sent last, n times after the first. iter.Pull hands values out only: what goes in lies in sent.
func adder(n int, sent *int, trace *harness.Trace) iter.Seq[int] {
	return func(yield func(int) bool) {
		for range n {
			if !yield(*sent) {
				return
			}
			*sent++
			trace.Record(harness.Ran, 0)
		}
		trace.Record(harness.Done, 0)
	}
}

func resume(n, nonce int, trace *harness.Trace) evidence {
	value := nonce
	trace.Record(harness.Spawn, 0)
	next, stop := iter.Pull(adder(n, &value, trace))
	trace.Record(harness.Spawned, 0)
	defer stop()
	for {
		received, ok := next()
		if !ok {
			return evidence{Finished: 1, Checksum: value}
		}
		value = received
	}
}

func main() {
	run := harness.Begin("generator", "n")
	n := run.Int("n")
	harness.Repeat(run, func() (int, evidence) {
		e := resume(n, run.Nonce(), run.Trace)
		return e.Checksum - run.Nonce(), e
	}, func(e evidence) bool {
		return e == evidence{Finished: 1, Checksum: run.Nonce() + n}
	})
	run.End()
}
