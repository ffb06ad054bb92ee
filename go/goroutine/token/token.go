// Package token is what hand-off and ring share: a token that travels a ring of goroutines, each parked at an unbuffered channel of its own.
package token

import (
	"sync"

	"corobench/harness"
)

type evidence struct {
	Finished int `json:"finished"`
	Messages int `json:"messages"`
	Checksum int `json:"checksum"`
}

// ring is what the tasks share.
type ring struct {
	rounds         int
	links          []chan int // task i receives from links[i]
	home           chan int   // the root receives from here
	received       []int      // by each task, once it has ended
	arrived, ended sync.WaitGroup
	trace          *harness.Trace
}

// next is where task i sends in a round: to the task after it; at the end, the last task to the root.
func (r *ring) next(i, round int) chan<- int {
	switch {
	case i+1 < len(r.links):
		return r.links[i+1]
	case round < r.rounds:
		return r.links[0]
	default:
		return r.home
	}
}

func (r *ring) task(i int) {
	defer r.ended.Done()
	received := 0
	r.arrived.Done()
	for round := 1; round <= r.rounds; round++ {
		token := <-r.links[i]
		r.trace.Record(harness.Ran, i)
		received++
		r.next(i, round) <- token + 1
	}
	r.received[i] = received
	r.trace.Record(harness.Done, i)
}

// park starts k tasks and returns when all of them are about to receive, so that no task's first run is timed as a hop.
func park(k, rounds int, trace *harness.Trace) *ring {
	r := &ring{rounds: rounds, links: make([]chan int, k), home: make(chan int), received: make([]int, k), trace: trace}
	r.arrived.Add(k)
	r.ended.Add(k)
	for i := range k {
		r.links[i] = make(chan int)
	}
	for i := range k {
		trace.Record(harness.Spawn, i)
		go r.task(i)
		trace.Record(harness.Spawned, i)
	}
	r.arrived.Wait()
	return r
}

// pass sends the token, which holds a number that each task adds one to.
func (r *ring) pass(token int) evidence {
	var e evidence
	r.links[0] <- token
	e.Checksum = <-r.home
	r.ended.Wait()
	for _, received := range r.received {
		if received > 0 {
			e.Finished++
			e.Messages += received
		}
	}
	return e
}

// Measure times how a token passes k tasks, so many times each, from when all of them are about to receive.
func Measure(run *harness.Run, k, rounds int) {
	harness.RepeatPrepared(run, func() func() (int, evidence) {
		r := park(k, rounds, run.Trace)
		return func() (int, evidence) {
			e := r.pass(run.Nonce())
			return e.Messages, e
		}
	}, func(e evidence) bool {
		return e == evidence{Finished: k, Messages: k * rounds, Checksum: run.Nonce() + k*rounds}
	})
}
