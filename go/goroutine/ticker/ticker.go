// Ticker wakes one goroutine on an absolute schedule while k others yield.
package main

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"corobench/harness"
)

type evidence struct {
	Finished int `json:"finished"`
	Active   int `json:"active"`
	Yields   int `json:"yields"`
}

// load is what the goroutines that yield share.
type load struct {
	running sync.WaitGroup // until all have begun
	stopped atomic.Bool
	ended   sync.WaitGroup
	counts  []int
	trace   *harness.Trace
}

// yield is a task's body: it counts its yields.
func (l *load) yield(i int) {
	defer l.ended.Done()
	l.trace.Record(harness.Ran, i)
	l.running.Done()
	count := 0
	for !l.stopped.Load() {
		runtime.Gosched()
		count++
	}
	l.counts[i] = count
	l.trace.Record(harness.Done, i)
}

// tick sleeps until each tick that is not yet due, and sends how late it took every one.
func tick(i int, period time.Duration, lateness []time.Duration, trace *harness.Trace, ended chan<- int) {
	trace.Record(harness.Ran, i)
	due, count := time.Now(), 0
	for at := range lateness {
		due = due.Add(period)
		time.Sleep(time.Until(due)) // returns at once where it is overdue
		lateness[at] = time.Since(due)
		count++
	}
	trace.Record(harness.Done, i)
	ended <- count
}

func loaded(k int, period time.Duration, lateness []time.Duration, trace *harness.Trace) (ticks int, e evidence) {
	l := &load{counts: make([]int, k), trace: trace}
	l.running.Add(k)
	l.ended.Add(k)
	for i := range k {
		trace.Record(harness.Spawn, i)
		go l.yield(i)
		trace.Record(harness.Spawned, i)
	}
	l.running.Wait()
	ended := make(chan int)
	trace.Record(harness.Spawn, k)
	go tick(k, period, lateness, trace, ended)
	trace.Record(harness.Spawned, k)
	ticks = <-ended
	l.stopped.Store(true)
	l.ended.Wait()
	e.Finished = 1
	for _, count := range l.counts {
		e.Finished++
		e.Yields += count
		if count > 0 {
			e.Active++
		}
	}
	return ticks, e
}

func main() {
	run := harness.Begin("ticker", "k", "ticks", "period_us")
	k, period := run.Int("k"), run.Duration("period_us", time.Microsecond)
	lateness := make([]time.Duration, run.Int("ticks"))
	harness.Once(run, func() (int, evidence) {
		return loaded(k, period, lateness, run.Trace)
	}, func(e evidence) bool {
		return e.Finished == k+1 && e.Active == k && e.Yields >= k
	})
	run.Series("lateness", lateness)
	run.End()
}
