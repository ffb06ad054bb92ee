// Baseline calls the task's body as a plain function: what the language costs without tasks.
package main

import "corobench/harness"

type evidence struct {
	Finished int `json:"finished"`
	Checksum int `json:"checksum"`
}

// body is kept as a call: inlined, the loop would be a formula.
//
//go:noinline
func body(i int) int {
	return i
}

// call calls it with the numbers from first on.
func call(first, n int) evidence {
	var e evidence
	for i := first; i < first+n; i++ {
		e.Checksum += body(i)
		e.Finished++
	}
	return e
}

func main() {
	run := harness.Begin("baseline", "n")
	n := run.Int("n")
	harness.Repeat(run, func() (int, evidence) {
		e := call(run.Nonce(), n)
		return e.Finished, e
	}, func(e evidence) bool {
		return e == evidence{Finished: n, Checksum: n*run.Nonce() + n*(n-1)/2}
	})
	run.End()
}
