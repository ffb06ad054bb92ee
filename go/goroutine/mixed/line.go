package main

import (
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"strconv"
	"time"

	"corobench/harness"
)

// A line is a chain's connection to the latency server, which sends back after a delay what it was sent.
type line struct {
	conn             net.Conn
	question, answer []byte // the delay in microseconds, big-endian
}

// connect opens a connection for each chain to a port of 127.0.0.1.
func connect(port, chains int, delay time.Duration) []line {
	lines := make([]line, chains)
	for i := range lines {
		conn, err := net.Dial("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err != nil {
			harness.Fail(1, "%v", err)
		}
		question := binary.BigEndian.AppendUint64(nil, uint64(delay.Microseconds()))
		lines[i] = line{conn, question, make([]byte, len(question))}
	}
	return lines
}

func (l line) ask() {
	if _, err := l.conn.Write(l.question); err != nil {
		harness.Fail(1, "%v", err)
	}
	if _, err := io.ReadFull(l.conn, l.answer); err != nil {
		harness.Fail(1, "%v", err)
	}
	if !bytes.Equal(l.answer, l.question) {
		harness.Fail(1, "asked % x, answered % x", l.question, l.answer)
	}
}
