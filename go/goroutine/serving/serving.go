// Package serving is what the servers share: a port of 127.0.0.1, announced and served until the runner has had enough.
package serving

import (
	"errors"
	"net"
	"net/http"

	"corobench/harness"
)

// Serve serves with net/http's defaults; connections have TCP_NODELAY, as Go sets it.
func Serve(run *harness.Run, handler http.Handler) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		harness.Fail(1, "%v", err)
	}
	server := &http.Server{Handler: handler}
	ended := make(chan error)
	go func() { ended <- server.Serve(listener) }()
	run.Serving(listener.Addr().(*net.TCPAddr).Port)
	if err := server.Close(); err != nil {
		harness.Fail(1, "%v", err)
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		harness.Fail(1, "%v", err)
	}
}
