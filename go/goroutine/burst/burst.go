// Burst starts n goroutines at once out of a root that has slept, and again; each tells when it first ran.
package main

import (
	"slices"
	"sync"
	"time"

	"corobench/harness"
)

type evidence struct {
	Created  int           `json:"created"`
	Finished int           `json:"finished"`
	Checksum int           `json:"checksum"`
	LastNs   time.Duration `json:"last_ns"`
}

// result is a task's slot: its number, and how long after the beginning of its burst it first ran.
type result struct {
	value int
	start time.Duration
	ok    bool
}

// burst is what the tasks of one share.
type burst struct {
	first   int // the number of the task that has results[0]
	results []result
	began   time.Time
	ended   sync.WaitGroup
	trace   *harness.Trace
}

func (b *burst) task(i int) {
	start := time.Since(b.began)
	defer b.ended.Done()
	b.trace.Record(harness.Ran, i)
	b.results[i-b.first] = result{i, start, true}
	b.trace.Record(harness.Done, i)
}

// run starts the burst's tasks, joins them, and adds up what they returned.
func (b *burst) run(e *evidence) {
	b.ended.Add(len(b.results))
	b.began = time.Now()
	for i := range b.results {
		b.trace.Record(harness.Spawn, b.first+i)
		go b.task(b.first + i)
		b.trace.Record(harness.Spawned, b.first+i)
		e.Created++
	}
	b.ended.Wait()
	last := time.Duration(0)
	for i, r := range b.results {
		if r.ok {
			b.trace.Record(harness.Collect, b.first+i)
			e.Finished++
			e.Checksum += r.value
		}
		last = max(last, r.start)
	}
	e.LastNs += last
}

func bursts(first, n, count int, idle time.Duration, trace *harness.Trace) (evidence, []result) {
	var e evidence
	results := make([]result, n*count)
	for part := range slices.Chunk(results, n) {
		time.Sleep(idle)
		b := &burst{first: first, results: part, trace: trace}
		b.run(&e)
		first += n
	}
	return e, results
}

func main() {
	run := harness.Begin("burst", "n", "bursts", "idle_ms")
	n, count, idle := run.Int("n"), run.Int("bursts"), run.Duration("idle_ms", time.Millisecond)
	all := n * count
	var results []result
	harness.Once(run, func() (int, evidence) {
		var e evidence
		e, results = bursts(run.Nonce(), n, count, idle, run.Trace)
		return e.Finished, e
	}, func(e evidence) bool {
		return e.Created == all && e.Finished == all && e.Checksum == all*run.Nonce()+all*(all-1)/2
	})
	starts := make([]time.Duration, all)
	for i, r := range results {
		starts[i] = r.start
	}
	run.Series("start", starts)
	run.End()
}
