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
	want := evidence{Finished: 3, Pieces: 6, AskedNs: 12, WorkedNs: 12, MostAlive: 2}
	if got := account(requests); got != want {
		t.Errorf("got %+v", got)
	}
}

func TestTimelineOfTheLongestRequest(t *testing.T) {
	want := []time.Duration{1, 1, 3, 1, 10, 12, 0, 0, 1, 0, 6, 8, 2, 8, 10}
	if got := timeline(requests); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
}

func TestTimelineIsCut(t *testing.T) {
	many := []request{{0, 0, 1000, nil}}
	for at := range time.Duration(1000) {
		many[0].pieces = append(many[0].pieces, piece{at, at + 1, 1, 1})
	}
	if got := len(timeline(many)); got != mostNumbers {
		t.Errorf("%d numbers", got)
	}
}

func TestSplitLosesNothing(t *testing.T) {
	want := []time.Duration{3, 3, 4}
	if got := split(10, 3); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
}
