// Memory-timer arms n timers for an hour, with no goroutine behind them, and stops them all.
package main

import (
	"time"

	"corobench/harness"
)

const far = time.Hour

type evidence struct {
	Created  int `json:"created"`
	Finished int `json:"finished"`
}

func arm(n int) []*time.Timer {
	timers := make([]*time.Timer, n)
	for i := range timers {
		timers[i] = time.AfterFunc(far, fired)
	}
	return timers
}

func fired() {
	harness.Fail(1, "a timer of %v fired", far)
}

// stop returns the number of timers that were still pending.
func stop(timers []*time.Timer) (stopped int) {
	for _, timer := range timers {
		if timer.Stop() {
			stopped++
		}
	}
	return stopped
}

// hold drops the timers before the last two points: nothing refers to them after stop.
func hold(run *harness.Run, n int) (e evidence) {
	run.Hold("base", 0)
	timers := arm(n)
	e.Created = len(timers)
	run.Hold("live", e.Created)
	run.Collect()
	run.Hold("live-collected", e.Created)
	e.Finished = stop(timers)
	armed := e.Created - e.Finished
	run.Hold("released", armed)
	run.Collect()
	run.Hold("released-collected", armed)
	return e
}

func main() {
	run := harness.Begin("memory-timer", "n")
	n := run.Int("n")
	harness.Once(run, func() (int, evidence) {
		e := hold(run, n)
		return e.Finished, e
	}, func(e evidence) bool {
		return e == evidence{Created: n, Finished: n}
	})
	run.End()
}
