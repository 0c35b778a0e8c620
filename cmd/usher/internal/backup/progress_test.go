package backup

import (
	"io"
	"testing"
	"time"
)

// Progress has the rate and the time left. It begins again with the first stream.
func TestProgress(t *testing.T) {
	t.Parallel()
	now := time.Unix(0, 0)
	p := newProgress(io.Discard, "saving", 1_000_000_000, true)
	p.now = func() time.Time { return now }
	expect := func(want string) {
		t.Helper()
		if got := p.text(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	p.Stream("JOBS")
	expect("saving JOBS, 0 bytes of at most 1.0 GB")
	p.Add(50_000_000)
	now = now.Add(10 * time.Second)
	p.Add(50_000_000)
	p.Stream("EVENTS")
	expect("saving EVENTS, 100.0 MB of at most 1.0 GB, 10.0 MB/s, at most 1m30s left")
	p.Stream("JOBS")
	expect("saving JOBS, 0 bytes of at most 1.0 GB")
	p.total, p.atMost, p.verb = 20_000_000, false, "restoring"
	p.Add(5_000_000)
	now = now.Add(10 * time.Second)
	p.Add(10_000_000)
	p.Stream("JOBS") // which a restore comes to last
	expect("restoring JOBS, 15.0 MB of 20.0 MB, 1.5 MB/s, 3.3s left")
}
