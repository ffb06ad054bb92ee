package main

import (
	"reflect"
	"testing"
)

func TestSamplesAreGroupedAndDividedByOps(t *testing.T) {
	text := "goos: linux\n" +
		"BenchmarkSwitch/k=2,m=500-8   \t 100\t 50000 ns/op\t 1000 ops\n" +
		"BenchmarkSwitch/k=100,m=20-8  \t 100\t 80000 ns/op\t 2000 ops\n" +
		"BenchmarkSwitch/k=2,m=500-8   \t 100\t 60000 ns/op\t 1000 ops\n" +
		"PASS\n"
	all, err := collect("switch", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := []*series{
		{"switch", map[string]int{"k": 2, "m": 500}, "go test -bench", []float64{50, 60}},
		{"switch", map[string]int{"k": 100, "m": 20}, "go test -bench", []float64{40}},
	}
	if !reflect.DeepEqual(all, want) {
		t.Errorf("got %+v, %+v", *all[0], *all[1])
	}
}

func TestNameWithoutProcessors(t *testing.T) {
	s, ok, err := parse("BenchmarkSpawn/n=1000 100 200000 ns/op 1000 ops")
	if err != nil || !ok || s.params["n"] != 1000 || s.nanoseconds/s.ops != 200 {
		t.Errorf("got %+v, %v, %v", s, ok, err)
	}
}

func TestBadLines(t *testing.T) {
	for _, line := range []string{
		"BenchmarkSpawn 100 200000 ns/op 1000 ops",
		"BenchmarkSpawn/n=x 100 200000 ns/op 1000 ops",
		"BenchmarkSpawn/n=1000 100 200000 ns/op 5 B/op",
	} {
		if _, _, err := parse(line); err == nil {
			t.Errorf("%q was accepted", line)
		}
	}
	if _, err := collect("spawn", []byte("PASS\n")); err == nil {
		t.Error("no lines were accepted")
	}
}
