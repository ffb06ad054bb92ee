package main

import "testing"

func TestNoIncrementIsLost(t *testing.T) {
	const nonce = 1_000_000
	for _, k := range []int{2, 100} {
		acquired, e := form(k, 50, nonce, nil).contend()
		want := evidence{Finished: k, Most: 1, Yields: 50 * k, Passed: e.Passed, Checksum: nonce + 50*k}
		if e != want || acquired != 50*k {
			t.Errorf("k=%d: got %d and %+v, want %+v", k, acquired, e, want)
		}
	}
}

func TestALoneTaskNeitherGivesWayNorIsPassed(t *testing.T) {
	if _, e := form(1, 50, 7, nil).contend(); e != (evidence{Finished: 1, Most: 1, Checksum: 57}) {
		t.Errorf("got %+v", e)
	}
}

func TestPassedCountsTheAcquisitionsOfOthers(t *testing.T) {
	c := &crowd{section: section{value: 10}, nonce: 10}
	c.arrived.Add(2)
	if first := c.take(0, 3); first != (count{3, 0}) {
		t.Errorf("got %+v", first)
	}
	if second := c.take(1, 2); second != (count{2, 3}) {
		t.Errorf("got %+v", second)
	}
}
