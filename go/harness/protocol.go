package harness

import (
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

type hello struct {
	Type            string         `json:"type"`
	Protocol        int            `json:"protocol"`
	Runtime         string         `json:"runtime"`
	Version         string         `json:"version"`
	LanguageVersion string         `json:"language_version"`
	Workload        string         `json:"workload"`
	Params          map[string]any `json:"params"`
	Settings        settings       `json:"settings"`
}

type settings struct {
	GOMAXPROCS int `json:"gomaxprocs"`
	GOGC       int `json:"gogc"`
	NumCPU     int `json:"num_cpu"`
	// Build names what it was built with beside the defaults: flags of the compiler and the linker, an experiment.
	Build string `json:"build"`
}

type iteration[E any] struct {
	Type      string `json:"type"`
	Index     int    `json:"index"`
	ElapsedNs int64  `json:"elapsed_ns"`
	CPUNs     int64  `json:"cpu_ns"`
	Ops       int    `json:"ops"`
	Evidence  E      `json:"evidence"`
}

type hold struct {
	Type  string `json:"type"`
	Point string `json:"point"`
	Units int    `json:"units"`
	Port  int    `json:"port,omitempty"`
}

type series struct {
	Type   string          `json:"type"`
	Name   string          `json:"name"`
	Values []time.Duration `json:"values"` // nanoseconds
}

type traceLine struct {
	Type   string  `json:"type"`
	Events []event `json:"events"`
}

type end struct {
	Type string `json:"type"`
}

func newHello(workload string, params map[string]any) hello {
	version := version()
	return hello{"hello", 1, os.Getenv("COROBENCH_RUNTIME"), version, version, workload, params, effective()}
}

// version is "1.26.8" of "go1.26.8 X:experiment".
func version() string {
	name, _, _ := strings.Cut(runtime.Version(), " ")
	return strings.TrimPrefix(name, "go")
}

// effective asks the runtime itself. SetGCPercent is the only way to read the percentage that does not pull
// in 15 KB of metric descriptions (runtime/metrics), which the memory workload would show.
func effective() settings {
	percent := debug.SetGCPercent(-1)
	debug.SetGCPercent(percent)
	return settings{GOMAXPROCS: runtime.GOMAXPROCS(0), GOGC: percent, NumCPU: runtime.NumCPU(), Build: build()}
}

// usual are the build settings that change nothing in a program. DefaultGODEBUG follows from the version in go.mod
// and that of the toolchain, both of which are known.
var usual = map[string]string{
	"-buildmode": "exe", "-compiler": "gc", "-trimpath": "true", "CGO_ENABLED": "0",
	"GOARCH": runtime.GOARCH, "GOOS": runtime.GOOS, "GOAMD64": "v1", "GOARM64": "v8.0",
}

// build is "-gcflags=all=-N GOAMD64=v3": what the toolchain has written into the program, but for the usual.
func build() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	var unusual []string
	for _, setting := range info.Settings {
		if setting.Key != "DefaultGODEBUG" && setting.Value != usual[setting.Key] {
			unusual = append(unusual, setting.Key+"="+setting.Value)
		}
	}
	return strings.Join(unusual, " ")
}
