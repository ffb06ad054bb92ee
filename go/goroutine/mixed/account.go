package main

import (
	"cmp"
	"slices"
	"time"

	"corobench/harness"
)

// mostNumbers is how long the timeline may be.
const mostNumbers = 600

// request is what a request saw. Its times, like those of its pieces, count from the start of the clock.
type request struct {
	arrival, begin, end time.Duration
	pieces              []piece
}

// piece is CPU work without a wait.
type piece struct {
	begin, end    time.Duration
	asked, worked time.Duration // CPU time
}

type evidence struct {
	Finished  int           `json:"finished"`
	Pieces    int           `json:"pieces"`
	AskedNs   time.Duration `json:"asked_ns"`
	WorkedNs  time.Duration `json:"worked_ns"`
	MostAlive int           `json:"most_alive"`
	SteadyOps int           `json:"steady_ops"`
	SteadyNs  time.Duration `json:"steady_ns"`

	SteadyAliveNs time.Duration `json:"steady_alive_ns"`
}

// window is a stretch of time: the requests that ended in it, in the order of their ends, how long it was, and how long all
// requests together were between arrival and end in it.
type window struct {
	requests      []*request
	length, alive time.Duration
}

// steady is whole rounds of all chains, up to the end that started the last request and without the first ends, one for each
// chain: every chain was busy all that time, and no longer in step with the others, as all were when they began.
func steady(requests []request, chains int) window {
	ended := make([]*request, len(requests))
	for i := range requests {
		ended[i] = &requests[i]
	}
	slices.SortFunc(ended, func(a, b *request) int { return cmp.Compare(a.end, b.end) })
	last := len(ended) - chains - 1
	first := chains + last%chains // the end with which the window opens
	if last <= first {
		return window{}
	}
	w := window{requests: ended[first+1 : last+1], length: ended[last].end - ended[first].end}
	for _, r := range ended {
		w.alive += max(0, min(r.end, ended[last].end)-max(r.arrival, ended[first].end))
	}
	return w
}

func account(requests []request, steady window) evidence {
	e := evidence{MostAlive: mostAlive(requests), SteadyOps: len(steady.requests), SteadyNs: steady.length, SteadyAliveNs: steady.alive}
	for _, r := range requests {
		if r.end > 0 {
			e.Finished++
		}
		e.Pieces += len(r.pieces)
		for _, p := range r.pieces {
			e.AskedNs += p.asked
			e.WorkedNs += p.worked
		}
	}
	return e
}

// mostAlive is the greatest number of requests between arrival and end; one that ends when another arrives is gone.
func mostAlive(requests []request) (most int) {
	type change struct {
		at time.Duration
		by int
	}
	var changes []change
	for _, r := range requests {
		changes = append(changes, change{r.arrival, 1}, change{r.end, -1})
	}
	slices.SortFunc(changes, func(a, b change) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.by, b.by))
	})
	alive := 0
	for _, c := range changes {
		alive += c.by
		most = max(most, alive)
	}
	return most
}

// timeline is the pieces that overlap the life of the longest of some requests, as triples (request, begin, end):
// first its own, then those of the others in the order of their beginnings. Times count from its arrival.
func timeline(requests []request, among []*request) (numbers []time.Duration) {
	if len(among) == 0 {
		return nil
	}
	slowest := slices.MaxFunc(among, func(a, b *request) int { return cmp.Compare(a.response(), b.response()) })
	from, until := slowest.arrival, slowest.end
	type row struct{ request, begin, end time.Duration }
	var own, others []row
	for i, r := range requests {
		for _, p := range r.pieces {
			if p.end <= from || p.begin >= until {
				continue
			}
			next := row{time.Duration(i), max(p.begin-from, 0), p.end - from}
			if &requests[i] == slowest {
				own = append(own, next)
			} else {
				others = append(others, next)
			}
		}
	}
	slices.SortFunc(others, func(a, b row) int { return cmp.Compare(a.begin, b.begin) })
	for _, r := range append(own, others...) {
		numbers = append(numbers, r.request, r.begin, r.end)
	}
	return numbers[:min(len(numbers), mostNumbers)]
}

func (r request) response() time.Duration { return r.end - r.arrival }
func (r request) service() time.Duration  { return r.end - r.begin }
func (r request) queueing() time.Duration { return r.begin - r.arrival }

func publish(run *harness.Run, requests []request, steady window) {
	of := func(figure func(request) time.Duration) []time.Duration {
		values := make([]time.Duration, len(steady.requests))
		for i, r := range steady.requests {
			values[i] = figure(*r)
		}
		return values
	}
	run.Series("response", of(request.response))
	run.Series("service", of(request.service))
	run.Series("queueing", of(request.queueing))
	run.Series("timeline", timeline(requests, steady.requests))
}
