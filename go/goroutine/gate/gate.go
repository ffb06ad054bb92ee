// Package gate is what memory and memory-state share: n goroutines that park at a gate, a channel that is closed to open it,
// and the holds before, while and after they wait. The programs differ in what a task does around its wait.
package gate

import (
	"sync"
	"sync/atomic"

	"corobench/harness"
)

type evidence struct {
	Created  int `json:"created"`
	Finished int `json:"finished"`
	Checksum int `json:"checksum"`
}

// A Gate is what the tasks share. It is reached by one pointer, and their results are one sum,
// so that what a task holds is its goroutine's and not this program's.
type Gate struct {
	body            func(g *Gate, i int) int
	open            chan struct{}
	arrived, ended  sync.WaitGroup
	parked, resumed atomic.Int64
	sum             atomic.Int64
	trace           *harness.Trace
}

// Wait parks task i until the gate is opened.
func (g *Gate) Wait(i int) {
	g.parked.Add(1)
	g.trace.Record(harness.Park, i)
	g.arrived.Done()
	<-g.open
}

func (g *Gate) task(i int) {
	defer g.ended.Done()
	g.trace.Record(harness.Ran, i)
	g.sum.Add(int64(g.body(g, i)))
	g.resumed.Add(1)
	g.trace.Record(harness.Done, i)
}

// park starts n tasks, numbered from first on, and returns when all of them wait for the gate.
func (g *Gate) park(first, n int) (created int) {
	g.arrived.Add(n)
	g.ended.Add(n)
	for i := first; i < first+n; i++ {
		g.trace.Record(harness.Spawn, i)
		go g.task(i)
		g.trace.Record(harness.Spawned, i)
		created++
	}
	g.arrived.Wait()
	return created
}

// units is the number of tasks that have parked and not finished.
func (g *Gate) units() int {
	return int(g.parked.Load() - g.resumed.Load())
}

func (g *Gate) hold(run *harness.Run, n int) evidence {
	run.Hold("base", g.units())
	created := g.park(run.Nonce(), n)
	run.Hold("live", g.units())
	run.Collect()
	run.Hold("live-collected", g.units())
	close(g.open)
	g.ended.Wait()
	run.Hold("released", g.units())
	run.Collect()
	run.Hold("released-collected", g.units())
	return evidence{Created: created, Finished: int(g.resumed.Load()), Checksum: int(g.sum.Load())}
}

// Hold is the whole program of a workload: body is what task i does; it waits at the gate once and returns i.
func Hold(workload string, body func(g *Gate, i int) int) {
	run := harness.Begin(workload, "n")
	n := run.Int("n")
	harness.Once(run, func() (int, evidence) {
		g := &Gate{body: body, open: make(chan struct{}), trace: run.Trace}
		e := g.hold(run, n)
		return e.Finished, e
	}, func(e evidence) bool {
		return e == evidence{Created: n, Finished: n, Checksum: n*run.Nonce() + n*(n-1)/2}
	})
	run.End()
}
