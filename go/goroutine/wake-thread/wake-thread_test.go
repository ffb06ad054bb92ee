package main

import "testing"

func TestATokenGoesToAThreadAndBack(t *testing.T) {
	trips, got := begin(3, nil).pass(1_000_000)
	if want := (evidence{Finished: 2, Messages: 6, Threads: 2, Checksum: 1_000_006}); got != want || trips != 3 {
		t.Errorf("got %d round trips and %+v, want 3 and %+v", trips, got, want)
	}
}
