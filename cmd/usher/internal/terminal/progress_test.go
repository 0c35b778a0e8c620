package terminal

import (
	"strings"
	"testing"
	"time"

	"usher"
)

// record returns a record of job j.
func record(state usher.State, read int64, why string) usher.Record {
	r := usher.Record{ID: "j", Run: 1, Kind: usher.SegmentAdd, State: state, Tally: usher.Tally{Read: read}}
	if why != "" {
		r.Why = &why
	}
	return r
}

func TestLinesPrintChangesAtOnce(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	show := NewProgress(&out, "j", 10_000_000, 0)
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for second := range 10 {
		r := record(usher.Running, int64(second)*1_000_000, "")
		switch second {
		case 0:
			r = record(usher.Queued, 0, "waits for a free slot")
		case 5:
			r = record(usher.Retrying, 5_000_000, "the platform\nis down")
		}
		show.Update(r, at.Add(time.Duration(second)*time.Second))
	}
	show.End()
	want := `j queued: waits for a free slot
j running, 10 %, 1,000,000 of about 10,000,000 rows, 1,000,000 ids/s, 9.0s left
j running, 30 %, 3,000,000 of about 10,000,000 rows, 1,000,000 ids/s, 7.0s left
j retrying: the platform is down, 5,000,000 of about 10,000,000 rows
j running, 60 %, 6,000,000 of about 10,000,000 rows, 1,000,000 ids/s, 4.0s left
j running, 80 %, 8,000,000 of about 10,000,000 rows, 1,000,000 ids/s, 2.0s left
`
	if out.String() != want {
		t.Errorf("printed\n%swant\n%s", out.String(), want)
	}
}

// TestPaceWithinTheLimit checks that a job that begins with the calls that it may make at once does not seem to
// go on like that.
func TestPaceWithinTheLimit(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	p := pace{total: 1_000_000, calls: 2}
	p.update(record(usher.Running, 0, ""), at)
	r := record(usher.Running, 200_000, "")
	r.Batches = 20
	p.update(r, at.Add(time.Second))
	if got, want := p.left(), 40*time.Second; got != want { // 80 calls at 2 a second
		t.Errorf("%v are left, want %v", got, want)
	}
	p.calls = 0
	if got, want := p.left(), 4*time.Second; got != want {
		t.Errorf("without a limit, %v are left, want %v", got, want)
	}
}

func TestPaceWithReplayAndLowEstimate(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	p := pace{total: 100}
	p.update(record(usher.Running, 90, ""), at)
	p.update(record(usher.Running, 190, ""), at.Add(time.Second))
	if got, want := p.text(), "running, 190 rows, 100 ids/s"; got != want {
		t.Errorf("beyond the estimate: %q, want %q", got, want)
	}
	replay := record(usher.Running, 10, "")
	replay.Run = 2
	p.update(replay, at.Add(2*time.Second))
	if p.rate < 0 {
		t.Errorf("rate %v after a replay", p.rate)
	}
}

// A job that waits all night must not fill the log.
func TestLinesOfAnIdleJob(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	l := &lines{w: &out, id: "a"}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for range 61 { // a minute, one update a second
		l.Update(record(usher.Queued, 0, "waits for a free slot"), now)
		now = now.Add(time.Second)
	}
	if got := strings.Count(out.String(), "\n"); got != 3 {
		t.Errorf("%d lines in a minute of waiting, want 3:\n%s", got, out.String())
	}
	out.Reset()
	for i := range 11 {
		l.Update(record(usher.Running, int64(1000*i), ""), now)
		now = now.Add(time.Second)
	}
	if got := strings.Count(out.String(), "\n"); got != 6 {
		t.Errorf("%d lines in ten seconds of work, want 6:\n%s", got, out.String())
	}
}
