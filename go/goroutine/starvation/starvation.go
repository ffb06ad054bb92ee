// Starvation sends probes while goroutines use the CPU, and sees how late each is answered.
package main

import (
	"runtime"
	"time"

	"corobench/cpupool"
	"corobench/harness"
)

const (
	slice      = time.Millisecond       // CPU time between two checkpoints of a job, and the pool's time slice
	probeSleep = time.Millisecond       // of a probe
	smallAsked = 100 * time.Microsecond // CPU time of a probe of the pool
)

// A remedy runs a job; work is the job itself, which calls checkpoint after every slice.
type remedy func(work func(checkpoint func()))

func naive(work func(checkpoint func())) {
	work(func() {})
}

func yielding(work func(checkpoint func())) {
	work(runtime.Gosched)
}

// bounded leaves one processor free, where there are two.
func bounded() remedy {
	room := make(chan struct{}, max(1, runtime.GOMAXPROCS(0)-1))
	return func(work func(checkpoint func())) {
		room <- struct{}{}
		work(func() {})
		<-room
	}
}

// scene is how a mode runs jobs, and whether there is something that small tasks can be given to, too.
// Without a remedy there is no load.
func scene(mode string) (run remedy, pooled bool) {
	switch mode {
	case "naive":
		return naive, false
	case "gosched":
		return yielding, false
	case "semaphore":
		return bounded(), true
	case "pool":
		pool, err := cpupool.New(cpupool.Places(runtime.GOMAXPROCS(0)), slice)
		if err != nil {
			harness.Fail(1, "%v", err)
		}
		return pool.Do, true
	default:
		return nil, false
	}
}

type evidence struct {
	Answered  int `json:"answered"`
	OverLimit int `json:"over_limit"`
	tally
}

// within waits until all probes are answered or the time is over.
func within(limit time.Duration, all ...*probes) {
	timeout := time.After(limit)
	for _, p := range all {
		select {
		case <-p.complete:
		case <-timeout:
			return
		}
	}
}

func main() {
	run := harness.BeginWith("starvation", harness.Keys{
		Integers: []string{"probes", "period_us", "series_count", "job_us", "cap_ms"},
		Words:    map[string][]string{"mode": {"idle", "naive", "gosched", "semaphore", "pool"}},
	})
	n, period := run.Int("probes"), run.Duration("period_us", time.Microsecond)
	pace := harness.Calibrate()
	load := &load{pace: pace, job: run.Duration("job_us", time.Microsecond)}
	timed, small := newProbes(n, period, probeSleep), newProbes(0, period, smallAsked)
	remedy, pooled := scene(run.Word("mode"))
	if pooled {
		small = newProbes(n, period, smallAsked)
	}
	harness.Once(run, func() (int, evidence) {
		if remedy != nil {
			load.start(run.Int("series_count"), remedy)
		}
		timed.start(func() { time.Sleep(probeSleep) })
		small.start(func() {
			remedy(func(func()) { pace.Work(smallAsked) })
		})
		within(run.Duration("cap_ms", time.Millisecond), timed, small)
		answered := timed.close()
		small.close()
		return n, evidence{answered, n - answered, load.stop()}
	}, func(evidence) bool { return true })
	run.Series("lateness", timed.late)
	run.Series("small", small.late)
	run.End()
}
