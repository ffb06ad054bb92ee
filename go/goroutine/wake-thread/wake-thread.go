// Wake-thread lets a thread of the operating system, which no goroutine but one runs on, and another goroutine pass a token to each other.
package main

import (
	"runtime"
	"sync"
	"syscall"

	"corobench/harness"
)

type evidence struct {
	Finished int `json:"finished"`
	Messages int `json:"messages"`
	Threads  int `json:"threads"`
	Checksum int `json:"checksum"`
}

// A player is one of the two.
type player struct {
	inbox    chan int
	received int
	thread   int // the one that it ended on
}

// play passes the token to the other as task i.
func (p *player) play(i, m int, other *player, trace *harness.Trace) {
	for range m {
		token := <-p.inbox
		trace.Record(harness.Ran, i)
		p.received++
		other.inbox <- token + 1
	}
	p.thread = syscall.Gettid()
	trace.Record(harness.Done, i)
}

// game is both, about to receive.
type game struct {
	players [2]player
	ended   sync.WaitGroup
}

// begin starts both: the first is locked to a thread, which ends with it.
func begin(m int, trace *harness.Trace) *game {
	g := &game{}
	for i := range g.players {
		g.players[i].inbox = make(chan int, 1)
	}
	var arrived sync.WaitGroup
	arrived.Add(2)
	g.ended.Add(2)
	trace.Record(harness.Spawn, 0)
	go func() {
		runtime.LockOSThread()
		defer g.ended.Done()
		arrived.Done()
		g.players[0].play(0, m, &g.players[1], trace)
	}()
	trace.Record(harness.Spawned, 0)
	trace.Record(harness.Spawn, 1)
	go func() {
		defer g.ended.Done()
		arrived.Done()
		g.players[1].play(1, m, &g.players[0], trace)
	}()
	trace.Record(harness.Spawned, 1)
	arrived.Wait()
	return g
}

// pass gives the first of them the token.
func (g *game) pass(token int) (roundTrips int, e evidence) {
	g.players[0].inbox <- token
	g.ended.Wait()
	threads := map[int]bool{}
	roundTrips = g.players[1].received
	for i := range g.players {
		if g.players[i].received > 0 {
			e.Finished++
		}
		e.Messages += g.players[i].received
		threads[g.players[i].thread] = true
	}
	e.Threads = len(threads)
	e.Checksum = <-g.players[0].inbox
	return roundTrips, e
}

func main() {
	run := harness.Begin("wake-thread", "m")
	m := run.Int("m")
	harness.RepeatPrepared(run, func() func() (int, evidence) {
		g := begin(m, run.Trace)
		return func() (int, evidence) { return g.pass(run.Nonce()) }
	}, func(e evidence) bool {
		return e == evidence{Finished: 2, Messages: 2 * m, Threads: 2, Checksum: run.Nonce() + 2*m}
	})
	run.End()
}
