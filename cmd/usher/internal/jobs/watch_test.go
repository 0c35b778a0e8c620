package jobs

import (
	"encoding/json"
	"fmt"
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
	job := json.RawMessage(`{"segment":"4"}`)
	a := usher.Record{ID: "a", Run: 1, Kind: usher.SegmentAdd, State: usher.Running, Job: job}
	b := usher.Record{ID: "b", Run: 1, Kind: usher.SegmentAdd, State: usher.Queued, Why: &why, Job: job, TargetName: "iOS customers"}
	ended := a
	ended.State, ended.Error = usher.Failed, &usher.JobError{Class: usher.NotFound}
	for _, records := range [][]usher.Record{{b, a, old}, {b, a, old}, {b, ended, old}} {
		if err := c.print(records, now); err != nil {
			t.Fatal(err)
		}
	}
	at := readable.Time(now)
	want := at + "  running  segment.add  a  segment 4\n" + at + "  queued  segment.add  b  iOS customers (4): waits for a free slot\n" + at + "  failed  segment.add  a  segment 4: not_found\n"
	if out.String() != want {
		t.Errorf("printed\n%swant\n%s", out.String(), want)
	}
}

// A job in a long queue is printed again when another job comes before it, and not for each step ahead.
func TestStepsInAQueueAreNotPrinted(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	c := changes{w: &out, seen: map[string]string{}}
	for _, position := range []int{9, 8, 7} {
		why := fmt.Sprintf("waits for job a on segment 4: number %d in its queue", position)
		waits := usher.Record{ID: "b", Run: 1, Kind: usher.SegmentRemove, State: usher.Queued, Why: &why, WaitsFor: &usher.WaitsFor{Job: "a", Position: position}}
		if err := c.print([]usher.Record{waits}, time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	if n := strings.Count(out.String(), "\n"); n != 1 {
		t.Errorf("%d lines were printed:\n%s", n, out.String())
	}
}

// The record of a job that waits for another one says how to look at that one.
func TestRecordLeadsToTheJobBefore(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	r := usher.Record{ID: "b", Run: 1, Kind: usher.SegmentRemove, State: usher.Queued, WaitsFor: &usher.WaitsFor{Job: "remove-17", Position: 3}}
	if err := writeRecord(&out, r, ""); err != nil || !strings.HasSuffix(out.String(), "the job that it waits for: usher jobs show remove-17\n") {
		t.Errorf("the record is shown as %v\n%s", err, out.String())
	}
}

// The record of a job that came over HTTP says by which token.
func TestRecordNamesItsPublisher(t *testing.T) {
	t.Parallel()
	for publisher, want := range map[string]bool{"": false, "crm": true} {
		var out strings.Builder
		r := usher.Record{ID: "a", Run: 1, Kind: usher.SegmentAdd, State: usher.Queued, Publisher: publisher}
		if err := writeRecord(&out, r, ""); err != nil || strings.Contains(out.String(), "publisher  token crm, over HTTP\n") != want {
			t.Errorf("the record of publisher %q is shown as %v\n%s", publisher, err, out.String())
		}
	}
}
