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
	shortest    = 2 * time.Microsecond // a step of work: some times what reading the clock costs
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

// onThread is CPU time of one thread: the goroutine is kept on it, so that what others do there is not counted.
func onThread(work func(used func() time.Duration)) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	start := threadCPU.read()
	used := func() time.Duration { return threadCPU.read() - start }
	work(used)
	return used()
}

func compute(rounds int) {
	if xorshift(seed, rounds) == 0 { // never; but the compiler can't know, and leaves no round out
		Fail(1, "xorshift32 came to zero")
	}
}

func spin(rounds int) (took time.Duration) {
	return onThread(func(func() time.Duration) { compute(rounds) })
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

// Work computes until the thread has used this much CPU time, without a wait or a yield, and returns how much it was.
//
// The pace alone would not do: on one CPU the thread loses 12 % to the runtime's monitor, which looks every 20 us after the process has
// been idle (20 requests of mixed at c = 1 are interrupted a thousand times), and nothing under load. So it goes by halves of what is left.
func (p Pace) Work(asked time.Duration) (took time.Duration) {
	return onThread(func(used func() time.Duration) {
		for left := asked; left >= shortest; left = asked - used() {
			compute(p.rounds(max(left/2, shortest)))
		}
	})
}

func (p Pace) rounds(asked time.Duration) int {
	return int(p * Pace(asked))
}
