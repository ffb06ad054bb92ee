package harness

import (
	"reflect"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	got, err := parse([]string{"k=2", "iterations=40", "m=500", "min_warm_ms=20", "trace=1", "count=1", "nonce=7"}, Keys{Integers: []string{"k", "m"}, Countable: true})
	want := arguments{iterations: 40, minWarmMs: 20, trace: true, nonce: 7, parameters: map[string]any{"k": 2, "m": 500, "count": 1}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestParseDefaults(t *testing.T) {
	got, err := parse([]string{"n=7"}, Keys{Integers: []string{"n"}})
	want := arguments{iterations: 1, parameters: map[string]any{"n": 7}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestParseWords(t *testing.T) {
	keys := Keys{Integers: []string{"n"}, Words: map[string][]string{"wait": {"timer", "peer"}}}
	got, err := parse([]string{"wait=peer", "n=7", "peer=40123"}, keys)
	want := arguments{iterations: 1, peer: 40123, parameters: map[string]any{"wait": "peer", "n": 7}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
	for words, message := range map[string]string{
		"n=7":            "wait is missing",
		"n=7 wait=sleep": "wait=sleep: must be one of timer, peer",
		"n=7 peer=0":     "peer=0: must be an integer of at least 1",
	} {
		if _, err := parse(strings.Fields(words), keys); err == nil || err.Error() != message {
			t.Errorf("%q: got %v, want %s", words, err, message)
		}
	}
}

func TestParseErrors(t *testing.T) {
	keys := Keys{Integers: []string{"n"}}
	for words, message := range map[string]string{
		"":                      "n is missing",
		"n":                     `"n" is not key=value`,
		"n=1 n=2":               "n is given twice",
		"n=0":                   "n=0: must be an integer of at least 1",
		"n=1.5":                 "n=1.5: must be an integer of at least 1",
		"n=1 iterations=0":      "iterations=0: must be an integer of at least 1",
		"n=1 min_warm_ms=-1":    "min_warm_ms=-1: must be an integer of at least 0",
		"n=1 trace=yes":         "trace=yes: must be 0 or 1",
		"n=1 nonce=-1":          "nonce=-1: must be an integer of at least 0",
		"n=1 nonce=x":           "nonce=x: must be an integer of at least 0",
		"n=1 count=1":           `unknown key "count"`,
		"n=1 m=1":               `unknown key "m"`,
		"n=9999999999999999999": "n=9999999999999999999: must be an integer of at least 1",
	} {
		_, err := parse(strings.Fields(words), keys)
		if err == nil || err.Error() != message {
			t.Errorf("%q: got %v, want %s", words, err, message)
		}
	}
}
