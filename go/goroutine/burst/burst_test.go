package main

import (
	"slices"
	"testing"
)

func TestEveryTaskOfEveryBurstRunsOnce(t *testing.T) {
	e, results := bursts(1_000_000, 3, 2, 0, nil)
	if e.Created != 6 || e.Finished != 6 || e.Checksum != 6*1_000_000+15 {
		t.Errorf("got %+v", e)
	}
	for i, r := range results {
		if !r.ok || r.value != 1_000_000+i || r.start < 0 {
			t.Errorf("task %d left %+v", i, r)
		}
	}
}

func TestTheLastOfEachBurstIsAddedUp(t *testing.T) {
	e, results := bursts(0, 3, 2, 0, nil)
	later := func(a, b result) int { return int(a.start - b.start) }
	if want := slices.MaxFunc(results[:3], later).start + slices.MaxFunc(results[3:], later).start; e.LastNs != want {
		t.Errorf("got %v, want %v", e.LastNs, want)
	}
}
