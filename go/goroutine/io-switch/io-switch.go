// Io-switch lets two goroutines pass a byte to and fro over a socket pair, each waiting for it in the network poller.
package main

import (
	"net"
	"os"
	"sync"
	"syscall"

	"corobench/harness"
)

type evidence struct {
	Finished int `json:"finished"`
	Messages int `json:"messages"`
}

// pair makes two connected stream sockets. FileConn puts them into non-blocking mode and registers them with the poller.
func pair() (conns [2]net.Conn, err error) {
	descriptors, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return conns, os.NewSyscallError("socketpair", err)
	}
	for i, descriptor := range descriptors {
		file := os.NewFile(uintptr(descriptor), "pair")
		defer file.Close() // the connection has a duplicate
		if conns[i], err = net.FileConn(file); err != nil {
			return conns, err
		}
	}
	return conns, nil
}

func send(conn net.Conn, buffer []byte) {
	if _, err := conn.Write(buffer); err != nil {
		harness.Fail(1, "write: %v", err)
	}
}

// receive returns the number of bytes received.
func receive(conn net.Conn, buffer []byte) int {
	n, err := conn.Read(buffer)
	if err != nil {
		harness.Fail(1, "read: %v", err)
	}
	return n
}

// ask is the body of task 0; it returns the number of bytes received.
func ask(conn net.Conn, m int) (received int) {
	buffer := make([]byte, 1)
	for range m {
		send(conn, buffer)
		received += receive(conn, buffer)
	}
	return received
}

// answer is the body of task 1; it returns the number of bytes received.
func answer(conn net.Conn, m int) (received int) {
	buffer := make([]byte, 1)
	for range m {
		received += receive(conn, buffer)
		send(conn, buffer)
	}
	return received
}

func alternate(conns [2]net.Conn, m int, trace *harness.Trace) evidence {
	var e evidence
	var received [2]int
	var tasks sync.WaitGroup
	tasks.Add(2)
	for i, body := range []func(net.Conn, int) int{ask, answer} {
		trace.Record(harness.Spawn, i)
		go func() {
			defer tasks.Done()
			trace.Record(harness.Ran, i)
			received[i] = body(conns[i], m)
			trace.Record(harness.Done, i)
		}()
		trace.Record(harness.Spawned, i)
	}
	tasks.Wait()
	for _, bytes := range received {
		if bytes > 0 {
			e.Finished++
			e.Messages += bytes
		}
	}
	return e
}

func main() {
	run := harness.Begin("io-switch", "m")
	m := run.Int("m")
	conns, err := pair()
	if err != nil {
		harness.Fail(1, "%v", err)
	}
	harness.Repeat(run, func() (int, evidence) {
		e := alternate(conns, m, run.Trace)
		return e.Messages / 2, e
	}, func(e evidence) bool {
		return e == evidence{Finished: 2, Messages: 2 * m}
	})
	run.End()
}
