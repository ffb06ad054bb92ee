package main

import "testing"

func TestAllAreCancelledWhileOthersYield(t *testing.T) {
	c := park(5, 3, nil)
	if got, want := c.cancel(), (evidence{Created: 5, Cancelled: 5, Finished: 5, Active: 3}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	c.load.stop()
	if active := c.load.active.Load(); active != 0 {
		t.Errorf("%d still yield", active)
	}
}
