// Ring passes a token around k goroutines.
package main

import (
	"corobench/goroutine/token"
	"corobench/harness"
)

func main() {
	run := harness.Begin("ring", "k", "rounds")
	token.Measure(run, run.Int("k"), run.Int("rounds"))
	run.End()
}
