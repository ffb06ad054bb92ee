package harness

import (
	"syscall"
	"unsafe"
)

// processCPU is CLOCK_PROCESS_CPUTIME_ID of <time.h>: user and system time of all threads.
const processCPU = 2

// cpuNanoseconds reads the process's CPU time. getrusage would do, but rounds to microseconds.
func cpuNanoseconds() int64 {
	var t syscall.Timespec
	_, _, errno := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, processCPU, uintptr(unsafe.Pointer(&t)), 0)
	if errno != 0 {
		Fail(1, "clock_gettime: %v", errno)
	}
	return t.Nano()
}
