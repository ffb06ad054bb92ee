package main

import "testing"

func TestSleepsAreCountedFromTheNonce(t *testing.T) {
	if got, want := sleepZero(2, 3, 1_000_000, nil), (evidence{Finished: 2, Checksum: 2_000_006}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
