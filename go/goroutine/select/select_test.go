package main

import "testing"

func TestAMessageIsTakenFromWhicheverChannelIsReady(t *testing.T) {
	for _, k := range []int{2, 8, 16} {
		channels := make([]chan int, k)
		for i := range channels {
			channels[i] = make(chan int, 1)
		}
		next := selector(channels)
		for i := range k {
			channels[i] <- 100 + i
			if channel, message := next(); channel != i || message != 100+i {
				t.Errorf("of %d channels %d was ready with %d, got %d with %d", k, i, 100+i, channel, message)
			}
		}
	}
}

func TestMessagesThatWaitAreNotLost(t *testing.T) {
	for _, k := range []int{2, 8, 16} {
		want := evidence{Finished: 2, Messages: 5 * k, Least: 5, Most: 5, Checksum: 5*k*7 + 5*k*(5*k-1)/2}
		if got := pass(k, k, 5, 7, nil); got != want {
			t.Errorf("%d channels: got %+v, want %+v", k, got, want)
		}
	}
}
