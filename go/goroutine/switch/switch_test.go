package main

import (
	"fmt"
	"testing"
)

const nonce = 1_000_000

func TestResumesAreCountedFromTheNonce(t *testing.T) {
	if got, want := switches(2, 3, nonce, nil, nil), (evidence{Finished: 2, Resumes: 6, Checksum: 2*nonce + 6}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// BenchmarkSwitch is the cross-check: the same function under `go test -bench`. "ops" is the resumes that one benchmark operation holds.
func BenchmarkSwitch(b *testing.B) {
	for _, point := range []struct{ k, m int }{{2, 500}, {100, 200}} {
		b.Run(fmt.Sprintf("k=%d,m=%d", point.k, point.m), func(b *testing.B) {
			for b.Loop() {
				if e := switches(point.k, point.m, nonce, nil, nil); e.Checksum != point.k*(nonce+point.m) {
					b.Fatalf("wrong evidence %+v", e)
				}
			}
			b.ReportMetric(float64(point.k*point.m), "ops")
		})
	}
}
