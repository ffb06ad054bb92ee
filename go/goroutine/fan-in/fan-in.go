// Fan-in lets p goroutines send to one through a buffered channel.
package main

import (
	"sync"

	"corobench/harness"
)

// room is the number of messages that the channel holds, the same in every language.
const room = 128

type evidence struct {
	Finished int `json:"finished"`
	Messages int `json:"messages"`
	Checksum int `json:"checksum"`
}

// produce sends a message m times, and returns the number of messages sent.
func produce(message, m int, queue chan<- int) (sent int) {
	for range m {
		queue <- message
		sent++
	}
	return sent
}

// consume returns the number of messages received, and their sum.
func consume(messages int, queue <-chan int) (received, sum int) {
	for range messages {
		sum += <-queue
		received++
	}
	return received, sum
}

// fanIn lets producer i send nonce+i+1.
func fanIn(p, m, nonce int, trace *harness.Trace) evidence {
	var e evidence
	queue, sent := make(chan int, room), make([]int, p)
	var tasks sync.WaitGroup
	tasks.Add(p + 1)
	for i := range p {
		trace.Record(harness.Spawn, i)
		go func() {
			defer tasks.Done()
			trace.Record(harness.Ran, i)
			sent[i] = produce(nonce+i+1, m, queue)
			trace.Record(harness.Done, i)
		}()
		trace.Record(harness.Spawned, i)
	}
	trace.Record(harness.Spawn, p)
	go func() {
		defer tasks.Done()
		trace.Record(harness.Ran, p)
		e.Messages, e.Checksum = consume(p*m, queue)
		e.Finished++
		trace.Record(harness.Done, p)
	}()
	trace.Record(harness.Spawned, p)

	tasks.Wait()
	for _, messages := range sent {
		if messages > 0 {
			e.Finished++
		}
	}
	return e
}

func main() {
	run := harness.Begin("fan-in", "p", "m")
	p, m := run.Int("p"), run.Int("m")
	harness.Repeat(run, func() (int, evidence) {
		e := fanIn(p, m, run.Nonce(), run.Trace)
		return e.Messages, e
	}, func(e evidence) bool {
		return e == evidence{Finished: p + 1, Messages: p * m, Checksum: m * (p*run.Nonce() + p*(p+1)/2)}
	})
	run.End()
}
