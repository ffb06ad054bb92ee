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
	index int // of the present iteration
	in    *bufio.Reader
	out   *bufio.Writer
	held  moment // time at holds, in all
}

// Begin reads the command line, which must give every parameter, an integer each, and says hello.
func Begin(workload string, parameters ...string) *Run {
	return BeginWith(workload, Keys{Integers: parameters})
}

// BeginWith is Begin for a workload that has words among its parameters, or also takes count=1.
func BeginWith(workload string, keys Keys) *Run {
	args, err := parse(os.Args[1:], keys)
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

// Int is the value of an integer parameter; count is 0 where it was not given.
func (r *Run) Int(parameter string) int {
	value, _ := r.args.parameters[parameter].(int)
	return value
}

// Duration is the value of an integer parameter that counts units of time.
func (r *Run) Duration(parameter string, unit time.Duration) time.Duration {
	return time.Duration(r.Int(parameter)) * unit
}

// Word is the value of a parameter that is a word.
func (r *Run) Word(parameter string) string {
	value, _ := r.args.parameters[parameter].(string)
	return value
}

// Nonce is what the results of the present iteration must contain: the one that is prepared, timed or checked.
func (r *Run) Nonce() int {
	return r.args.nonce + r.index
}

// Peer is the port of the companion on 127.0.0.1; a program that needs one ends where none was given.
func (r *Run) Peer() int {
	if r.args.peer == 0 {
		Fail(2, "peer is missing")
	}
	return r.args.peer
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
		r.index = len(done)
		next := measure(r, prepare())
		if next.Index > 0 {
			warm += time.Duration(next.ElapsedNs)
		}
		done = append(done, next)
	}
	for _, iteration := range done {
		r.index = iteration.Index
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

func measure[E any](r *Run, work func() (int, E)) iteration[E] {
	held := r.held
	start := now()
	ops, evidence := work()
	took := now().since(start).since(r.held.since(held))
	return iteration[E]{"iteration", r.index, took.elapsed.Nanoseconds(), took.cpu.Nanoseconds(), ops, evidence}
}

// Series writes raw samples, after the iterations. Those below zero count as zero.
func (r *Run) Series(name string, values []time.Duration) {
	line := series{"series", name, make([]time.Duration, len(values))} // an empty series is a list, too
	for i, value := range values {
		line.Values[i] = max(value, 0)
	}
	r.write(line)
}

// Hold announces a point at which the process is to be looked at, and waits for a line on stdin.
// The clocks of the iteration stand still meanwhile.
func (r *Run) Hold(point string, units int) {
	r.Trace.Record(Held, -1)
	start := now()
	r.announce(hold{Type: "hold", Point: point, Units: units})
	r.held = r.held.plus(now().since(start))
}

// Serving announces that connections to a port of 127.0.0.1 are accepted, and waits for the line on stdin that ends the service.
func (r *Run) Serving(port int) {
	r.announce(hold{Type: "hold", Point: "serving", Port: port})
}

func (r *Run) announce(h hold) {
	r.write(h)
	r.flush()
	if _, err := r.in.ReadString('\n'); err != nil {
		Fail(1, "hold %s: stdin: %v", h.Point, err)
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
	endProfile()
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
