// Package corobench holds no program: only the check that every Go file here is formatted as gofmt does.
package corobench

import (
	"bytes"
	"go/format"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestFormatted is a test because only the go command's place is known, and `go fmt` would rewrite the files.
func TestFormatted(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		formatted, err := format.Source(source)
		if err == nil && !bytes.Equal(source, formatted) {
			t.Errorf("%s is not formatted: run gofmt -w %s", path, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
