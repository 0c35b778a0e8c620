package jobs

import (
	"strings"
	"testing"
	"time"

	"usher"
	"usher/internal/readable"
)

func TestChangesArePrintedOnce(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	c := changes{w: &out, seen: map[string]string{}}
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	why := "waits for a free slot"
	old := usher.Record{ID: "old", Run: 1, Kind: usher.SegmentAdd, State: usher.Done, Tally: usher.Tally{Read: 5}}
	a := usher.Record{ID: "a", Run: 1, Kind: usher.SegmentAdd, State: usher.Running}
	b := usher.Record{ID: "b", Run: 1, Kind: usher.SegmentAdd, State: usher.Queued, Why: &why}
	ended := a
	ended.State, ended.Error = usher.Failed, &usher.JobError{Class: usher.NotFound}
	for _, records := range [][]usher.Record{{b, a, old}, {b, a, old}, {b, ended, old}} {
		if err := c.print(records, now); err != nil {
			t.Fatal(err)
		}
	}
	at := readable.Time(now)
	want := at + "  running  segment.add  a\n" + at + "  queued  segment.add  b  waits for a free slot\n" + at + "  failed  segment.add  a  not_found\n"
	if out.String() != want {
		t.Errorf("printed\n%swant\n%s", out.String(), want)
	}
}
