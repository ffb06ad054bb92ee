// Semaphore lets k goroutines take one of s permits m times each, and give way while they have it. The permits are room in a buffered channel.
package main

import (
	"runtime"
	"sync"
	"sync/atomic"

	"corobench/harness"
)

type evidence struct {
	Finished int `json:"finished"`
	Most     int `json:"most"`
	Yields   int `json:"yields"`
	Passed   int `json:"passed"`
	Checksum int `json:"checksum"`
}

// count is what a task tells of itself: its permits, counted from the nonce on; the most tasks that it saw inside; how often it gave way;
// and the most permits of others between two of its own.
type count struct{ taken, most, yields, passed int }

// crowd is what the tasks share: the permits, how many have one, and how many have had one.
type crowd struct {
	permits         chan struct{}
	inside, entered atomic.Int64
	nonce           int
	contended       bool
	counts          []count
	arrived, ended  sync.WaitGroup
	trace           *harness.Trace
}

func (c *crowd) take(task, m int) count {
	own, last := count{taken: c.nonce}, 0
	for turn := range m {
		c.trace.Record(harness.Ask, task)
		if turn == 0 {
			c.arrived.Done()
		}
		c.permits <- struct{}{}
		c.trace.Record(harness.Enter, task)
		own.most = max(own.most, int(c.inside.Add(1)))
		number := int(c.entered.Add(1))
		own.passed = max(own.passed, number-last-1)
		if c.contended {
			runtime.Gosched()
			own.yields++
		}
		last = number
		c.inside.Add(-1)
		c.trace.Record(harness.Leave, task)
		<-c.permits
		own.taken++
	}
	return own
}

// form starts k tasks and returns when all of them have asked for a permit, of which all are held.
func form(k, s, m, nonce int, trace *harness.Trace) *crowd {
	c := &crowd{permits: make(chan struct{}, s), nonce: nonce, contended: k > s, counts: make([]count, k), trace: trace}
	c.arrived.Add(k)
	c.ended.Add(k)
	for range s {
		c.permits <- struct{}{}
	}
	for i := range k {
		trace.Record(harness.Spawn, i)
		go func() {
			defer c.ended.Done()
			trace.Record(harness.Ran, i)
			c.counts[i] = c.take(i, m)
			trace.Record(harness.Done, i)
		}()
		trace.Record(harness.Spawned, i)
	}
	c.arrived.Wait()
	runtime.Gosched() // the last one to arrive goes on to wait
	return c
}

// share returns the permits that all tasks took, and the evidence.
func (c *crowd) share() (taken int, e evidence) {
	for range cap(c.permits) {
		<-c.permits
	}
	c.ended.Wait()
	for _, own := range c.counts {
		if own.taken > c.nonce {
			e.Finished++
		}
		e.Most, e.Passed = max(e.Most, own.most), max(e.Passed, own.passed)
		e.Yields += own.yields
		e.Checksum += own.taken
	}
	return e.Checksum - len(c.counts)*c.nonce, e
}

func main() {
	run := harness.Begin("semaphore", "k", "s", "m")
	k, s, m := run.Int("k"), run.Int("s"), run.Int("m")
	harness.RepeatPrepared(run, func() func() (int, evidence) {
		return form(k, s, m, run.Nonce(), run.Trace).share
	}, func(e evidence) bool {
		return e.Finished == k && e.Most == s && e.Checksum == k*(run.Nonce()+m)
	})
	run.End()
}
