// Fizzbuzz-sleep lets n goroutines do m steps each, and sleep after each step.
package main

import (
	"sync"
	"sync/atomic"
	"time"

	"corobench/goroutine/fizz"
	"corobench/harness"
)

type evidence struct {
	Finished  int `json:"finished"`
	Steps     int `json:"steps"`
	Checksum  int `json:"checksum"`
	MostAlive int `json:"most_alive"`
}

// result is a task's slot, filled when it ends.
type result struct {
	steps, sum int
	late       time.Duration // by how much the last sleep was too long
}

// crowd is what the tasks share.
type crowd struct {
	m             int
	sleep         time.Duration
	results       []result
	started, left atomic.Int64
	asleep, ended sync.WaitGroup
	trace         *harness.Trace
}

func (c *crowd) task(i int) {
	defer c.ended.Done()
	c.trace.Record(harness.Ran, i)
	c.started.Add(1)
	var r result
	for x := range c.m {
		r.sum += fizz.Step(i + x)
		r.steps++
		if x == 0 {
			c.trace.Record(harness.Park, i)
			c.asleep.Done()
		}
		due := time.Now().Add(c.sleep)
		time.Sleep(c.sleep)
		r.late = time.Since(due)
	}
	c.results[i] = r
	c.left.Add(1)
	c.trace.Record(harness.Done, i)
}

func (c *crowd) perform(run *harness.Run) (e evidence) {
	n := len(c.results)
	c.asleep.Add(n)
	c.ended.Add(n)
	for i := range n {
		c.trace.Record(harness.Spawn, i)
		go c.task(i)
		c.trace.Record(harness.Spawned, i)
	}
	c.asleep.Wait()
	e.MostAlive = int(c.started.Load() - c.left.Load())
	run.Hold("live", e.MostAlive)
	c.ended.Wait()
	for i, r := range c.results {
		c.trace.Record(harness.Collect, i)
		if r.steps > 0 {
			e.Finished++
		}
		e.Steps += r.steps
		e.Checksum += r.sum
	}
	return e
}

func (c *crowd) lateness() []time.Duration {
	all := make([]time.Duration, len(c.results))
	for i, r := range c.results {
		all[i] = r.late
	}
	return all
}

func main() {
	run := harness.Begin("fizzbuzz-sleep", "n", "m", "sleep_ms")
	n, m := run.Int("n"), run.Int("m")
	c := &crowd{m: m, sleep: run.Duration("sleep_ms", time.Millisecond), results: make([]result, n), trace: run.Trace}
	run.Hold("base", 0)
	harness.Once(run, func() (int, evidence) {
		e := c.perform(run)
		return e.Steps, e
	}, func(e evidence) bool {
		return e.Finished == n && e.Steps == n*m // how many were alive at once is for the spec to judge
	})
	run.Series("lateness", c.lateness())
	run.End()
}
