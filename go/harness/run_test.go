package harness

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

type counted struct {
	Finished int `json:"finished"`
}

func newRun(args arguments) (*Run, *bytes.Buffer) {
	var out bytes.Buffer
	return &Run{args: args, in: bufio.NewReader(strings.NewReader("\n")), out: bufio.NewWriter(&out)}, &out
}

func lines(t *testing.T, out *bytes.Buffer) (all []map[string]any) {
	t.Helper()
	for _, text := range strings.Split(strings.TrimSpace(out.String()), "\n") {
		var line map[string]any
		if err := json.Unmarshal([]byte(text), &line); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		all = append(all, line)
	}
	return all
}

func TestEnough(t *testing.T) {
	for _, c := range []struct {
		args       arguments
		iterations int
		warm       time.Duration
		want       bool
	}{
		{arguments{iterations: 3}, 2, 0, false},
		{arguments{iterations: 3}, 3, 0, true},
		{arguments{iterations: 3, minWarmMs: 20}, 3, 19 * time.Millisecond, false},
		{arguments{iterations: 3, minWarmMs: 20}, 3, 20 * time.Millisecond, true},
		{arguments{iterations: 1, minWarmMs: 20}, maxIterations, 0, true},
		{arguments{iterations: 3, minWarmMs: 20, trace: true}, 1, 0, true},
	} {
		run, _ := newRun(c.args)
		if got := run.enough(c.iterations, c.warm); got != c.want {
			t.Errorf("%+v after %d iterations and %v: got %v", c.args, c.iterations, c.warm, got)
		}
	}
}

func TestNothingIsWrittenWhileAnythingIsTimed(t *testing.T) {
	run, out := newRun(arguments{iterations: 5})
	calls := 0
	Repeat(run, func() (int, counted) {
		if run.out.Buffered() > 0 || out.Len() > 0 {
			t.Error("an iteration was written before the last one")
		}
		calls++
		return 1, counted{1}
	}, func(c counted) bool { return c.Finished == 1 })
	run.End()
	written := lines(t, out)
	if calls != 5 || len(written) != 6 || written[5]["type"] != "end" {
		t.Fatalf("%d calls, lines %v", calls, written)
	}
	for i, line := range written[:5] {
		if line["type"] != "iteration" || line["index"] != float64(i) || line["ops"] != 1.0 || line["elapsed_ns"].(float64) < 0 {
			t.Errorf("line %d: %v", i, line)
		}
	}
}

func TestWarmTimeExcludesTheFirstIteration(t *testing.T) {
	run, out := newRun(arguments{iterations: 1, minWarmMs: 2})
	Repeat(run, func() (int, counted) {
		time.Sleep(20 * time.Millisecond)
		return 1, counted{1}
	}, func(counted) bool { return true })
	run.flush()
	if got := len(lines(t, out)); got != 2 {
		t.Errorf("got %d iterations", got)
	}
}

func TestTheNonceRisesByOneWithEachIteration(t *testing.T) {
	run, _ := newRun(arguments{iterations: 3, nonce: 1_000_000})
	type seen struct{ prepared, timed int }
	var all []seen
	RepeatPrepared(run, func() func() (int, seen) {
		prepared := run.Nonce()
		return func() (int, seen) { return 1, seen{prepared, run.Nonce()} }
	}, func(s seen) bool {
		all = append(all, s)
		return s == seen{run.Nonce(), run.Nonce()}
	})
	if want := []seen{{1_000_000, 1_000_000}, {1_000_001, 1_000_001}, {1_000_002, 1_000_002}}; !slices.Equal(all, want) {
		t.Errorf("got %v", all)
	}
}

// TestABadNonceIsAUsageError runs itself again: a program ends its process with the status.
func TestABadNonceIsAUsageError(t *testing.T) {
	if os.Getenv("COROBENCH_TEST_PROGRAM") != "" {
		os.Args = []string{"spawn", "n=1", "nonce=-1"}
		Begin("spawn", "n")
		return
	}
	program := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	program.Env = append(os.Environ(), "COROBENCH_TEST_PROGRAM=spawn")
	var stderr strings.Builder
	program.Stderr = &stderr
	err := program.Run()
	if status := program.ProcessState.ExitCode(); status != 2 || stderr.String() != "spawn: nonce=-1: must be an integer of at least 0\n" {
		t.Errorf("status %d, %v, stderr %q", status, err, stderr.String())
	}
}

func TestHold(t *testing.T) {
	run, out := newRun(arguments{})
	run.Hold("live", 3)
	if line := lines(t, out)[0]; line["type"] != "hold" || line["point"] != "live" || line["units"] != 3.0 {
		t.Errorf("got %v", line)
	}
}

func TestServing(t *testing.T) {
	run, out := newRun(arguments{})
	run.Serving(40123)
	if line := lines(t, out)[0]; line["point"] != "serving" || line["units"] != 0.0 || line["port"] != 40123.0 {
		t.Errorf("got %v", line)
	}
}

func TestTheClocksStandStillAtAHold(t *testing.T) {
	run, out := newRun(arguments{iterations: 1})
	run.held = moment{time.Hour, time.Hour} // of an iteration before
	var inside moment
	Repeat(run, func() (int, counted) {
		start := now()
		run.Hold("live", 1)
		run.held = run.held.plus(moment{time.Minute, time.Minute}) // a runner that took its time
		inside = now().since(start)
		return 1, counted{1}
	}, func(counted) bool { return true })
	run.flush()
	line := lines(t, out)[1]
	if line["elapsed_ns"].(float64) >= float64(inside.elapsed) || line["cpu_ns"].(float64) >= float64(inside.cpu) {
		t.Errorf("%v of which %v were at the hold", line, inside)
	}
}

func TestSeriesHasNoValueBelowZero(t *testing.T) {
	run, out := newRun(arguments{})
	run.Series("lateness", []time.Duration{3, -1})
	run.Series("small", nil)
	run.flush()
	if got := out.String(); got != `{"type":"series","name":"lateness","values":[3,0]}`+"\n"+`{"type":"series","name":"small","values":[]}`+"\n" {
		t.Errorf("got %s", got)
	}
}

func TestParametersOfARun(t *testing.T) {
	run, _ := newRun(arguments{peer: 1, parameters: map[string]any{"wait": "timer", "wait_us": 55}})
	if run.Word("wait") != "timer" || run.Duration("wait_us", time.Microsecond) != 55*time.Microsecond || run.Int("count") != 0 || run.Peer() != 1 {
		t.Errorf("got %+v", run.args)
	}
}

func TestHello(t *testing.T) {
	t.Setenv("COROBENCH_RUNTIME", "go-p1")
	run, out := newRun(arguments{})
	run.write(newHello("spawn", map[string]any{"n": 1}))
	run.flush()
	line := lines(t, out)[0]
	settings := line["settings"].(map[string]any)
	if line["runtime"] != "go-p1" || "go"+line["version"].(string) != runtime.Version() && !strings.Contains(runtime.Version(), " ") {
		t.Errorf("got %v", line)
	}
	if settings["gomaxprocs"] != float64(runtime.GOMAXPROCS(0)) || settings["num_cpu"] != float64(runtime.NumCPU()) {
		t.Errorf("got %v", settings)
	}
}

func TestReadingSettingsLeavesThemAlone(t *testing.T) {
	if first, second := effective(), effective(); first != second {
		t.Errorf("%+v, then %+v", first, second)
	}
}

func TestCPUClockCountsWorkAndNotSleep(t *testing.T) {
	before := now()
	time.Sleep(200 * time.Millisecond)
	slept := now().since(before)
	spin(20_000_000)
	worked := now().since(before).since(slept)
	if slept.cpu >= slept.elapsed/2 || worked.cpu < time.Millisecond {
		t.Errorf("slept %v, worked %v", slept, worked)
	}
}

func TestEachIterationIsPreparedBeforeTheClockStarts(t *testing.T) {
	run, out := newRun(arguments{iterations: 3})
	const slow = 20 * time.Millisecond
	prepared := 0
	RepeatPrepared(run, func() func() (int, counted) {
		time.Sleep(slow)
		prepared++
		mine := counted{prepared}
		return func() (int, counted) { return 1, mine }
	}, func(counted) bool { return true })
	run.flush()
	fastest := slow
	for i, line := range lines(t, out) {
		if finished := line["evidence"].(map[string]any)["finished"]; finished != float64(i+1) {
			t.Errorf("iteration %d: prepared %v times", i, finished)
		}
		fastest = min(fastest, time.Duration(line["elapsed_ns"].(float64)))
	}
	if fastest == slow {
		t.Error("the preparation was timed")
	}
}
