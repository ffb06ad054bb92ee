package harness

import (
	"encoding/json"
	"runtime"
	"strings"
	"sync"
)

// The kinds of event; docs/contract.md says when each is recorded.
const (
	Spawn   = "spawn"
	Spawned = "spawned"
	Ran     = "run"
	Park    = "park"
	Ask     = "ask"
	Enter   = "enter"
	Leave   = "leave"
	Open    = "open"
	Close   = "close"
	Fails   = "fail"
	Held    = "hold"
	Done    = "done"
	Collect = "collect"
)

// A Trace records what happened, in the order in which it happened. A nil Trace records nothing.
type Trace struct {
	mutex  sync.Mutex
	events []event
	open   int // events still to come for the tasks that were about to be started: spawned and done of each
	next   int // the number that SpawnNext gives
}

type event struct {
	kind string
	task int
	unit string
}

// MarshalJSON writes [kind, task, unit].
func (e event) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{e.kind, e.task, e.unit})
}

// Record adds an event of a task. It is inlined, so that without a trace it is one comparison with nil:
// a branch that the same program takes in every run, and too cheap to be seen beside a scheduler's work (NOTES.md).
func (t *Trace) Record(kind string, task int) {
	if t != nil {
		t.add(kind, task)
	}
}

func (t *Trace) add(kind string, task int) {
	e := event{kind, task, goroutine()}
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.append(e)
}

// SpawnNext records Spawn for a task that is numbered by the order of starting, where several tasks start others, and returns
// its number. Without a trace it is inlined to 0: nobody asks for the numbers then, and a counter that all Ps share would be timed.
func (t *Trace) SpawnNext() (task int) {
	if t == nil {
		return 0
	}
	return t.addNext()
}

func (t *Trace) addNext() (task int) {
	unit := goroutine()
	t.mutex.Lock()
	defer t.mutex.Unlock()
	task = t.next
	t.next++
	t.append(event{Spawn, task, unit})
	return task
}

// append must be called with the mutex held.
func (t *Trace) append(e event) {
	t.events = append(t.events, e)
	switch e.kind {
	case Spawn:
		t.open += 2
	case Spawned, Done, Fails:
		t.open--
	}
}

// settled returns the events once all are there: in a chain, the root may be woken before the last but one task
// has recorded that its start call returned.
func (t *Trace) settled() []event {
	for {
		t.mutex.Lock()
		if t.open == 0 {
			defer t.mutex.Unlock()
			return t.events
		}
		t.mutex.Unlock()
		runtime.Gosched()
	}
}

// goroutine is the running goroutine's identity as the runtime prints it ("goroutine 18 [running]: ..."):
// Go has no other way to ask. Numbers are never used twice.
func goroutine() string {
	var buffer [64]byte
	text := string(buffer[:runtime.Stack(buffer[:], false)])
	name, _, _ := strings.Cut(text, " [")
	return name
}
