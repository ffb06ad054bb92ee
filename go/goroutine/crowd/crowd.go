// Package crowd is what cancel and cancel-loaded share: goroutines that park, each with a context of its own, and are cancelled and joined.
package crowd

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"

	"corobench/harness"
)

// Ended is what has become of a crowd.
type Ended struct {
	Created   int `json:"created"`
	Cancelled int `json:"cancelled"`
	Finished  int `json:"finished"`
}

// Crowd is what the tasks share.
type Crowd struct {
	gate           chan struct{} // what the tasks wait for; never opened
	cancels        []context.CancelFunc
	first          int     // the number of the task that has results[0]
	results        []error // of each task; a task that was cancelled returns context.Canceled
	cleaned        atomic.Int64
	arrived, ended sync.WaitGroup
	trace          *harness.Trace
}

func (c *Crowd) task(ctx context.Context, i int) {
	defer c.ended.Done()
	c.trace.Record(harness.Ran, i)
	c.results[i-c.first] = c.wait(ctx, i)
	c.trace.Record(harness.Done, i)
}

func (c *Crowd) wait(ctx context.Context, i int) error {
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

func (c *Crowd) cleanUp() {
	c.cleaned.Add(1)
}

// Park starts n tasks, numbered from first on, and returns when all of them wait.
func Park(n, first int, trace *harness.Trace) *Crowd {
	c := &Crowd{gate: make(chan struct{}), first: first, results: make([]error, n), trace: trace}
	c.arrived.Add(n)
	c.ended.Add(n)
	for i := first; i < first+n; i++ {
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

// Cancel cancels all tasks, then joins them.
func (c *Crowd) Cancel() Ended {
	e := Ended{Created: len(c.cancels)}
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
