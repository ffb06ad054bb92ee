// Cancel parks n goroutines, each with a context of its own, then cancels and joins them.
package main

import (
	"corobench/goroutine/crowd"
	"corobench/harness"
)

func main() {
	run := harness.Begin("cancel", "n")
	n := run.Int("n")
	run.Hold("base", 0)
	harness.RepeatPrepared(run, func() func() (int, crowd.Ended) {
		c := crowd.Park(n, 0, run.Trace)
		return func() (int, crowd.Ended) {
			e := c.Cancel()
			return e.Finished, e
		}
	}, func(e crowd.Ended) bool {
		return e == crowd.Ended{Created: n, Cancelled: n, Finished: n}
	})
	run.Hold("released", 0)
	run.End()
}
