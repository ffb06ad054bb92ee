package main

import (
	"sync"
	"time"

	"corobench/harness"
)

// tally is what the load has done: jobs that ended, and the CPU time of all slices.
type tally struct {
	Jobs     int           `json:"jobs"`
	AskedNs  time.Duration `json:"asked_ns"`
	WorkedNs time.Duration `json:"worked_ns"`
}

// load is endless series of jobs.
type load struct {
	pace    harness.Pace
	job     time.Duration // CPU time
	mutex   sync.Mutex
	done    tally
	stopped bool
}

func (l *load) start(series int, run remedy) {
	for range series {
		go l.next(run)
	}
}

// next is a job, and starts the one after it.
func (l *load) next(run remedy) {
	run(l.work)
	if l.count(tally{Jobs: 1}) {
		go l.next(run)
	}
}

func (l *load) work(checkpoint func()) {
	for left := l.job; left > 0; left -= slice {
		asked := min(left, slice)
		if !l.count(tally{AskedNs: asked, WorkedNs: l.pace.Work(asked)}) {
			return
		}
		checkpoint()
	}
}

// count adds to the tally; when the load has been stopped, it doesn't, and returns false.
func (l *load) count(more tally) (going bool) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.stopped {
		return false
	}
	l.done.Jobs += more.Jobs
	l.done.AskedNs += more.AskedNs
	l.done.WorkedNs += more.WorkedNs
	return true
}

// stop returns what was done until now. Jobs under way end at their next slice.
func (l *load) stop() tally {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.stopped = true
	return l.done
}
