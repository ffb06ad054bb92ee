package main

import (
	"testing"
	"time"
)

func TestEveryTickIsTakenAndEveryTaskYields(t *testing.T) {
	lateness := make([]time.Duration, 5)
	ticks, e := loaded(3, time.Millisecond, lateness, nil)
	if ticks != 5 || e.Finished != 4 || e.Active != 3 || e.Yields < 3 {
		t.Errorf("got %d ticks, %+v", ticks, e)
	}
}

// No tick of a period of 1 ns can be slept for: each is overdue, and is later than the one before by what that took, less 1 ns.
func TestOverdueTicksAreTakenAtOnceAndLate(t *testing.T) {
	lateness := make([]time.Duration, 1000)
	loaded(1, time.Nanosecond, lateness, nil)
	if first, last := lateness[0], lateness[len(lateness)-1]; last <= first {
		t.Errorf("the first was %v late, the last %v", first, last)
	}
}
