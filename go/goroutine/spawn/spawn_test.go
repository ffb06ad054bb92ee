package main

import (
	"fmt"
	"testing"
)

// BenchmarkSpawn is the cross-check: the same function under `go test -bench`. "ops" is the tasks that one benchmark operation holds.
func BenchmarkSpawn(b *testing.B) {
	for _, n := range []int{1_000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			for b.Loop() {
				if e := spawn(n, nil); e.Checksum != n*(n-1)/2 {
					b.Fatalf("wrong evidence %+v", e)
				}
			}
			b.ReportMetric(float64(n), "ops")
		})
	}
}
