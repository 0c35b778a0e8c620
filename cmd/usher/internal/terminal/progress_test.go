package terminal

import (
	"strings"
	"testing"
	"time"

	"usher"
)

// look is a record as it is seen on the way.
func look(state usher.State, read int64, why string) usher.Record {
	r := usher.Record{ID: "j", Run: 1, Kind: usher.SegmentAdd, State: state, Tally: usher.Tally{Read: read}}
	if why != "" {
		r.Why = &why
	}
	return r
}

func TestLinesAreFewAndSayWhatChanges(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	show := NewProgress(&out, "j", 10_000_000)
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for second := range 10 {
		r := look(usher.Running, int64(second)*1_000_000, "")
		switch second {
		case 0:
			r = look(usher.Queued, 0, "waits for a free slot")
		case 5:
			r = look(usher.Retrying, 5_000_000, "the platform\nis down")
		}
		show.See(r, at.Add(time.Duration(second)*time.Second))
	}
	show.End()
	want := `j queued: waits for a free slot
j running, 1,000,000 of about 10,000,000 rows, 1,000,000 ids/s, 9.0s left
j running, 3,000,000 of about 10,000,000 rows, 1,000,000 ids/s, 7.0s left
j retrying: the platform is down, 5,000,000 of about 10,000,000 rows
j running, 6,000,000 of about 10,000,000 rows, 1,000,000 ids/s, 4.0s left
j running, 8,000,000 of about 10,000,000 rows, 1,000,000 ids/s, 2.0s left
`
	if out.String() != want {
		t.Errorf("printed\n%swant\n%s", out.String(), want)
	}
}

func TestPaceSurvivesAReplayAndAWrongEstimate(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	p := pace{total: 100}
	p.see(look(usher.Running, 90, ""), at)
	p.see(look(usher.Running, 190, ""), at.Add(time.Second))
	if got, want := p.text(), "running, 190 rows, 100 ids/s"; got != want {
		t.Errorf("beyond the estimate: %q, want %q", got, want)
	}
	again := look(usher.Running, 10, "")
	again.Run = 2
	p.see(again, at.Add(2*time.Second))
	if p.rate < 0 {
		t.Errorf("rate %v after a replay", p.rate)
	}
}

// TestStandstillIsSaidRarely: a job that waits all night fills no log.
func TestStandstillIsSaidRarely(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	l := &lines{w: &out, id: "a"}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for range 61 { // a minute of looks
		l.See(look(usher.Queued, 0, "waits for a free slot"), now)
		now = now.Add(time.Second)
	}
	if got := strings.Count(out.String(), "\n"); got != 3 {
		t.Errorf("%d lines in a minute of waiting, want 3:\n%s", got, out.String())
	}
	out.Reset()
	for i := range 11 {
		l.See(look(usher.Running, int64(1000*i), ""), now)
		now = now.Add(time.Second)
	}
	if got := strings.Count(out.String(), "\n"); got != 6 {
		t.Errorf("%d lines in ten seconds of work, want 6:\n%s", got, out.String())
	}
}
