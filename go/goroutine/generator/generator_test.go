package main

import (
	"iter"
	"slices"
	"testing"
)

func TestEachResumeAddsOneToTheNonce(t *testing.T) {
	if got, want := resume(3, 1_000_000, nil), (evidence{Finished: 1, Checksum: 1_000_003}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestTheCoroutineAnswersWhatItWasSent(t *testing.T) {
	sent := 7
	next, stop := iter.Pull(adder(2, &sent, nil))
	defer stop()
	var got []int
	for value, ok := next(); ok; value, ok = next() {
		got = append(got, value)
		sent = 10 * value
	}
	if want := []int{7, 71}; !slices.Equal(got, want) || sent != 711 {
		t.Errorf("got %v and %d at the end, want %v and 711", got, sent, want)
	}
}
