package harness

import (
	"reflect"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	got, err := parse([]string{"k=2", "iterations=40", "m=500", "min_warm_ms=20", "trace=1", "count=1"}, []string{"k", "m"}, true)
	want := arguments{iterations: 40, minWarmMs: 20, trace: true, parameters: map[string]int{"k": 2, "m": 500, "count": 1}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestParseDefaults(t *testing.T) {
	got, err := parse([]string{"n=7"}, []string{"n"}, false)
	want := arguments{iterations: 1, parameters: map[string]int{"n": 7}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestParseErrors(t *testing.T) {
	for words, message := range map[string]string{
		"":                      "n is missing",
		"n":                     `"n" is not key=value`,
		"n=1 n=2":               "n is given twice",
		"n=0":                   "n=0: must be an integer of at least 1",
		"n=1.5":                 "n=1.5: must be an integer of at least 1",
		"n=1 iterations=0":      "iterations=0: must be an integer of at least 1",
		"n=1 min_warm_ms=-1":    "min_warm_ms=-1: must be an integer of at least 0",
		"n=1 trace=yes":         "trace=yes: must be 0 or 1",
		"n=1 count=1":           `unknown key "count"`,
		"n=1 m=1":               `unknown key "m"`,
		"n=9999999999999999999": "n=9999999999999999999: must be an integer of at least 1",
	} {
		_, err := parse(strings.Fields(words), []string{"n"}, false)
		if err == nil || err.Error() != message {
			t.Errorf("%q: got %v, want %s", words, err, message)
		}
	}
}
