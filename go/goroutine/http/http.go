// Http serves one small page with net/http as it comes.
package main

import (
	"io"
	"net/http"

	"corobench/goroutine/serving"
	"corobench/harness"
)

const page = "Blah\n"

func main() {
	run := harness.BeginWith("http", harness.Keys{
		Words: map[string][]string{"phase": {"one-new", "one-keep", "many-new", "many-keep", "open"}},
	})
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Content-Length", "5")
		io.WriteString(w, page) // an error is the client's, who is gone
	})
	serving.Serve(run, mux)
	run.End()
}
