package harness

import (
	"runtime"
	"testing"
	"time"
)

func TestXorshift(t *testing.T) {
	if got := xorshift(seed, 1000); got != 3298996588 {
		t.Errorf("got %d", got)
	}
}

func TestWorkIsRoundsAtThePace(t *testing.T) {
	if got := Pace(0.5).rounds(3 * time.Microsecond); got != 1500 {
		t.Errorf("got %d rounds", got)
	}
	if pace := Calibrate(); pace <= 0 {
		t.Errorf("pace %v", pace)
	}
}

// A pace that is wrong by far is found out by the clock: what was asked for is used, less than a step is missing.
func TestWorkIsCPUTimeAndNotRounds(t *testing.T) {
	pace := Calibrate()
	for _, asked := range []time.Duration{100 * time.Microsecond, 5 * time.Millisecond} {
		if took := (pace / 2).Work(asked); took <= asked-shortest {
			t.Errorf("%v asked, %v worked", asked, took)
		}
	}
}

// On one P, two goroutines that are preempted in turn would each count what the other does on a thread that they share.
func TestWorkOfOthersIsNotCounted(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	const rounds = 100_000_000
	start := processCPU.read()
	other := make(chan time.Duration)
	go func() { other <- spin(rounds) }()
	runtime.Gosched()
	own := spin(rounds)
	sum := own + <-other
	if all := processCPU.read() - start; sum > all {
		t.Errorf("%v counted, %v taken by the process", sum, all)
	}
}
