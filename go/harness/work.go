package harness

import (
	"runtime"
	"slices"
	"time"
)

const (
	seed        = 2463534242
	calibration = 2 * time.Millisecond // at least so long a batch: a thousand times what reading the clock costs
	batches     = 25
)

// xorshift does rounds of Marsaglia's xorshift32 (Journal of Statistical Software 8 (14), 2003).
func xorshift(x uint32, rounds int) uint32 {
	for range rounds {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
	}
	return x
}

// spin is CPU time of one thread: the goroutine is kept on it, so that what others do there is not counted.
func spin(rounds int) (took time.Duration) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	start := threadCPU.read()
	if xorshift(seed, rounds) == 0 { // never; but the compiler can't know, and leaves no round out
		Fail(1, "xorshift32 came to zero")
	}
	return threadCPU.read() - start
}

// A Pace is the number of xorshift32 rounds in a nanosecond of CPU time, on this machine and now.
type Pace float64

// Calibrate measures the pace: the median of some batches, so that a neighbour disturbs it little.
func Calibrate() Pace {
	rounds := 1000
	for spin(rounds) < calibration {
		rounds *= 2
	}
	paces := make([]Pace, batches)
	for i := range paces {
		paces[i] = Pace(rounds) / Pace(spin(rounds))
	}
	slices.Sort(paces)
	return paces[batches/2]
}

// Work does as many rounds as should take this long, without a wait or a yield, and returns the CPU time that they took.
func (p Pace) Work(asked time.Duration) (took time.Duration) {
	return spin(p.rounds(asked))
}

func (p Pace) rounds(asked time.Duration) int {
	return int(p * Pace(asked))
}
