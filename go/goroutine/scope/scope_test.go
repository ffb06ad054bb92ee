package main

import (
	"errors"
	"testing"
)

func TestEachScopeCancelsItsOtherChildren(t *testing.T) {
	const nonce = 1_000_000
	ended, e := run(10, 3, nonce, nil)
	if want := (evidence{Created: 30, Failed: 3, Cancelled: 27, Cleaned: 27, Checksum: 3*nonce + 3}); e != want || ended != 30 {
		t.Errorf("got %d and %+v, want %+v", ended, e, want)
	}
}

func TestAGroupKeepsItsFirstErrorAndEndsItsContext(t *testing.T) {
	first := errors.New("first")
	g, ctx := newGroup()
	g.start(func() error { return first })
	g.start(func() error {
		<-ctx.Done()
		return ctx.Err()
	})
	if err := g.wait(); err != first {
		t.Errorf("got %v, want %v", err, first)
	}
}

func TestAGroupWithoutAnErrorEndsItsContext(t *testing.T) {
	g, ctx := newGroup()
	g.start(func() error { return nil })
	if err := g.wait(); err != nil {
		t.Error(err)
	}
	if ctx.Err() == nil {
		t.Error("the context goes on")
	}
}
