// Timers lets n goroutines sleep, each to a deadline of its own; the deadlines are spread over a second.
package main

import (
	"sync"
	"time"

	"corobench/harness"
)

const (
	spread = time.Second
	grace  = time.Millisecond // a task that woke earlier than this before its deadline woke too early
)

type evidence struct {
	Created  int `json:"created"`
	Finished int `json:"finished"`
	Checksum int `json:"checksum"`
	Early    int `json:"early"`
}

// wake is what a task leaves in its slot: its number, and how long after its deadline it woke.
type wake struct {
	i    int
	late time.Duration
	ok   bool
}

// crowd is what the tasks share.
type crowd struct {
	first time.Time // the deadline of task 0
	wakes []wake
	ended sync.WaitGroup
	trace *harness.Trace
}

func (c *crowd) deadline(i int) time.Time {
	return c.first.Add(time.Duration(i) * spread / time.Duration(len(c.wakes)))
}

func (c *crowd) task(i int) {
	defer c.ended.Done()
	c.trace.Record(harness.Ran, i)
	deadline := c.deadline(i)
	time.Sleep(time.Until(deadline))
	c.wakes[i] = wake{i, time.Since(deadline), true}
	c.trace.Record(harness.Done, i)
}

func (c *crowd) sleep() evidence {
	var e evidence
	c.ended.Add(len(c.wakes))
	for i := range c.wakes {
		c.trace.Record(harness.Spawn, i)
		go c.task(i)
		c.trace.Record(harness.Spawned, i)
		e.Created++
	}
	c.ended.Wait()
	for _, w := range c.wakes {
		if w.ok {
			c.trace.Record(harness.Collect, w.i)
			e.Finished++
			e.Checksum += w.i
		}
		if w.late < -grace {
			e.Early++
		}
	}
	return e
}

func (c *crowd) lateness() []time.Duration {
	all := make([]time.Duration, len(c.wakes))
	for i, w := range c.wakes {
		all[i] = w.late
	}
	return all
}

func main() {
	run := harness.Begin("timers", "n", "lead")
	n, lead := run.Int("n"), run.Duration("lead", time.Millisecond)
	c := &crowd{wakes: make([]wake, n), trace: run.Trace}
	harness.Once(run, func() (int, evidence) {
		c.first = time.Now().Add(lead)
		e := c.sleep()
		return e.Finished, e
	}, func(e evidence) bool {
		return e == evidence{Created: n, Finished: n, Checksum: n * (n - 1) / 2}
	})
	run.Series("lateness", c.lateness())
	run.End()
}
