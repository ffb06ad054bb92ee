// Memory parks n goroutines at a gate, a channel that is closed to open it, and holds before, while and after they wait.
package main

import (
	"sync"
	"sync/atomic"

	"corobench/harness"
)

type evidence struct {
	Created  int `json:"created"`
	Finished int `json:"finished"`
	Checksum int `json:"checksum"`
}

// crowd is what the tasks share. It is reached by one pointer, and their results are one sum,
// so that what a task holds is its goroutine's and not this program's.
type crowd struct {
	gate            chan struct{}
	arrived, ended  sync.WaitGroup
	parked, resumed atomic.Int64
	sum             atomic.Int64
	trace           *harness.Trace
}

func (c *crowd) task(i int) {
	defer c.ended.Done()
	c.trace.Record(harness.Ran, i)
	c.parked.Add(1)
	c.trace.Record(harness.Park, i)
	c.arrived.Done()
	<-c.gate
	c.sum.Add(int64(i))
	c.resumed.Add(1)
	c.trace.Record(harness.Done, i)
}

// park starts n tasks and returns when all of them wait for the gate.
func (c *crowd) park(n int) (created int) {
	c.arrived.Add(n)
	c.ended.Add(n)
	for i := range n {
		c.trace.Record(harness.Spawn, i)
		go c.task(i)
		c.trace.Record(harness.Spawned, i)
		created++
	}
	c.arrived.Wait()
	return created
}

// units is the number of tasks that have parked and not finished.
func (c *crowd) units() int {
	return int(c.parked.Load() - c.resumed.Load())
}

func hold(run *harness.Run, n int) evidence {
	c := &crowd{gate: make(chan struct{}), trace: run.Trace}
	run.Hold("base", c.units())
	created := c.park(n)
	run.Hold("live", c.units())
	run.Collect()
	run.Hold("live-collected", c.units())
	close(c.gate)
	c.ended.Wait()
	run.Hold("released", c.units())
	run.Collect()
	run.Hold("released-collected", c.units())
	return evidence{Created: created, Finished: int(c.resumed.Load()), Checksum: int(c.sum.Load())}
}

func main() {
	run := harness.Begin("memory", "n")
	n := run.Int("n")
	harness.Once(run, func() (int, evidence) {
		e := hold(run, n)
		return e.Finished, e
	}, func(e evidence) bool {
		return e == evidence{Created: n, Finished: n, Checksum: n * (n - 1) / 2}
	})
	run.End()
}
