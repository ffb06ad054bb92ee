// Hand-off lets two goroutines pass a token to each other through unbuffered channels.
package main

import "corobench/harness"

type evidence struct {
	Finished int `json:"finished"`
	Messages int `json:"messages"`
	Checksum int `json:"checksum"`
}

// pass is the body of both tasks; it returns the number of tokens received.
func pass(task, m int, in <-chan int, out chan<- int, trace *harness.Trace) (received int) {
	for range m {
		token := <-in
		trace.Record(harness.Ran, task)
		received++
		out <- token + 1
	}
	trace.Record(harness.Done, task)
	return received
}

func handOff(m int, trace *harness.Trace) evidence {
	toZero, toOne, ended := make(chan int), make(chan int), make(chan int)
	trace.Record(harness.Spawn, 0)
	go func() { ended <- pass(0, m, toZero, toOne, trace) }()
	trace.Record(harness.Spawned, 0)
	trace.Record(harness.Spawn, 1)
	go func() { ended <- pass(1, m, toOne, toZero, trace) }()
	trace.Record(harness.Spawned, 1)

	var e evidence
	toZero <- 0
	e.Messages += <-ended // task 0 ends first: task 1 still has the token, and from here on only the root takes what is sent to 0
	e.Finished++
	e.Checksum = <-toZero
	e.Messages += <-ended
	e.Finished++
	return e
}

func main() {
	run := harness.Begin("hand-off", "m")
	m := run.Int("m")
	harness.Repeat(run, func() (int, evidence) {
		e := handOff(m, run.Trace)
		return e.Messages, e
	}, func(e evidence) bool {
		return e == evidence{Finished: 2, Messages: 2 * m, Checksum: 2 * m}
	})
	run.End()
}
