package main

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"corobench/cpupool"
)

func TestEveryPathAnswers(t *testing.T) {
	pool, err := cpupool.New(1, slice)
	if err != nil {
		t.Fatal(err)
	}
	serve := handler(0.001, pool)
	for path, status := range map[string]int{
		"/delay1ms":                       http.StatusOK,
		"/checksumWithoutCpuWorker":       http.StatusOK,
		"/checksumWithCpuWorker":          http.StatusOK,
		"/checksumSmallTaskWithCpuWorker": http.StatusOK,
		"/":                               http.StatusNotFound,
	} {
		answer := httptest.NewRecorder()
		serve.ServeHTTP(answer, httptest.NewRequest("GET", path, nil))
		if answer.Code != status || status == http.StatusOK && answer.Body.String() != "done\n" {
			t.Errorf("%s: %d %q", path, answer.Code, answer.Body)
		}
	}
}
