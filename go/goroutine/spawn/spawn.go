// Spawn starts n goroutines, numbered from the nonce on, then collects and sums what they returned.
package main

import (
	"sync"

	"corobench/harness"
)

type evidence struct {
	Created  int `json:"created"`
	Finished int `json:"finished"`
	Checksum int `json:"checksum"`
}

// result is a task's slot: Go has no join handle, so each task gets a place for its value and the group tells when all are filled.
type result struct {
	value int
	ok    bool
}

// group is what the tasks share.
type group struct {
	first   int // the number of the task that has results[0]
	results []result
	ended   sync.WaitGroup
	trace   *harness.Trace
}

func (g *group) task(i int) {
	defer g.ended.Done()
	g.trace.Record(harness.Ran, i)
	g.results[i-g.first] = result{i, true}
	g.trace.Record(harness.Done, i)
}

func spawn(first, n int, trace *harness.Trace) evidence {
	var e evidence
	g := &group{first: first, results: make([]result, n), trace: trace}
	g.ended.Add(n)
	for i := first; i < first+n; i++ {
		trace.Record(harness.Spawn, i)
		go g.task(i)
		trace.Record(harness.Spawned, i)
		e.Created++
	}
	g.ended.Wait()
	for at, r := range g.results {
		if r.ok {
			trace.Record(harness.Collect, first+at)
			e.Finished++
			e.Checksum += r.value
		}
	}
	return e
}

func main() {
	run := harness.Begin("spawn", "n")
	n := run.Int("n")
	harness.Repeat(run, func() (int, evidence) {
		e := spawn(run.Nonce(), n, run.Trace)
		return e.Finished, e
	}, func(e evidence) bool {
		return e == evidence{Created: n, Finished: n, Checksum: n*run.Nonce() + n*(n-1)/2}
	})
	run.End()
}
