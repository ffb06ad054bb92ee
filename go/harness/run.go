// Package harness is what every program but startup shares: arguments, clocks, protocol lines, the iteration loop and traces.
package harness

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"time"
)

// maxIterations ends the loop of a workload whose iterations are too short ever to fill min_warm_ms.
const maxIterations = 10_000

// A Run is one invocation of a workload.
type Run struct {
	Trace *Trace // nil unless asked for
	args  arguments
	in    *bufio.Reader
	out   *bufio.Writer
}

// Begin reads the command line, which must give every parameter, and says hello.
func Begin(workload string, parameters ...string) *Run {
	return begin(workload, parameters, false)
}

// BeginCountable is Begin for a workload that also takes count=1.
func BeginCountable(workload string, parameters ...string) *Run {
	return begin(workload, parameters, true)
}

func begin(workload string, parameters []string, countable bool) *Run {
	args, err := parse(os.Args[1:], parameters, countable)
	if err != nil {
		Fail(2, "%s: %v", workload, err)
	}
	run := &Run{args: args, in: bufio.NewReader(os.Stdin), out: bufio.NewWriter(os.Stdout)}
	if args.trace {
		run.Trace = &Trace{events: []event{}} // an empty trace is a list, too
	}
	run.write(newHello(workload, args.parameters))
	run.flush()
	return run
}

// Int is the value of a parameter; count is 0 where it was not given.
func (r *Run) Int(parameter string) int {
	return r.args.parameters[parameter]
}

// Repeat times work until there are enough iterations and enough warm time, and writes their lines after the last one.
// work returns its operations and the evidence of what it did; right says whether that is what was asked for.
func Repeat[E any](r *Run, work func() (ops int, evidence E), right func(E) bool) {
	RepeatPrepared(r, func() func() (int, E) { return work }, right)
}

// RepeatPrepared is Repeat for work that must be set up anew for each iteration: prepare does that before the clock starts.
func RepeatPrepared[E any](r *Run, prepare func() (work func() (ops int, evidence E)), right func(E) bool) {
	done := make([]iteration[E], 0, r.args.iterations)
	warm := time.Duration(0)
	for !r.enough(len(done), warm) {
		next := measure(len(done), prepare())
		if next.Index > 0 {
			warm += time.Duration(next.ElapsedNs)
		}
		done = append(done, next)
	}
	for _, iteration := range done {
		if !right(iteration.Evidence) {
			Fail(1, "iteration %d: wrong evidence %+v", iteration.Index, iteration.Evidence)
		}
		r.write(iteration)
	}
}

// Once is Repeat for a workload that has just one iteration.
func Once[E any](r *Run, work func() (ops int, evidence E), right func(E) bool) {
	r.args.iterations, r.args.minWarmMs = 1, 0
	Repeat(r, work, right)
}

func (r *Run) enough(iterations int, warm time.Duration) bool {
	if r.args.trace {
		return iterations == 1
	}
	wanted := time.Duration(r.args.minWarmMs) * time.Millisecond
	return iterations >= r.args.iterations && warm >= wanted || iterations >= maxIterations
}

func measure[E any](index int, work func() (int, E)) iteration[E] {
	cpu := cpuNanoseconds()
	start := time.Now()
	ops, evidence := work()
	elapsed := time.Since(start)
	cpu = cpuNanoseconds() - cpu
	return iteration[E]{"iteration", index, elapsed.Nanoseconds(), cpu, ops, evidence}
}

// Hold announces a point at which the process is to be looked at, and waits for a line on stdin.
func (r *Run) Hold(point string, units int) {
	r.Trace.Record(Held, -1)
	r.write(hold{"hold", point, units})
	r.flush()
	if _, err := r.in.ReadString('\n'); err != nil {
		Fail(1, "hold %s: stdin: %v", point, err)
	}
}

// Collect forces a full collection and gives the free pages back, as the harness of every collected runtime does.
func (r *Run) Collect() {
	runtime.GC()
	debug.FreeOSMemory()
}

// End writes what is left.
func (r *Run) End() {
	if r.Trace != nil {
		r.write(traceLine{"trace", r.Trace.settled()})
	}
	r.write(end{"end"})
	r.flush()
}

func (r *Run) write(line any) {
	text, err := json.Marshal(line)
	if err != nil {
		Fail(1, "%v", err)
	}
	r.out.Write(append(text, '\n')) // an error stays in the writer until flush
}

func (r *Run) flush() {
	if err := r.out.Flush(); err != nil {
		Fail(1, "stdout: %v", err)
	}
}

// Fail ends the process with a message: status 2 for a wrong command line, 1 for anything else.
func Fail(status int, format string, values ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", values...)
	os.Exit(status)
}
