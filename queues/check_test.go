package queues_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"usher/queues"
	"usher/queues/queuetest"
)

// A stream of jobs that is nearly full is a warning before it refuses jobs. One that drops its
// oldest messages may be full.
func TestCheckWarnsOfFullStreams(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	const limit = 64 << 10
	for _, name := range []string{"USHER_JOBS", "USHER_EVENTS"} {
		b.Configure(t, name, func(c *jetstream.StreamConfig) { c.MaxBytes = limit })
	}
	for _, subject := range []string{"usher.jobs.segment.add", "usher.events.full"} {
		if _, err := b.JS.Publish(t.Context(), subject, bytes.Repeat([]byte("x"), limit*9/10)); err != nil {
			t.Fatal(err)
		}
	}
	found := queues.Check(t.Context(), b.JS, b.Options, time.Minute, time.Minute)
	for name, want := range map[string]string{"USHER_JOBS": "% full: a full stream refuses jobs", "USHER_EVENTS": ""} {
		i := slices.IndexFunc(found, func(f queues.Finding) bool { return f.What == "stream "+name })
		if f := found[i]; !f.OK || strings.HasPrefix(f.Says, "warning: ") != (want != "") || !strings.Contains(f.Says, want) {
			t.Errorf("%+v, want %q", f, want)
		}
	}
}
