package main

import "testing"

func TestEachMessageIsReceivedOnce(t *testing.T) {
	got := pass(3, 4, 2, 10, 1_000_000, nil)
	want := evidence{Finished: 7, Messages: 30, Most: got.Most, Checksum: 30*1_000_000 + 435}
	if got != want || got.Most < 8 || got.Most > 30 {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
