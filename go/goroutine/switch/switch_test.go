package main

import (
	"fmt"
	"testing"
)

// BenchmarkSwitch is the cross-check: the same function under `go test -bench`. "ops" is the resumes that one benchmark operation holds.
func BenchmarkSwitch(b *testing.B) {
	for _, point := range []struct{ k, m int }{{2, 500}, {100, 200}} {
		b.Run(fmt.Sprintf("k=%d,m=%d", point.k, point.m), func(b *testing.B) {
			for b.Loop() {
				if e := switches(point.k, point.m, nil, nil); e.Resumes != point.k*point.m {
					b.Fatalf("wrong evidence %+v", e)
				}
			}
			b.ReportMetric(float64(point.k*point.m), "ops")
		})
	}
}
