// Scope opens groups of n goroutines, of which one fails; the others are cancelled for it, and the error comes to the one who waits for all.
package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"corobench/harness"
)

type evidence struct {
	Created   int `json:"created"`
	Failed    int `json:"failed"`
	Cancelled int `json:"cancelled"`
	Cleaned   int `json:"cleaned"`
	Checksum  int `json:"checksum"`
}

// A group is what golang.org/x/sync/errgroup has in its WithContext, Go and Wait: Go has no scopes, and its standard library no such group.
type group struct {
	cancel context.CancelFunc
	tasks  sync.WaitGroup
	once   sync.Once
	err    error
}

func newGroup() (*group, context.Context) {
	ctx, cancel := context.WithCancel(context.Background())
	return &group{cancel: cancel}, ctx
}

func (g *group) start(task func() error) {
	g.tasks.Add(1)
	go func() {
		defer g.tasks.Done()
		if err := task(); err != nil {
			g.once.Do(func() {
				g.err = err
				g.cancel()
			})
		}
	}()
}

// wait returns the first error when all have ended.
func (g *group) wait() error {
	g.tasks.Wait()
	g.cancel()
	return g.err
}

// A failure is the error of a task; its value tells which.
type failure struct{ value int }

func (f failure) Error() string {
	return fmt.Sprintf("failed with %d", f.value)
}

// scopes counts what has become of all children.
type scopes struct {
	created, failed, checksum int
	cancelled, cleaned        atomic.Int64
	trace                     *harness.Trace
}

// park waits for what never comes, or for the context to end.
func (s *scopes) park(ctx context.Context, task int, arrived *sync.WaitGroup) error {
	s.trace.Record(harness.Ran, task)
	defer func() {
		s.cleaned.Add(1)
		s.trace.Record(harness.Done, task)
	}()
	arrived.Done()
	<-ctx.Done()
	if errors.Is(ctx.Err(), context.Canceled) {
		s.cancelled.Add(1)
	}
	return ctx.Err()
}

// fail waits until its siblings wait.
func (s *scopes) fail(task, value int, arrived *sync.WaitGroup) error {
	s.trace.Record(harness.Ran, task)
	arrived.Wait()
	s.trace.Record(harness.Fails, task)
	return failure{value}
}

// open starts n children, numbered from first on, and returns when all have ended.
func (s *scopes) open(first, n, value int) error {
	var arrived sync.WaitGroup
	arrived.Add(n - 1)
	g, ctx := newGroup()
	last := first + n - 1
	for i := first; i <= last; i++ {
		s.trace.Record(harness.Spawn, i)
		if i < last {
			g.start(func() error { return s.park(ctx, i, &arrived) })
		} else {
			g.start(func() error { return s.fail(i, value, &arrived) })
		}
		s.trace.Record(harness.Spawned, i)
		s.created++
	}
	return g.wait()
}

// run opens m scopes, one after the other, and returns how many children have ended in all of them.
func run(n, m, nonce int, trace *harness.Trace) (ended int, e evidence) {
	s := &scopes{trace: trace}
	for i := range m {
		trace.Record(harness.Open, i)
		var failed failure
		if errors.As(s.open(i*n, n, nonce+i), &failed) {
			s.failed++
			s.checksum += failed.value
		}
		trace.Record(harness.Close, i)
	}
	e = evidence{
		Created: s.created, Failed: s.failed, Cancelled: int(s.cancelled.Load()), Cleaned: int(s.cleaned.Load()), Checksum: s.checksum,
	}
	return e.Cleaned + e.Failed, e
}

func main() {
	invocation := harness.Begin("scope", "n", "m")
	n, m := invocation.Int("n"), invocation.Int("m")
	harness.Repeat(invocation, func() (int, evidence) {
		return run(n, m, invocation.Nonce(), invocation.Trace)
	}, func(e evidence) bool {
		return e == evidence{
			Created: n * m, Failed: m, Cancelled: (n - 1) * m, Cleaned: (n - 1) * m, Checksum: m*invocation.Nonce() + m*(m-1)/2,
		}
	})
	invocation.End()
}
