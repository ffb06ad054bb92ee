// Mixed lets c chains of goroutines serve requests that work and wait in turn.
package main

import (
	"sync"
	"sync/atomic"
	"time"

	"corobench/harness"
)

// service is what the requests share.
type service struct {
	pace     harness.Pace
	pieces   []time.Duration // CPU time that a request asks for, between its waits
	wait     func(chain int) // between two pieces
	start    time.Time       // times of requests count from here
	requests []request       // each is written by its own goroutine
	given    atomic.Int64    // requests that a chain has asked for
	chains   sync.WaitGroup
	trace    *harness.Trace
}

func (s *service) now() time.Duration {
	return time.Since(s.start)
}

// next spawns a chain's next request; the chain ends when all requests are given out.
func (s *service) next(chain int) {
	i := int(s.given.Add(1)) - 1
	if i >= len(s.requests) {
		s.chains.Done()
		return
	}
	s.trace.Record(harness.Spawn, i)
	s.requests[i].arrival = s.now()
	go s.serve(chain, i)
	s.trace.Record(harness.Spawned, i)
}

func (s *service) serve(chain, i int) {
	r := &s.requests[i]
	r.begin = s.now()
	s.trace.Record(harness.Ran, i)
	for k, asked := range s.pieces {
		if k > 0 {
			s.wait(chain)
		}
		begin := s.now()
		worked := s.pace.Work(asked)
		r.pieces = append(r.pieces, piece{begin, s.now(), asked, worked})
	}
	r.end = s.now()
	s.trace.Record(harness.Done, i)
	s.next(chain)
}

// split cuts a time into pieces that differ by no more than a nanosecond.
func split(total time.Duration, count int) []time.Duration {
	pieces := make([]time.Duration, count)
	for k := range pieces {
		until, from := total*time.Duration(k+1), total*time.Duration(k)
		pieces[k] = until/time.Duration(count) - from/time.Duration(count)
	}
	return pieces
}

// waiting returns the wait of a chain: a sleep, or a question to the latency server.
func waiting(run *harness.Run, chains int) func(chain int) {
	delay := run.Duration("wait_us", time.Microsecond) / time.Duration(run.Int("splits"))
	if run.Word("wait") == "timer" {
		return func(int) { time.Sleep(delay) }
	}
	lines := connect(run.Peer(), chains, delay)
	return func(chain int) { lines[chain].ask() }
}

func main() {
	run := harness.BeginWith("mixed", harness.Keys{
		Integers: []string{"c", "splits", "cpu_us", "wait_us", "requests"},
		Words:    map[string][]string{"wait": {"timer", "peer"}},
	})
	c, requests, pieces := run.Int("c"), run.Int("requests"), run.Int("splits")+1
	s := &service{
		pieces:   split(run.Duration("cpu_us", time.Microsecond), pieces),
		wait:     waiting(run, c),
		pace:     harness.Calibrate(),
		requests: make([]request, requests),
		trace:    run.Trace,
	}
	harness.Once(run, func() (int, evidence) {
		s.chains.Add(c)
		s.start = time.Now()
		for chain := range c {
			s.next(chain)
		}
		s.chains.Wait()
		e := account(s.requests, steady(s.requests, c))
		return e.Finished, e
	}, func(e evidence) bool {
		return e.Finished == requests && e.Pieces == requests*pieces
	})
	publish(run, s.requests, steady(s.requests, c))
	run.End()
}
