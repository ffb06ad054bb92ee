package token

import "testing"

func TestATokenPassesTasksThatWaitForIt(t *testing.T) {
	r := park(5, 3, nil)
	for i, received := range r.received {
		if received != 0 {
			t.Errorf("task %d has received %d tokens, and none was sent", i, received)
		}
	}
	if got, want := r.pass(1_000_000), (evidence{Finished: 5, Messages: 15, Checksum: 1_000_015}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
