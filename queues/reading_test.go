package queues

import (
	"bytes"
	"errors"
	"log/slog"
	"sync"
	"testing"

	"usher/queues/lanes"
)

// A lane that cannot be read is logged once for all its slots.
func TestReadingIsLoggedOnce(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	q := &Queue{logger: slog.New(slog.NewTextHandler(&log, nil))}
	var slots sync.WaitGroup
	for range 10 {
		for _, lane := range []lanes.Lane{lanes.Campaign, lanes.Rules} {
			slots.Go(func() { q.warnReading(lane, errors.New("no responders")) })
		}
	}
	slots.Wait()
	if n := bytes.Count(log.Bytes(), []byte("\n")); n != 2 {
		t.Errorf("%d lines, want one for each lane:\n%s", n, &log)
	}
}
