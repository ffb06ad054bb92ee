package main

import (
	"sync"
	"time"
)

// probes are tasks sent at fixed times, each by a goroutine of its own, and how late they ended.
type probes struct {
	first    time.Time // the time of the first
	period   time.Duration
	takes    time.Duration // what a probe takes where nothing is in its way
	complete chan struct{} // closed when all are answered

	mutex    sync.Mutex
	late     []time.Duration
	answered []bool
	count    int
	closed   bool
}

func newProbes(n int, period, takes time.Duration) *probes {
	p := &probes{period: period, takes: takes, complete: make(chan struct{}), late: make([]time.Duration, n), answered: make([]bool, n)}
	if n == 0 {
		close(p.complete)
	}
	return p
}

func (p *probes) scheduled(i int) time.Time {
	return p.first.Add(time.Duration(i) * p.period)
}

func (p *probes) lateness(i int, at time.Time) time.Duration {
	return at.Sub(p.scheduled(i)) - p.takes
}

// start sends the first probe now. The schedule does not wait for answers.
func (p *probes) start(probe func()) {
	p.first = time.Now()
	go func() {
		for i := range p.late {
			time.Sleep(time.Until(p.scheduled(i)))
			go func() {
				probe()
				p.answer(i, time.Now())
			}()
		}
	}()
}

func (p *probes) answer(i int, at time.Time) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.closed {
		return
	}
	p.late[i], p.answered[i] = p.lateness(i, at), true
	p.count++
	if p.count == len(p.late) {
		close(p.complete)
	}
}

// close takes no more answers and returns their number. Probes that have none, sent or not, are as late as they are by now.
func (p *probes) close() (answered int) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.closed = true
	now := time.Now()
	for i := range p.late {
		if !p.answered[i] {
			p.late[i] = p.lateness(i, now)
		}
	}
	return p.count
}
