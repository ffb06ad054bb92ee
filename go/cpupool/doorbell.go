package cpupool

import (
	"os"
	"runtime"
)

// A doorbell is a pipe to oneself, through which a goroutine waits in the network poller for as short as possible.
//
// A goroutine that calls runtime.Gosched stays ready to run, and while any is, the scheduler does not ask the kernel what has
// arrived: its monitor does, every 10 ms (src/runtime/proc.go, findRunnable and sysmon). One that waits for the poller leaves its
// processor without work, unless others are ready; then these run, and when they are through the scheduler polls.
type doorbell struct {
	read, write *os.File
}

func newDoorbell() (doorbell, error) {
	read, write, err := os.Pipe()
	return doorbell{read, write}, err
}

// wait returns when everything that was ready has run and the network has been looked at.
// A goroutine of its own rings, because it runs once the caller waits; on another, idle processor it may ring at once.
func (b doorbell) wait() {
	go must(b.write.Write, []byte{1})
	must(b.read.Read, make([]byte, 1))
	runtime.Gosched() // the poller delivers the caller with others, in an order of its own
}

// must panics where the kernel refuses what a pipe within a process always allows.
func must(transfer func([]byte) (int, error), buffer []byte) {
	if _, err := transfer(buffer); err != nil {
		panic(err)
	}
}
