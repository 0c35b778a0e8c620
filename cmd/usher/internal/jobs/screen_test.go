package jobs

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"usher"
)

// TestScreenSaysWhatIsNotCurrent checks a frame of the live screen, with a job of which two of
// four parts are done, and the frames after the records could not be read.
func TestScreenSaysWhatIsNotCurrent(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	started := now.Add(-time.Minute)
	running := usher.Record{ID: "big", Run: 1, Kind: usher.SegmentAdd, State: usher.Running, Started: &started, Parts: usher.PartCount{Total: 4, Done: 2}}
	ended := usher.Record{ID: "old", Run: 1, Kind: usher.SegmentAdd, State: usher.Failed, Finished: &started, Error: &usher.JobError{Class: usher.NotFound}, Job: json.RawMessage(`{"segment":"4"}`)}
	s := &screen{}
	s.set([]usher.Record{running, ended}, now.Add(-time.Second))
	running.Tally.Read = 1_000_000
	s.set([]usher.Record{running, ended}, now)
	frame := func() string {
		var out strings.Builder
		if err := s.write(&out, now.Add(90*time.Second)); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	for _, want := range []string{"0 queued, 1 running, 0 retrying, 0 done, 1 failed, 0 cancelled;", "as of ", "█████·····  50 %  1,000,000  1m0s", "2m ago  segment 4: not_found"} {
		if !strings.Contains(frame(), want) {
			t.Errorf("the screen lacks %q:\n%s", want, frame())
		}
	}
	s.err = errors.New("nats: no servers")
	for _, want := range []string{"NOT CURRENT: the figures are from ", "1m ago: nats: no servers", "50 %"} {
		if !strings.Contains(strings.Join(strings.Fields(frame()), " "), want) {
			t.Errorf("the screen lacks %q:\n%s", want, frame())
		}
	}
	empty := &screen{err: s.err}
	if heading := empty.heading(now); heading != "cannot read jobs: nats: no servers" {
		t.Errorf("the screen begins with %q", heading)
	}
}
