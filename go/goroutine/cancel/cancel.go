// Cancel parks n goroutines, each with a context of its own, then cancels and joins them.
package main

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"

	"corobench/harness"
)

type evidence struct {
	Created   int `json:"created"`
	Cancelled int `json:"cancelled"`
	Finished  int `json:"finished"`
}

// crowd is what the tasks share.
type crowd struct {
	gate           chan struct{} // what the tasks wait for; never opened
	cancels        []context.CancelFunc
	results        []error // of each task; a task that was cancelled returns context.Canceled
	cleaned        atomic.Int64
	arrived, ended sync.WaitGroup
	trace          *harness.Trace
}

func (c *crowd) task(ctx context.Context, i int) {
	defer c.ended.Done()
	c.trace.Record(harness.Ran, i)
	c.results[i] = c.wait(ctx, i)
	c.trace.Record(harness.Done, i)
}

func (c *crowd) wait(ctx context.Context, i int) error {
	defer c.cleanUp()
	c.trace.Record(harness.Park, i)
	c.arrived.Done()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-c.gate:
		return nil
	}
}

func (c *crowd) cleanUp() {
	c.cleaned.Add(1)
}

// park starts n tasks and returns when all of them wait.
func park(n int, trace *harness.Trace) *crowd {
	c := &crowd{gate: make(chan struct{}), results: make([]error, n), trace: trace}
	c.arrived.Add(n)
	c.ended.Add(n)
	for i := range n {
		ctx, cancel := context.WithCancel(context.Background())
		c.cancels = append(c.cancels, cancel)
		trace.Record(harness.Spawn, i)
		go c.task(ctx, i)
		trace.Record(harness.Spawned, i)
	}
	c.arrived.Wait()
	runtime.Gosched() // goroutines that only gave way go on
	return c
}

func (c *crowd) cancel() evidence {
	e := evidence{Created: len(c.cancels)}
	for _, cancel := range c.cancels {
		cancel()
	}
	c.ended.Wait()
	for _, err := range c.results {
		if errors.Is(err, context.Canceled) {
			e.Finished++
		}
	}
	e.Cancelled = int(c.cleaned.Load())
	return e
}

func main() {
	run := harness.Begin("cancel", "n")
	n := run.Int("n")
	run.Hold("base", 0)
	harness.RepeatPrepared(run, func() func() (int, evidence) {
		c := park(n, run.Trace)
		return func() (int, evidence) {
			e := c.cancel()
			return e.Finished, e
		}
	}, func(e evidence) bool {
		return e == evidence{Created: n, Cancelled: n, Finished: n}
	})
	run.Hold("released", 0)
	run.End()
}
