// Package cpupool keeps CPU-bound jobs from starving the other goroutines of a program.
//
// Go's scheduler treats goroutines alike: where there are more CPU-bound ones than processors, each runs for up to 10 ms before it
// is preempted, and whatever becomes ready meanwhile waits behind all of them. A pool runs few jobs at once and has them give way often:
//
//   - It has fewer places than there are processors, so that some are left for the rest of the program. A job without a place waits.
//   - A job calls its checkpoint every now and then. When its time slice is over, the checkpoint lets other goroutines run, those that the
//     network has woken among them, and hands the place over if a job waits for one.
//   - A job that has not run yet comes before those that have, so that a short one does not wait for the end of long ones.
//     The other side of it: as long as new jobs fill all places, those that were begun stand still.
//
// The idea is that of github.com/hnes/cpuworker.
package cpupool

import (
	"sync"
	"time"
)

// Places is how many jobs should run at once on so many processors: a quarter of them stays free, where there are four.
func Places(processors int) int {
	return max(1, processors-processors/4)
}

// A Pool is safe for use by many goroutines.
type Pool struct {
	slice time.Duration
	bell  doorbell

	mutex sync.Mutex
	free  int   // places
	fresh queue // jobs that have not run yet
	begun queue // jobs that gave up their place at a checkpoint
}

// New makes a pool where so many jobs run at once, each for about a slice before it gives way. It fails where no pipe can be had.
func New(places int, slice time.Duration) (*Pool, error) {
	bell, err := newDoorbell()
	return &Pool{slice: slice, bell: bell, free: places}, err
}

// Do runs a job on the calling goroutine, as soon as there is a place for it, and returns when it has ended.
// The job should call its checkpoint much more often than once a slice, and only on that goroutine.
func (p *Pool) Do(job func(checkpoint func())) {
	p.enter()
	defer p.leave()
	began := time.Now()
	job(func() {
		if time.Since(began) >= p.slice {
			p.giveWay()
			began = time.Now()
		}
	})
}

func (p *Pool) enter() {
	p.mutex.Lock()
	if p.free > 0 {
		p.free--
		p.mutex.Unlock()
		return
	}
	place := p.fresh.wait()
	p.mutex.Unlock()
	<-place
}

// giveWay lets every goroutine run that is ready, before it hands over the place: the scheduler would run
// the new holder ahead of them.
func (p *Pool) giveWay() {
	p.bell.wait()
	p.mutex.Lock()
	if !p.handOver() {
		p.mutex.Unlock()
		return
	}
	place := p.begun.wait()
	p.mutex.Unlock()
	<-place
}

func (p *Pool) leave() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if !p.handOver() {
		p.free++
	}
}

// handOver gives the caller's place to the job that is next, if there is one. It must be called with the mutex held.
func (p *Pool) handOver() bool {
	return p.fresh.wake() || p.begun.wake()
}

// A queue holds jobs in the order in which they came, each as the channel that is closed to wake it.
type queue []chan struct{}

func (q *queue) wait() <-chan struct{} {
	place := make(chan struct{})
	*q = append(*q, place)
	return place
}

func (q *queue) wake() bool {
	if len(*q) == 0 {
		return false
	}
	close((*q)[0])
	*q = (*q)[1:]
	return true
}
