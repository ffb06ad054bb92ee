// Channel lets p goroutines send to c others through one buffered channel.
package main

import (
	"sync"

	"corobench/harness"
)

type evidence struct {
	Finished int `json:"finished"`
	Messages int `json:"messages"`
	Most     int `json:"most"`
	Checksum int `json:"checksum"`
}

// received is what a consumer got.
type received struct {
	messages, sum int
}

// produce sends m messages, the first of this number, as task i.
func produce(i, first, m int, queue chan<- int, trace *harness.Trace) (sent int) {
	for message := first; message < first+m; message++ {
		queue <- message
		trace.Record(harness.Ran, i)
		sent++
	}
	return sent
}

// consume receives until the channel is closed, as task i.
func consume(i int, queue <-chan int, trace *harness.Trace) (r received) {
	for message := range queue {
		trace.Record(harness.Ran, i)
		r.messages++
		r.sum += message
	}
	return r
}

func pass(p, c, b, m, nonce int, trace *harness.Trace) evidence {
	queue := make(chan int, b)
	sent, got := make([]int, p), make([]received, c)
	var producers, consumers sync.WaitGroup
	producers.Add(p)
	for i := range p {
		trace.Record(harness.Spawn, i)
		go func() {
			defer producers.Done()
			trace.Record(harness.Ran, i)
			sent[i] = produce(i, nonce+i*m, m, queue, trace)
			trace.Record(harness.Done, i)
		}()
		trace.Record(harness.Spawned, i)
	}
	consumers.Add(c)
	for j := range c {
		trace.Record(harness.Spawn, p+j)
		go func() {
			defer consumers.Done()
			trace.Record(harness.Ran, p+j)
			got[j] = consume(p+j, queue, trace)
			trace.Record(harness.Done, p+j)
		}()
		trace.Record(harness.Spawned, p+j)
	}
	producers.Wait()
	close(queue)
	consumers.Wait()

	e := evidence{Finished: c}
	for _, messages := range sent {
		if messages == m {
			e.Finished++
		}
	}
	for _, r := range got {
		e.Messages += r.messages
		e.Most = max(e.Most, r.messages)
		e.Checksum += r.sum
	}
	return e
}

func main() {
	run := harness.Begin("channel", "p", "c", "b", "m")
	p, c, b, m := run.Int("p"), run.Int("c"), run.Int("b"), run.Int("m")
	harness.Repeat(run, func() (int, evidence) {
		e := pass(p, c, b, m, run.Nonce(), run.Trace)
		return e.Messages, e
	}, func(e evidence) bool {
		return e == evidence{Finished: p + c, Messages: p * m, Most: e.Most, Checksum: p*m*run.Nonce() + p*m*(p*m-1)/2}
	})
	run.End()
}
