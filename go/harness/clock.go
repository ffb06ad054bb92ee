package harness

import (
	"syscall"
	"time"
	"unsafe"
)

// A cpuClock is a clock of <time.h> that counts user and system time.
type cpuClock uintptr

const (
	processCPU cpuClock = 2 // CLOCK_PROCESS_CPUTIME_ID: all threads
	threadCPU  cpuClock = 3 // CLOCK_THREAD_CPUTIME_ID: the calling thread
)

// read asks the kernel. getrusage would do for the process, but rounds to microseconds.
func (c cpuClock) read() time.Duration {
	var t syscall.Timespec
	_, _, errno := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, uintptr(c), uintptr(unsafe.Pointer(&t)), 0)
	if errno != 0 {
		Fail(1, "clock_gettime: %v", errno)
	}
	return time.Duration(t.Nano())
}

// A moment is what the clocks of a region show, or a difference of two such: time since the program began, and the process's CPU time.
type moment struct {
	elapsed, cpu time.Duration
}

var began = time.Now()

func now() moment {
	return moment{time.Since(began), processCPU.read()}
}

func (m moment) since(earlier moment) moment {
	return moment{m.elapsed - earlier.elapsed, m.cpu - earlier.cpu}
}

func (m moment) plus(more moment) moment {
	return moment{m.elapsed + more.elapsed, m.cpu + more.cpu}
}
