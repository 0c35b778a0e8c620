package queues_test

import (
	"errors"
	"fmt"
	"testing"

	"usher"
	"usher/queues"
)

// A second message of a pause that is on record runs nothing. With another body
// it becomes a dead letter.
func TestSecondMessageOfPause(t *testing.T) {
	t.Parallel()
	const pauseOf = `{"id":"pause","campaign":"SANDBOX1-%s"}`
	for _, c := range []struct {
		name, second string
		running      bool // when the second message comes
		letters      int
	}{
		{"done, same body", "a", false, 0},
		{"done, other body", "b", false, 1},
		{"running, same body", "a", true, 0},
		{"running, other body", "b", true, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBroker(t)
			lane := slot(t, b.queue(t), queues.Campaign)
			b.publish(t, usher.CampaignPause, fmt.Sprintf(pauseOf, "a"))
			first := next(t, lane)
			if !c.running {
				if err := first.End(done(0)); err != nil {
					t.Fatal(err)
				}
			}
			b.publish(t, usher.CampaignPause, fmt.Sprintf(pauseOf, c.second))
			another := b.queue(t)
			none(t, slot(t, another, queues.Campaign))
			if n := len(letters(t, another)); n != c.letters {
				t.Errorf("%d letters", n)
			}
			if c.running {
				if err := first.End(done(0)); err != nil {
					t.Fatal(err)
				}
			}
			if r := record(t, another, "pause"); r.State != usher.Done || r.Attempts != 1 || r.Crashes != 0 {
				t.Errorf("the record says %s", mustJSON(t, r))
			}
			if n := b.pending(t, "USHER_JOBS"); n != 0 {
				t.Errorf("%d messages are left", n)
			}
		})
	}
}

// A worker that cannot write the record of a lease returns the delivery, and the
// job loses neither an attempt nor its message.
func TestUnwritableRecord(t *testing.T) {
	t.Parallel()
	for name, settle := range map[string]func(*queues.Lease) error{
		"given back": func(l *queues.Lease) error { return l.Retry(l.Work().Progress, 0, "a test", true) },
		"ended":      func(l *queues.Lease) error { return l.End(failed(usher.Refused)) },
		"saved": func(l *queues.Lease) error {
			if err := l.Save(usher.Progress{Phase: usher.PhaseClear}); err == nil {
				return errors.New("it was saved")
			}
			return l.Retry(l.Work().Progress, 0, "a test", true)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBroker(t)
			lane := slot(t, b.queue(t), queues.Campaign)
			b.limitRecords(t, 10)
			b.publish(t, usher.CampaignPause, `{"id":"pause","campaign":"SANDBOX1-a"}`)
			none(t, lane)
			b.limitRecords(t, -1)
			first := next(t, lane)
			if w := first.Work(); w.Attempts != 1 || w.Crashes != 0 || w.Progress.Phase != "" {
				t.Errorf("the work is %+v", w)
			}
			b.limitRecords(t, 10)
			if err := settle(first); err == nil {
				t.Error("it was settled")
			}
			b.limitRecords(t, -1)
			first.Redeliver(t)
			second := next(t, lane)
			if w := second.Work(); w.Attempts != 1 || w.Crashes != 0 || w.Progress.Phase != "" {
				t.Errorf("the work comes again as %+v", w)
			}
			if n := len(letters(t, b.queue(t))); n != 0 {
				t.Errorf("%d letters", n)
			}
		})
	}
}

// limitRecords has NATS refuse records that are longer.
func (b *broker) limitRecords(t *testing.T, bytes int32) {
	t.Helper()
	stream, err := b.js.Stream(t.Context(), "KV_usher_state")
	if err != nil {
		t.Fatal(err)
	}
	config := stream.CachedInfo().Config
	config.MaxMsgSize = bytes
	if _, err := b.js.UpdateStream(t.Context(), config); err != nil {
		t.Fatal(err)
	}
}
