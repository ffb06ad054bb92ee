// Switch lets k goroutines yield m times each through the scheduler's own queue.
package main

import (
	"runtime"
	"sync"
	"sync/atomic"

	"corobench/harness"
)

type evidence struct {
	Finished     int  `json:"finished"`
	Resumes      int  `json:"resumes"`
	Checksum     int  `json:"checksum"`
	TrueSwitches *int `json:"true_switches,omitempty"`
}

// A watcher looks at every resume. It is there only with trace=1 or count=1, which are never timed.
type watcher struct {
	trace    *harness.Trace
	last     atomic.Int64 // the task resumed before, plus one
	switches atomic.Int64
}

func (w *watcher) resumed(task int) {
	w.trace.Record(harness.Ran, task)
	if w.last.Swap(int64(task)+1) != int64(task)+1 {
		w.switches.Add(1)
	}
}

// yield is a task's body: it counts its resumes from a number on. The test of watch stays in the loop, so that the path verified is the path timed;
// it is not measurable beside a yield (NOTES.md).
func yield(task, m, from int, watch *watcher) (count int) {
	count = from
	for range m {
		runtime.Gosched()
		count++
		if watch != nil {
			watch.resumed(task)
		}
	}
	return count
}

func switches(k, m, nonce int, trace *harness.Trace, watch *watcher) evidence {
	var e evidence
	counts := make([]int, k)
	var tasks sync.WaitGroup
	tasks.Add(k)
	for i := range k {
		trace.Record(harness.Spawn, i)
		go func() {
			defer tasks.Done()
			counts[i] = yield(i, m, nonce, watch)
			trace.Record(harness.Done, i)
		}()
		trace.Record(harness.Spawned, i)
	}
	tasks.Wait()
	for i, count := range counts {
		if count > nonce {
			trace.Record(harness.Collect, i)
			e.Finished++
			e.Resumes += count - nonce
			e.Checksum += count
		}
	}
	return e
}

func main() {
	run := harness.BeginWith("switch", harness.Keys{Integers: []string{"k", "m"}, Countable: true})
	k, m, count := run.Int("k"), run.Int("m"), run.Int("count") == 1
	harness.Repeat(run, func() (int, evidence) {
		var watch *watcher
		if run.Trace != nil || count {
			watch = &watcher{trace: run.Trace}
		}
		e := switches(k, m, run.Nonce(), run.Trace, watch)
		if count {
			counted := int(watch.switches.Load())
			e.TrueSwitches = &counted
		}
		return e.Resumes, e
	}, func(e evidence) bool {
		return e.Finished == k && e.Resumes == k*m && e.Checksum == k*(run.Nonce()+m)
	})
	run.End()
}
