// Cancel-loaded parks n goroutines, each with a context of its own, then cancels and joins them while k others yield.
package main

import (
	"runtime"
	"sync"
	"sync/atomic"

	"corobench/goroutine/crowd"
	"corobench/harness"
)

type evidence struct {
	Created   int `json:"created"`
	Cancelled int `json:"cancelled"`
	Finished  int `json:"finished"`
	Active    int `json:"active"`
}

// loaded is the parked tasks, and those that yield beside them.
type loaded struct {
	*crowd.Crowd
	load *load
}

// load is what those share that yield.
type load struct {
	active         atomic.Int64 // those that have yielded and not ended
	stopped        atomic.Bool
	arrived, ended sync.WaitGroup
	trace          *harness.Trace
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
func park(n, k int, trace *harness.Trace) loaded {
	l := &load{trace: trace}
	l.arrived.Add(k)
	l.ended.Add(k)
	for i := range k {
		trace.Record(harness.Spawn, i)
		go l.task(i)
		trace.Record(harness.Spawned, i)
	}
	c := crowd.Park(n, k, trace)
	l.arrived.Wait()
	return loaded{Crowd: c, load: l}
}

func (c loaded) cancel() evidence {
	e := c.Cancel()
	return evidence{
		Created:   e.Created,
		Cancelled: e.Cancelled,
		Finished:  e.Finished,
		Active:    int(c.load.active.Load()),
	}
}

func main() {
	run := harness.Begin("cancel-loaded", "n", "k")
	n, k := run.Int("n"), run.Int("k")
	var c loaded
	harness.RepeatPrepared(run, func() func() (int, evidence) {
		if c.load != nil {
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
