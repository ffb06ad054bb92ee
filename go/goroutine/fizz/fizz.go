// Package fizz is what fizzbuzz and fizzbuzz-sleep share: the step of a task.
package fizz

import "strconv"

// fizzbuzz is Fizz for multiples of 3, Buzz for those of 5, FizzBuzz for those of both, and the number in digits otherwise.
func fizzbuzz(v int) string {
	switch {
	case v%15 == 0:
		return "FizzBuzz"
	case v%5 == 0:
		return "Buzz"
	case v%3 == 0:
		return "Fizz"
	default:
		return strconv.Itoa(v)
	}
}

// Step is what one step adds to a task's sum. The text is consumed, so that it must be made.
func Step(v int) int {
	text := fizzbuzz(v)
	return 31*len(text) + int(text[0])
}
