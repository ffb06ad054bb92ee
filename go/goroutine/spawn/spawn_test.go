package main

import (
	"fmt"
	"testing"
)

const first = 1_000_000 // the number of the first task

func TestTasksAreNumberedFromTheNonce(t *testing.T) {
	if got, want := spawn(first, 3, nil), (evidence{Created: 3, Finished: 3, Checksum: 3*first + 3}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// BenchmarkSpawn is the cross-check: the same function under `go test -bench`. "ops" is the tasks that one benchmark operation holds.
func BenchmarkSpawn(b *testing.B) {
	for _, n := range []int{1_000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			for b.Loop() {
				if e := spawn(first, n, nil); e.Checksum != n*first+n*(n-1)/2 {
					b.Fatalf("wrong evidence %+v", e)
				}
			}
			b.ReportMetric(float64(n), "ops")
		})
	}
}
