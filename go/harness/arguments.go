package harness

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// arguments are the key=value words of the command line: what the harness takes for itself, and the workload's parameters.
type arguments struct {
	iterations int
	minWarmMs  int
	trace      bool
	parameters map[string]int // with count=1, where it was given
}

// parse reads the words; every key in required must be there, and count only where the workload has it.
func parse(words, required []string, countable bool) (arguments, error) {
	a := arguments{iterations: 1, parameters: map[string]int{}}
	seen := map[string]bool{}
	for _, word := range words {
		key, text, found := strings.Cut(word, "=")
		if !found {
			return a, fmt.Errorf("%q is not key=value", word)
		}
		if seen[key] {
			return a, fmt.Errorf("%s is given twice", key)
		}
		seen[key] = true
		if err := a.set(key, text, required, countable); err != nil {
			return a, err
		}
	}
	for _, key := range required {
		if !seen[key] {
			return a, fmt.Errorf("%s is missing", key)
		}
	}
	return a, nil
}

func (a *arguments) set(key, text string, required []string, countable bool) (err error) {
	switch {
	case key == "iterations":
		a.iterations, err = integer(key, text, 1)
	case key == "min_warm_ms":
		a.minWarmMs, err = integer(key, text, 0)
	case key == "trace":
		var given int
		given, err = flag(key, text)
		a.trace = given == 1
	case key == "count" && countable:
		a.parameters[key], err = flag(key, text)
	case slices.Contains(required, key):
		a.parameters[key], err = integer(key, text, 1)
	default:
		err = fmt.Errorf("unknown key %q", key)
	}
	return err
}

func integer(key, text string, least int) (int, error) {
	value, err := strconv.Atoi(text)
	if err != nil || value < least {
		return 0, fmt.Errorf("%s=%s: must be an integer of at least %d", key, text, least)
	}
	return value, nil
}

func flag(key, text string) (int, error) {
	value, err := strconv.Atoi(text)
	if err != nil || value < 0 || value > 1 {
		return 0, fmt.Errorf("%s=%s: must be 0 or 1", key, text)
	}
	return value, nil
}
