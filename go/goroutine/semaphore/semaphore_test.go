package main

import "testing"

const nonce = 1_000_000

func TestAllPermitsAreInUseAndNoMore(t *testing.T) {
	taken, e := form(20, 3, 50, nonce, nil).share()
	want := evidence{Finished: 20, Most: 3, Yields: 1000, Passed: e.Passed, Checksum: 20*nonce + 1000}
	if e != want || taken != 1000 {
		t.Errorf("got %d and %+v, want %+v", taken, e, want)
	}
}

func TestPassedCountsThePermitsOfOthers(t *testing.T) {
	c := &crowd{permits: make(chan struct{}, 1), nonce: nonce}
	c.arrived.Add(2)
	if first := c.take(0, 3); first != (count{taken: nonce + 3, most: 1}) {
		t.Errorf("got %+v", first)
	}
	if second := c.take(1, 2); second != (count{taken: nonce + 2, most: 1, passed: 3}) {
		t.Errorf("got %+v", second)
	}
}
