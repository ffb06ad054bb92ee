package harness

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"
)

func TestTraceTellsGoroutinesApart(t *testing.T) {
	trace := new(Trace)
	ended := make(chan struct{})
	trace.Record(Spawn, 0)
	go func() {
		trace.Record(Ran, 0)
		trace.Record(Done, 0)
		close(ended)
	}()
	<-ended
	trace.Record(Spawned, 0)
	events := trace.settled()
	if len(events) != 4 || events[1].unit != events[2].unit || events[0].unit == events[1].unit {
		t.Errorf("got %v", events)
	}
	if !strings.HasPrefix(events[0].unit, "goroutine ") || strings.ContainsAny(events[0].unit, "[:") {
		t.Errorf("unit %q", events[0].unit)
	}
}

func TestSettledWaitsForTheLastTask(t *testing.T) {
	trace := new(Trace)
	trace.Record(Spawn, 0)
	go func() { trace.Record(Done, 0) }()
	go func() { trace.Record(Spawned, 0) }()
	if events := trace.settled(); len(events) != 3 {
		t.Errorf("got %v", events)
	}
}

func TestEventIsATriple(t *testing.T) {
	text, err := json.Marshal(event{Ran, 3, "goroutine 18"})
	if err != nil || string(text) != `["run",3,"goroutine 18"]` {
		t.Errorf("got %s, %v", text, err)
	}
}

func TestNilTraceRecordsNothing(t *testing.T) {
	var trace *Trace
	if n := testing.AllocsPerRun(10, func() { trace.Record(Ran, 0) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestSpawnNextNumbersInTheOrderOfStarting(t *testing.T) {
	trace := new(Trace)
	const starters, each = 4, 50
	var ended sync.WaitGroup
	for range starters {
		ended.Go(func() {
			for range each {
				trace.SpawnNext()
			}
		})
	}
	ended.Wait()
	for i, event := range trace.events {
		if event.kind != Spawn || event.task != i {
			t.Fatalf("event %d: %v", i, event)
		}
	}
	if len(trace.events) != starters*each || trace.open != 2*starters*each {
		t.Errorf("%d events, %d open", len(trace.events), trace.open)
	}
}

func TestNilTraceGivesNoNumbers(t *testing.T) {
	var trace *Trace
	if first, second := trace.SpawnNext(), trace.SpawnNext(); first != 0 || second != 0 {
		t.Errorf("got %d, then %d", first, second)
	}
}
