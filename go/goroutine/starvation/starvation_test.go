package main

import (
	"sync"
	"testing"
	"time"
)

func TestProbesThatAreNotAnsweredAreAsLateAsTheyAre(t *testing.T) {
	p := newProbes(3, time.Second, time.Millisecond)
	p.first = time.Now().Add(-10 * time.Second)
	p.answer(1, p.first.Add(1500*time.Millisecond))
	if answered := p.close(); answered != 1 {
		t.Errorf("%d answered", answered)
	}
	p.answer(0, p.first)
	if p.late[0] < 9*time.Second || p.late[1] != 499*time.Millisecond || p.late[2] < 7*time.Second {
		t.Errorf("got %v", p.late)
	}
}

func TestRemediesThatSmallTasksCanBeGivenTo(t *testing.T) {
	for mode, want := range map[string]bool{"idle": false, "naive": false, "gosched": false, "semaphore": true, "pool": true} {
		run, pooled := scene(mode)
		if pooled != want || (run == nil) != (mode == "idle") {
			t.Errorf("%s: a remedy %t, pooled %t", mode, run != nil, pooled)
		}
		if pooled {
			done := false
			if run(func(func()) { done = true }); !done {
				t.Errorf("%s: a small task was not run", mode)
			}
		}
	}
}

func TestProbesAreCompleteWhenAllAreAnswered(t *testing.T) {
	p := newProbes(5, time.Microsecond, 0)
	var sent sync.WaitGroup
	sent.Add(5)
	p.start(sent.Done)
	<-p.complete
	sent.Wait()
	if answered := p.close(); answered != 5 {
		t.Errorf("%d answered", answered)
	}
	<-newProbes(0, 0, 0).complete
}

func TestTheLoadCountsUntilItIsStopped(t *testing.T) {
	l := &load{pace: 1, job: 2*slice + 1}
	checkpoints := 0
	l.work(func() { checkpoints++ })
	if l.count(tally{Jobs: 1}); checkpoints != 3 || l.done.AskedNs != l.job || l.done.WorkedNs <= 0 {
		t.Errorf("%d checkpoints, %+v", checkpoints, l.done)
	}
	at := l.stop()
	l.work(func() { t.Error("worked on") })
	if l.done != at || at.Jobs != 1 {
		t.Errorf("%+v, then %+v", at, l.done)
	}
}
