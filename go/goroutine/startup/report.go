package main

import (
	"os"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

// speak performs the mode and writes the protocol by hand: encoding/json, fmt and the harness would cost the measured
// process their initialisation, whether used or not.
func speak(mode string) {
	cpu, start := cpuTime(), time.Now()
	finished := perform(mode)
	elapsed, cpu := time.Since(start), cpuTime()-cpu

	version := strconv.Quote(goVersion())
	text := `{"type":"hello","protocol":1,"runtime":` + strconv.Quote(os.Getenv("COROBENCH_RUNTIME")) +
		`,"version":` + version + `,"language_version":` + version +
		`,"workload":"startup","params":{"mode":` + strconv.Quote(mode) +
		`},"settings":{"gomaxprocs":` + strconv.Itoa(runtime.GOMAXPROCS(0)) +
		`,"num_cpu":` + strconv.Itoa(runtime.NumCPU()) + "}}\n" +
		`{"type":"iteration","index":0,"elapsed_ns":` + strconv.FormatInt(elapsed.Nanoseconds(), 10) +
		`,"cpu_ns":` + strconv.FormatInt(cpu.Nanoseconds(), 10) +
		`,"ops":1,"evidence":{"finished":` + strconv.Itoa(finished) + "}}\n" +
		`{"type":"end"}` + "\n"
	if _, err := os.Stdout.WriteString(text); err != nil {
		fail(1, "stdout: "+err.Error())
	}
}

// goVersion is "1.26.8" of "go1.26.8 X:experiment"; the harness has the same, and is not imported here.
func goVersion() string {
	name := runtime.Version()
	for i, c := range name {
		if c == ' ' {
			name = name[:i]
			break
		}
	}
	if len(name) > 2 && name[:2] == "go" {
		name = name[2:]
	}
	return name
}

func cpuTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		fail(1, "getrusage: "+err.Error())
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
