package harness

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Keys are the parameters of a workload. All of them must be given, but for count.
type Keys struct {
	Integers  []string            // at least 1
	Words     map[string][]string // one of the words listed
	Countable bool                // takes count=1, too
}

// all returns the names of the parameters that must be given.
func (k Keys) all() []string {
	return append(slices.Sorted(maps.Keys(k.Words)), k.Integers...)
}

// arguments are the key=value words of the command line: what the harness takes for itself, and the workload's parameters.
type arguments struct {
	iterations int
	minWarmMs  int
	trace      bool
	nonce      int            // of the first iteration
	peer       int            // the companion's port; 0 where none was given
	parameters map[string]any // int or string; with count=1, where it was given
}

func parse(words []string, keys Keys) (arguments, error) {
	a := arguments{iterations: 1, parameters: map[string]any{}}
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
		if err := a.set(key, text, keys); err != nil {
			return a, err
		}
	}
	for _, key := range keys.all() {
		if !seen[key] {
			return a, fmt.Errorf("%s is missing", key)
		}
	}
	return a, nil
}

func (a *arguments) set(key, text string, keys Keys) (err error) {
	switch {
	case key == "iterations":
		a.iterations, err = integer(key, text, 1)
	case key == "min_warm_ms":
		a.minWarmMs, err = integer(key, text, 0)
	case key == "trace":
		var given int
		given, err = flag(key, text)
		a.trace = given == 1
	case key == "nonce":
		a.nonce, err = integer(key, text, 0)
	case key == "peer":
		a.peer, err = integer(key, text, 1)
	case key == "count" && keys.Countable:
		a.parameters[key], err = flag(key, text)
	case slices.Contains(keys.Integers, key):
		a.parameters[key], err = integer(key, text, 1)
	case keys.Words[key] != nil:
		a.parameters[key], err = word(key, text, keys.Words[key])
	default:
		err = fmt.Errorf("unknown key %q", key)
	}
	return err
}

func word(key, text string, known []string) (string, error) {
	if !slices.Contains(known, text) {
		return "", fmt.Errorf("%s=%s: must be one of %s", key, text, strings.Join(known, ", "))
	}
	return text, nil
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
