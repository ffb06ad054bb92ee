package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// series is one line of output: a benchmark's samples, each in nanoseconds for one operation of the workload.
type series struct {
	Workload string         `json:"workload"`
	Params   map[string]int `json:"params"`
	Harness  string         `json:"harness"`
	PerOpNs  []float64      `json:"per_op_ns"`
}

// sample is one benchmark line: the time of a benchmark operation, and how many of the workload's operations it holds.
type sample struct {
	name             string
	params           map[string]int
	nanoseconds, ops float64
}

// name matches "BenchmarkSwitch/k=2,m=500-8"; the number at the end is GOMAXPROCS, and is left out where that is 1.
var name = regexp.MustCompile(`^Benchmark\w+/([^-]+)(-\d+)?$`)

// parse reads a line of the Go benchmark format (https://go.dev/design/14313-benchmark-format);
// ok is false for a line of another kind.
func parse(line string) (s sample, ok bool, err error) {
	fields := strings.Fields(line)
	if len(fields) < 4 || !strings.HasPrefix(line, "Benchmark") {
		return s, false, nil
	}
	match := name.FindStringSubmatch(fields[0])
	if match == nil {
		return s, false, fmt.Errorf("no parameters in %q", fields[0])
	}
	s = sample{name: match[1], params: map[string]int{}}
	for _, pair := range strings.Split(match[1], ",") {
		key, text, _ := strings.Cut(pair, "=")
		if s.params[key], err = strconv.Atoi(text); err != nil {
			return s, false, fmt.Errorf("%q: %w", line, err)
		}
	}
	for i := 2; i+1 < len(fields); i += 2 {
		value, err := strconv.ParseFloat(fields[i], 64)
		if err != nil {
			return s, false, fmt.Errorf("%q: %w", line, err)
		}
		switch fields[i+1] {
		case "ns/op":
			s.nanoseconds = value
		case "ops":
			s.ops = value
		}
	}
	if s.nanoseconds <= 0 || s.ops <= 0 {
		return s, false, fmt.Errorf("%q has no ns/op or no ops", line)
	}
	return s, true, nil
}
