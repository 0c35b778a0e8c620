package sandbox

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"
)

// TestProgressIsLogged simulates a state that takes 10 seconds to read.
func TestProgressIsLogged(t *testing.T) {
	t.Parallel()
	var seconds time.Duration // each call of Now takes one
	var log bytes.Buffer
	o := Options{
		Logger: slog.New(slog.NewTextHandler(&log, nil)),
		Now:    func() time.Time { seconds += time.Second; return time.Unix(0, 0).Add(seconds) },
	}
	progress := o.logProgress()
	for at := range int64(10) {
		progress(at+1, 10)
	}
	if lines := strings.Count(log.String(), "reading the sandbox's state"); lines != 5 || !strings.Contains(log.String(), "percent=20") || !strings.Contains(log.String(), "percent=100") {
		t.Errorf("%d lines:\n%s", lines, log.String())
	}
}
