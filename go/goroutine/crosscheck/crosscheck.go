// Crosscheck runs the benchmarks of spawn and switch, built by `go test -c`, and prints what they measured as JSON lines.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

const (
	samples = 15     // a benchmark line each
	least   = "40ms" // at least so long a sample
)

func main() {
	if err := crosscheck(); err != nil {
		fmt.Fprintln(os.Stderr, "crosscheck:", err)
		os.Exit(1)
	}
}

func crosscheck() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	out := json.NewEncoder(os.Stdout)
	for _, workload := range []string{"spawn", "switch"} {
		text, err := bench(filepath.Join(filepath.Dir(self), workload+".test"))
		if err != nil {
			return fmt.Errorf("%s: %w", workload, err)
		}
		series, err := collect(workload, text)
		if err != nil {
			return fmt.Errorf("%s: %w", workload, err)
		}
		for _, s := range series {
			if err := out.Encode(s); err != nil {
				return err
			}
		}
	}
	return nil
}

func bench(program string) ([]byte, error) {
	command := exec.Command(program, "-test.run=^$", "-test.bench=.", "-test.benchtime="+least, fmt.Sprint("-test.count=", samples))
	command.Stderr = os.Stderr
	text, err := command.Output()
	if err != nil {
		os.Stderr.Write(text) // a failed benchmark says why on its stdout
	}
	return text, err
}

// collect groups the samples of each benchmark, in the order of their first lines.
func collect(workload string, text []byte) ([]*series, error) {
	var all []*series
	byName := map[string]*series{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		line, ok, err := parse(lines.Text())
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		s := byName[line.name]
		if s == nil {
			s = &series{Workload: workload, Params: line.params, Harness: "go test -bench"}
			byName[line.name] = s
			all = append(all, s)
		}
		s.PerOpNs = append(s.PerOpNs, line.nanoseconds/line.ops)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no benchmark lines in %q", text)
	}
	return all, lines.Err()
}
