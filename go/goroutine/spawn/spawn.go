// Spawn starts n goroutines, then collects and sums what they returned.
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
	results []result
	ended   sync.WaitGroup
	trace   *harness.Trace
}

func (g *group) task(i int) {
	defer g.ended.Done()
	g.trace.Record(harness.Ran, i)
	g.results[i] = result{i, true}
	g.trace.Record(harness.Done, i)
}

func spawn(n int, trace *harness.Trace) evidence {
	var e evidence
	g := &group{results: make([]result, n), trace: trace}
	g.ended.Add(n)
	for i := range n {
		trace.Record(harness.Spawn, i)
		go g.task(i)
		trace.Record(harness.Spawned, i)
		e.Created++
	}
	g.ended.Wait()
	for i, r := range g.results {
		if r.ok {
			trace.Record(harness.Collect, i)
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
		e := spawn(n, run.Trace)
		return e.Finished, e
	}, func(e evidence) bool {
		return e == evidence{Created: n, Finished: n, Checksum: n * (n - 1) / 2}
	})
	run.End()
}
