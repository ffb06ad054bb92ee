package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// asProgram is set in the environment where the test's binary is to be the program.
const asProgram = "COROBENCH_TEST_AS_PROGRAM"

// socketCalls are what the socket of any runtime is read and written by.
var socketCalls = []string{"read", "readv", "recvfrom", "recvmsg", "write", "writev", "sendto", "sendmsg"}

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// strace is where the tool lies; without it the test is skipped, and fails in CI.
func strace(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("strace")
	if err != nil {
		give := t.Skip
		if os.Getenv("CI") != "" {
			give = t.Fatal
		}
		give("strace is not installed: the system calls are not counted; apt install strace")
	}
	return path
}

// calls returns how many of the socket's calls an iteration of m round trips makes, those of the start and the end included.
func calls(t *testing.T, strace string, m int) (made int) {
	t.Helper()
	table := filepath.Join(t.TempDir(), "calls")
	program := exec.Command(strace, "-f", "-c", "-o", table, "-e", "trace="+strings.Join(socketCalls, ","),
		os.Args[0], "m="+strconv.Itoa(m), "iterations=1")
	program.Env = append(os.Environ(), asProgram+"=1", "COROBENCH_RUNTIME=go")
	if output, err := program.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	text, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) == 0 || !slices.Contains(socketCalls, fields[len(fields)-1]) {
			continue
		}
		count, err := strconv.Atoi(fields[3])
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		made += count
	}
	return made
}

// What the kernel was asked for can't be claimed, and is free of noise.
func TestEachByteGoesThroughTheKernel(t *testing.T) {
	const startsDifferBy = 20
	tool := strace(t)
	few, many := calls(t, tool, 100), calls(t, tool, 600)
	if many-few < 500*4-startsDifferBy {
		t.Errorf("500 more round trips made %d more calls; each is two bytes, and each byte is written and read", many-few)
	}
}
