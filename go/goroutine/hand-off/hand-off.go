// Hand-off lets two goroutines pass a token to each other: a ring of two.
package main

import (
	"corobench/goroutine/token"
	"corobench/harness"
)

func main() {
	run := harness.Begin("hand-off", "m")
	token.Measure(run, 2, run.Int("m"))
	run.End()
}
