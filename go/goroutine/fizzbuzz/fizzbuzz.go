// Fizzbuzz does n times m steps: as plain calls, in n goroutines, or in n goroutines that yield after each step.
package main

import (
	"runtime"
	"sync"

	"corobench/goroutine/fizz"
	"corobench/harness"
)

type evidence struct {
	Finished int `json:"finished"`
	Steps    int `json:"steps"`
	Checksum int `json:"checksum"`
}

// result is a task's slot.
type result struct {
	steps, sum int
}

// through is the body without a wait, yielding the one with a yield after each step.
// They are kept as calls: inlined, phase base would be a loop without them.
//
//go:noinline
func through(task, m int) (r result) {
	for x := range m {
		r.sum += fizz.Step(task + x)
		r.steps++
	}
	return r
}

//go:noinline
func yielding(task, m int) (r result) {
	for x := range m {
		r.sum += fizz.Step(task + x)
		r.steps++
		runtime.Gosched()
	}
	return r
}

func (e *evidence) add(r result) {
	if r.steps > 0 {
		e.Finished++
	}
	e.Steps += r.steps
	e.Checksum += r.sum
}

func call(n, m int) (e evidence) {
	for i := range n {
		e.add(through(i, m))
	}
	return e
}

// group is what the tasks share.
type group struct {
	body    func(task, m int) result
	m       int
	results []result
	ended   sync.WaitGroup
	trace   *harness.Trace
}

func (g *group) task(i int) {
	defer g.ended.Done()
	g.trace.Record(harness.Ran, i)
	g.results[i] = g.body(i, g.m)
	g.trace.Record(harness.Done, i)
}

func spawn(body func(task, m int) result, n, m int, trace *harness.Trace) (e evidence) {
	g := &group{body: body, m: m, results: make([]result, n), trace: trace}
	g.ended.Add(n)
	for i := range n {
		trace.Record(harness.Spawn, i)
		go g.task(i)
		trace.Record(harness.Spawned, i)
	}
	g.ended.Wait()
	for i, r := range g.results {
		trace.Record(harness.Collect, i)
		e.add(r)
	}
	return e
}

func main() {
	run := harness.BeginWith("fizzbuzz", harness.Keys{
		Integers: []string{"n", "m"},
		Words:    map[string][]string{"phase": {"base", "spawn", "yield"}},
	})
	n, m := run.Int("n"), run.Int("m")
	perform := map[string]func() evidence{
		"base":  func() evidence { return call(n, m) },
		"spawn": func() evidence { return spawn(through, n, m, run.Trace) },
		"yield": func() evidence { return spawn(yielding, n, m, run.Trace) },
	}[run.Word("phase")]
	harness.Repeat(run, func() (int, evidence) {
		e := perform()
		return e.Finished, e
	}, func(e evidence) bool {
		return e.Finished == n && e.Steps == n*m
	})
	run.End()
}
