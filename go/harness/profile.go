//go:build profile

package harness

import (
	"os"
	"runtime/pprof"
)

// A program that is built with the tag profile leaves a CPU profile beside itself, <program>.pgo, for a build that is guided by it.
func init() {
	file, err := os.Create(os.Args[0] + ".pgo")
	if err != nil {
		Fail(1, "%v", err)
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		Fail(1, "%v", err)
	}
}

func endProfile() { pprof.StopCPUProfile() }
