package main

import (
	"reflect"
	"testing"
	"time"
)

// requests are two that overlap and one that comes when the first has ended.
var requests = []request{
	{0, 1, 10, []piece{{1, 3, 2, 2}, {8, 10, 2, 1}}},
	{2, 3, 14, []piece{{3, 5, 2, 2}, {12, 14, 2, 2}}},
	{10, 10, 16, []piece{{10, 12, 2, 3}, {14, 16, 2, 2}}},
}

func TestAccount(t *testing.T) {
	want := evidence{Finished: 3, Pieces: 6, AskedNs: 12, WorkedNs: 12, MostAlive: 2, SteadyOps: 2, SteadyNs: 7, SteadyAliveNs: 9}
	if got := account(requests, window{make([]*request, 2), 7, 9}); got != want {
		t.Errorf("got %+v", got)
	}
}

func TestTimelineOfTheLongestRequest(t *testing.T) {
	want := []time.Duration{1, 1, 3, 1, 10, 12, 0, 0, 1, 0, 6, 8, 2, 8, 10}
	if got := timeline(requests, []*request{&requests[2], &requests[1], &requests[0]}); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
}

func TestTimelineIsCut(t *testing.T) {
	many := []request{{0, 0, 1000, nil}}
	for at := range time.Duration(1000) {
		many[0].pieces = append(many[0].pieces, piece{at, at + 1, 1, 1})
	}
	if got := len(timeline(many, []*request{&many[0]})); got != mostNumbers {
		t.Errorf("%d numbers", got)
	}
}

// Two chains whose requests end by turns: the last is started by the end at 80, and two rounds before it are whole.
func TestSteadyIsWholeRoundsUntilTheLastStart(t *testing.T) {
	var ended []request
	for i := range time.Duration(10) {
		ended = append(ended, request{arrival: 10 * max(i-1, 0), end: 10 * (i + 1)})
	}
	got := steady(ended, 2)
	if want := []*request{&ended[4], &ended[5], &ended[6], &ended[7]}; got.length != 40 || got.alive != 80 || !reflect.DeepEqual(got.requests, want) {
		t.Errorf("got %+v", got)
	}
	if got := steady(ended[:6], 2); got.requests != nil || got.length != 0 {
		t.Errorf("a window of %+v where there is no whole round", got)
	}
}

func TestSplitLosesNothing(t *testing.T) {
	want := []time.Duration{3, 3, 4}
	if got := split(10, 3); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
}
