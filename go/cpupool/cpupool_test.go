package cpupool

import (
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// always is a slice that is over at every checkpoint, never one that is over at none.
const (
	always = 0
	never  = time.Hour
)

func newPool(t *testing.T, places int, slice time.Duration) *Pool {
	t.Helper()
	pool, err := New(places, slice)
	if err != nil {
		t.Fatal(err)
	}
	return pool
}

// waiting is the number of jobs that wait for a place.
func (p *Pool) waiting() int {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return len(p.fresh) + len(p.begun)
}

func until(condition func() bool) {
	for !condition() {
		runtime.Gosched()
	}
}

func TestPlaces(t *testing.T) {
	for processors, want := range map[int]int{1: 1, 2: 2, 3: 3, 4: 3, 8: 6, 16: 12} {
		if got := Places(processors); got != want {
			t.Errorf("%d processors: got %d", processors, got)
		}
	}
}

func TestNoMoreJobsRunThanThereArePlaces(t *testing.T) {
	const places, jobs = 3, 50
	pool := newPool(t, places, always)
	var running, most, done atomic.Int64
	var ended sync.WaitGroup
	for range jobs {
		ended.Go(func() {
			pool.Do(func(checkpoint func()) {
				for range 20 {
					now := running.Add(1)
					for seen := most.Load(); now > seen && !most.CompareAndSwap(seen, now); seen = most.Load() {
					}
					runtime.Gosched()
					running.Add(-1)
					checkpoint()
				}
				done.Add(1)
			})
		})
	}
	ended.Wait()
	if most.Load() > places || done.Load() != jobs {
		t.Errorf("%d jobs ran at once, %d were done", most.Load(), done.Load())
	}
	if pool.free != places || pool.waiting() != 0 {
		t.Errorf("%d places free at the end, %d jobs waiting", pool.free, pool.waiting())
	}
}

func TestNewJobsComeFirst(t *testing.T) {
	pool := newPool(t, 1, always)
	var order []string
	var ended sync.WaitGroup
	start := func(name string, checkpoints int) {
		before := pool.waiting()
		ended.Go(func() {
			pool.Do(func(checkpoint func()) {
				for range checkpoints {
					order = append(order, name)
					checkpoint()
				}
				order = append(order, name+" ends")
			})
		})
		until(func() bool { return pool.waiting() > before })
	}
	pool.Do(func(checkpoint func()) {
		start("first", 2)
		start("second", 1)
		checkpoint() // first runs, and second at its checkpoint: both are new
		order = append(order, "third comes")
		start("third", 0)
	})
	ended.Wait()
	want := []string{"first", "second", "third comes", "third ends", "first", "second ends", "first ends"}
	if !reflect.DeepEqual(order, want) {
		t.Errorf("got %q", order)
	}
}

func TestAJobKeepsItsPlaceWithinItsSlice(t *testing.T) {
	pool := newPool(t, 1, never)
	var ended sync.WaitGroup
	late := false
	pool.Do(func(checkpoint func()) {
		ended.Go(func() { pool.Do(func(func()) { late = true }) })
		until(func() bool { return pool.waiting() == 1 })
		checkpoint()
		if late {
			t.Error("the place was handed over before the slice was over")
		}
	})
	ended.Wait()
	if !late {
		t.Error("the job that waited never ran")
	}
}

func TestAPanicLeavesItsPlace(t *testing.T) {
	pool := newPool(t, 1, always)
	func() {
		defer func() { recover() }()
		pool.Do(func(func()) { panic("planted") })
	}()
	ran := false
	pool.Do(func(func()) { ran = true })
	if !ran {
		t.Error("the next job did not run")
	}
}

// someoneWaitsForTheNetwork reads it from the runtime's own listing: a goroutine can be on its way there for as long as its thread
// has no CPU.
func someoneWaitsForTheNetwork() bool {
	listing := make([]byte, 1<<16)
	return strings.Contains(string(listing[:runtime.Stack(listing, true)]), "[IO wait")
}

func TestCheckpointsLetTheNetworkIn(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	const few = 100 // one is enough, but where the caller is preempted in the middle of it; with runtime.Gosched it takes thousands
	bell, err := newDoorbell()
	if err != nil {
		t.Fatal(err)
	}
	var arrived atomic.Bool
	go func() {
		must(bell.read.Read, make([]byte, 1))
		arrived.Store(true)
	}()
	until(someoneWaitsForTheNetwork)
	newPool(t, 1, always).Do(func(checkpoint func()) {
		must(bell.write.Write, []byte{1})
		for range few {
			checkpoint()
		}
		if !arrived.Load() {
			t.Errorf("what had arrived was not delivered at %d checkpoints", few)
		}
	})
}
