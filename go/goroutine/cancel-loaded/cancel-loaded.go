// Cancel-loaded parks n goroutines, each with a context of its own, then cancels and joins them while k others yield.
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
	Active    int `json:"active"`
}

// crowd is what the parked tasks share.
type crowd struct {
	gate           chan struct{} // what the tasks wait for; never opened
	cancels        []context.CancelFunc
	first          int     // the number of the task that has results[0]
	results        []error // of each task; a task that was cancelled returns context.Canceled
	cleaned        atomic.Int64
	arrived, ended sync.WaitGroup
	trace          *harness.Trace
	load           *load
}

// load is what those share that yield.
type load struct {
	active         atomic.Int64 // those that have yielded and not ended
	stopped        atomic.Bool
	arrived, ended sync.WaitGroup
	trace          *harness.Trace
}

func (c *crowd) task(ctx context.Context, i int) {
	defer c.ended.Done()
	c.trace.Record(harness.Ran, i)
	c.results[i-c.first] = c.wait(ctx, i)
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

func (l *load) task(i int) {
	defer l.ended.Done()
	l.trace.Record(harness.Ran, i)
	runtime.Gosched()
	l.active.Add(1)
	l.arrived.Done()
	for !l.stopped.Load() {
		runtime.Gosched()
	}
	l.active.Add(-1)
	l.trace.Record(harness.Done, i)
}

// stop ends the tasks that yield.
func (l *load) stop() {
	l.stopped.Store(true)
	l.ended.Wait()
}

// park starts k tasks that yield and n that park; it returns when each of these has done so.
func park(n, k int, trace *harness.Trace) *crowd {
	l := &load{trace: trace}
	l.arrived.Add(k)
	l.ended.Add(k)
	for i := range k {
		trace.Record(harness.Spawn, i)
		go l.task(i)
		trace.Record(harness.Spawned, i)
	}
	c := &crowd{gate: make(chan struct{}), first: k, results: make([]error, n), trace: trace, load: l}
	c.arrived.Add(n)
	c.ended.Add(n)
	for i := k; i < k+n; i++ {
		ctx, cancel := context.WithCancel(context.Background())
		c.cancels = append(c.cancels, cancel)
		trace.Record(harness.Spawn, i)
		go c.task(ctx, i)
		trace.Record(harness.Spawned, i)
	}
	l.arrived.Wait()
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
	e.Active = int(c.load.active.Load())
	return e
}

func main() {
	run := harness.Begin("cancel-loaded", "n", "k")
	n, k := run.Int("n"), run.Int("k")
	var c *crowd
	harness.RepeatPrepared(run, func() func() (int, evidence) {
		if c != nil {
			c.load.stop()
		}
		c = park(n, k, run.Trace)
		return func() (int, evidence) {
			e := c.cancel()
			return e.Finished, e
		}
	}, func(e evidence) bool {
		return e == evidence{Created: n, Cancelled: n, Finished: n, Active: k}
	})
	c.load.stop()
	run.End()
}
