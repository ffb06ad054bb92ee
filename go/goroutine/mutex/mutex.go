// Mutex lets k goroutines take one lock m times each, and give way inside.
package main

import (
	"runtime"
	"sync"

	"corobench/harness"
)

type evidence struct {
	Finished int `json:"finished"`
	Most     int `json:"most"`
	Yields   int `json:"yields"`
	Passed   int `json:"passed"`
	Checksum int `json:"checksum"`
}

// A section is what the lock guards: those who are inside, the most that ever were, how often one gave way, and a value that each of them
// makes one greater. They give way between reading it and writing it: two that are inside at once lose an increment.
type section struct {
	lock         sync.Mutex
	inside, most int
	yields       int
	value        int
}

// enter returns the value that is found.
func (s *section) enter() int {
	s.inside++
	s.most = max(s.most, s.inside)
	return s.value
}

func (s *section) leave(value int) {
	s.value = value
	s.inside--
}

// count is what a task tells of itself: its acquisitions, and the most by others between two of them.
type count struct{ acquired, passed int }

// crowd is what the tasks share.
type crowd struct {
	section
	nonce          int
	contended      bool
	counts         []count
	arrived, ended sync.WaitGroup
	trace          *harness.Trace
}

func (c *crowd) take(task, m int) (own count) {
	last := c.nonce
	for own.acquired < m {
		c.trace.Record(harness.Ask, task)
		if own.acquired == 0 {
			c.arrived.Done()
		}
		c.lock.Lock()
		c.trace.Record(harness.Enter, task)
		value := c.enter()
		own.passed = max(own.passed, value-last)
		if c.contended {
			runtime.Gosched()
			c.yields++
		}
		last = value + 1
		c.leave(last)
		c.trace.Record(harness.Leave, task)
		c.lock.Unlock()
		own.acquired++
	}
	return own
}

// form starts k tasks and returns when all of them have asked for the lock, which is held.
func form(k, m, nonce int, trace *harness.Trace) *crowd {
	c := &crowd{section: section{value: nonce}, nonce: nonce, contended: k > 1, counts: make([]count, k), trace: trace}
	c.arrived.Add(k)
	c.ended.Add(k)
	c.lock.Lock()
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

// contend returns the acquisitions of all tasks, and the evidence.
func (c *crowd) contend() (acquired int, e evidence) {
	c.lock.Unlock()
	c.ended.Wait()
	for _, own := range c.counts {
		if own.acquired > 0 {
			e.Finished++
		}
		acquired += own.acquired
		e.Passed = max(e.Passed, own.passed)
	}
	e.Most, e.Yields, e.Checksum = c.most, c.yields, c.value
	return acquired, e
}

func main() {
	run := harness.Begin("mutex", "k", "m")
	k, m := run.Int("k"), run.Int("m")
	harness.RepeatPrepared(run, func() func() (int, evidence) {
		return form(k, m, run.Nonce(), run.Trace).contend
	}, func(e evidence) bool {
		return e.Finished == k && e.Most == 1 && e.Checksum == run.Nonce()+k*m
	})
	run.End()
}
