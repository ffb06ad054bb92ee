// Sleep-zero lets k goroutines sleep m times each for no time at all.
package main

import (
	"sync"
	"time"

	"corobench/harness"
)

type evidence struct {
	Finished int `json:"finished"`
	Checksum int `json:"checksum"`
}

// task counts the sleeps that it woke from, from a number on.
func task(i, m, from int, trace *harness.Trace) (count int) {
	count = from
	for range m {
		time.Sleep(0)
		count++
		trace.Record(harness.Ran, i)
	}
	return count
}

func sleepZero(k, m, nonce int, trace *harness.Trace) evidence {
	var e evidence
	counts := make([]int, k)
	var tasks sync.WaitGroup
	tasks.Add(k)
	for i := range k {
		trace.Record(harness.Spawn, i)
		go func() {
			defer tasks.Done()
			counts[i] = task(i, m, nonce, trace)
			trace.Record(harness.Done, i)
		}()
		trace.Record(harness.Spawned, i)
	}
	tasks.Wait()
	for i, count := range counts {
		if count > nonce {
			trace.Record(harness.Collect, i)
			e.Finished++
			e.Checksum += count
		}
	}
	return e
}

func main() {
	run := harness.Begin("sleep-zero", "k", "m")
	k, m := run.Int("k"), run.Int("m")
	harness.Repeat(run, func() (int, evidence) {
		e := sleepZero(k, m, run.Nonce(), run.Trace)
		return e.Checksum - e.Finished*run.Nonce(), e
	}, func(e evidence) bool {
		return e == evidence{Finished: k, Checksum: k * (run.Nonce() + m)}
	})
	run.End()
}
