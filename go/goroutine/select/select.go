// Select lets a goroutine wait on k channels at once, while another sends through them in an order that the first does not know.
package main

import (
	"reflect"
	"slices"
	"sync"

	"corobench/harness"
)

type evidence struct {
	Finished int `json:"finished"`
	Messages int `json:"messages"`
	Least    int `json:"least"`
	Most     int `json:"most"`
	Checksum int `json:"checksum"`
}

// selector returns what waits on all channels and takes the message of whichever is ready: a select statement where the channels
// are few enough to be written out, the package reflect else.
func selector(channels []chan int) func() (channel, message int) {
	switch len(channels) {
	case 2:
		return func() (int, int) { return two([2]chan int(channels)) }
	case 8:
		return func() (int, int) { return eight([8]chan int(channels)) }
	}
	cases := make([]reflect.SelectCase, len(channels))
	for i, channel := range channels {
		cases[i] = reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(channel)}
	}
	return func() (int, int) {
		channel, message, _ := reflect.Select(cases)
		return channel, int(message.Int())
	}
}

func two(c [2]chan int) (channel, message int) {
	select {
	case message = <-c[0]:
		return 0, message
	case message = <-c[1]:
		return 1, message
	}
}

func eight(c [8]chan int) (channel, message int) {
	select {
	case message = <-c[0]:
		return 0, message
	case message = <-c[1]:
		return 1, message
	case message = <-c[2]:
		return 2, message
	case message = <-c[3]:
		return 3, message
	case message = <-c[4]:
		return 4, message
	case message = <-c[5]:
		return 5, message
	case message = <-c[6]:
		return 6, message
	case message = <-c[7]:
		return 7, message
	}
}

// work is what the two tasks share.
type work struct {
	k, w, m  int
	channels []chan int
	answers  chan int
	trace    *harness.Trace
}

// receive is task 0. It returns how many messages came through each channel, and the sum of all.
func (s *work) receive() (counts []int, sum int) {
	counts, next := make([]int, s.k), selector(s.channels)
	for received := 1; received <= s.k*s.m; received++ {
		channel, message := next()
		s.trace.Record(harness.Ran, 0)
		counts[channel]++
		sum += message
		if received%s.w == 0 {
			s.answers <- received
		}
	}
	return counts, sum
}

// send is task 1. Its order is the nonce's: each channel once a round, as k is a power of two.
func (s *work) send(nonce int) (sent int) {
	for round := nonce; round < nonce+s.m; round++ {
		for turn := range s.k {
			s.channels[(round+turn*(2*round+1))%s.k] <- nonce + sent
			sent++
			if sent%s.w == 0 {
				<-s.answers
				s.trace.Record(harness.Ran, 1)
			}
		}
	}
	return sent
}

func pass(k, w, m, nonce int, trace *harness.Trace) evidence {
	s := &work{k: k, w: w, m: m, channels: make([]chan int, k), answers: make(chan int, 1), trace: trace}
	for i := range s.channels {
		s.channels[i] = make(chan int, 1)
	}
	var e evidence
	var counts []int
	sent := 0
	var tasks sync.WaitGroup
	tasks.Add(2)
	trace.Record(harness.Spawn, 0)
	go func() {
		defer tasks.Done()
		counts, e.Checksum = s.receive()
		trace.Record(harness.Done, 0)
	}()
	trace.Record(harness.Spawned, 0)
	trace.Record(harness.Spawn, 1)
	go func() {
		defer tasks.Done()
		sent = s.send(nonce)
		trace.Record(harness.Done, 1)
	}()
	trace.Record(harness.Spawned, 1)
	tasks.Wait()

	for _, count := range counts {
		e.Messages += count
	}
	e.Least, e.Most = slices.Min(counts), slices.Max(counts)
	for _, messages := range []int{sent, e.Messages} {
		if messages == k*m {
			e.Finished++
		}
	}
	return e
}

func main() {
	run := harness.Begin("select", "k", "w", "m")
	k, w, m := run.Int("k"), run.Int("w"), run.Int("m")
	harness.Repeat(run, func() (int, evidence) {
		e := pass(k, w, m, run.Nonce(), run.Trace)
		return e.Messages, e
	}, func(e evidence) bool {
		n := k * m
		return e == evidence{Finished: 2, Messages: n, Least: m, Most: m, Checksum: n*run.Nonce() + n*(n-1)/2}
	})
	run.End()
}
