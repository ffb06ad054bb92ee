// Starvation-http serves short requests beside requests that use the CPU, with and without a pool for these.
package main

import (
	"io"
	"net/http"
	"runtime"
	"time"

	"corobench/cpupool"
	"corobench/goroutine/serving"
	"corobench/harness"
)

const (
	slice     = time.Millisecond       // CPU time between two checkpoints, and the pool's time slice
	longWork  = 100 * time.Millisecond // CPU time of a checksum
	smallWork = 100 * time.Microsecond // CPU time of a checksum of a small task
)

// delay answers after 1 ms, when a goroutine that it started signals.
func delay() {
	over := make(chan struct{})
	go func() {
		time.Sleep(time.Millisecond)
		close(over)
	}()
	<-over
}

func handler(pace harness.Pace, pool *cpupool.Pool) http.Handler {
	checksum := func(checkpoint func()) {
		for range longWork / slice {
			pace.Work(slice)
			checkpoint()
		}
	}
	small := func(func()) { pace.Work(smallWork) }
	mux := http.NewServeMux()
	for path, work := range map[string]func(){
		"/delay1ms":                       delay,
		"/checksumWithoutCpuWorker":       func() { checksum(func() {}) },
		"/checksumWithCpuWorker":          func() { pool.Do(checksum) },
		"/checksumSmallTaskWithCpuWorker": func() { pool.Do(small) },
	} {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			work()
			w.Header().Set("Content-Type", "text/plain")
			io.WriteString(w, "done\n") // an error is the client's, who is gone
		})
	}
	return mux
}

func main() {
	run := harness.BeginWith("starvation-http", harness.Keys{
		Words: map[string][]string{"step": {"idle", "naive", "pool", "small"}},
	})
	pool, err := cpupool.New(cpupool.Places(runtime.GOMAXPROCS(0)), slice)
	if err != nil {
		harness.Fail(1, "%v", err)
	}
	serving.Serve(run, handler(harness.Calibrate(), pool))
	run.End()
}
