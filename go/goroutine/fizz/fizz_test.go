package fizz

import "testing"

func TestFizzbuzz(t *testing.T) {
	for v, want := range map[int]string{0: "FizzBuzz", 1: "1", 3: "Fizz", 5: "Buzz", 9: "Fizz", 10: "Buzz", 30: "FizzBuzz", 98: "98"} {
		if got := fizzbuzz(v); got != want {
			t.Errorf("%d: got %s, want %s", v, got, want)
		}
	}
}

func TestSumOfTheSteps(t *testing.T) {
	sum := 0
	for task := range 100_000 {
		for x := range 10 {
			sum += Step(task + x)
		}
	}
	if sum != 207366715 {
		t.Errorf("got %d", sum)
	}
}
