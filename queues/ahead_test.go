package queues_test

import (
	"errors"
	"fmt"
	"testing"

	"usher"
	"usher/queues"
)

// A lease on a job that seemed new, and was on record, is nobody's, and its
// message is understood as what it is.
func TestTakenAheadOfARecord(t *testing.T) {
	t.Parallel()
	const pauseOf = `{"id":"word","campaign":"SANDBOX1-%s"}`
	for _, c := range []struct {
		name, second string
		running      bool // when the second comes
		letters      int
	}{
		{"done, the same", "a", false, 0},
		{"done, another", "b", false, 1},
		{"running, the same", "a", true, 0},
		{"running, another", "b", true, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBroker(t)
			lane := slot(t, b.queue(t), queues.Campaign)
			b.publish(t, usher.CampaignPause, fmt.Sprintf(pauseOf, "a"))
			first := next(t, lane)
			if err := first.Taken(t.Context()); err != nil {
				t.Fatal(err)
			}
			if !c.running {
				if err := first.End(done(0)); err != nil {
					t.Fatal(err)
				}
			}
			b.publish(t, usher.CampaignPause, fmt.Sprintf(pauseOf, c.second))
			another := b.queue(t)
			second := next(t, slot(t, another, queues.Campaign))
			if err := second.Taken(t.Context()); !errors.Is(err, usher.ErrLeaseLost) {
				t.Fatalf("the second message is taken: %v", err)
			}
			if err := second.Retry(second.Work().Progress, 0, "a test", false); err != nil {
				t.Error(err)
			}
			none(t, lane)
			if n := len(letters(t, another)); n != c.letters {
				t.Errorf("%d letters", n)
			}
			if c.running {
				if err := first.End(done(0)); err != nil {
					t.Fatal(err)
				}
			}
			if r := record(t, another, "word"); r.State != usher.Done || r.Attempts != 1 || r.Crashes != 0 {
				t.Errorf("the record says %s", mustJSON(t, r))
			}
			if n := b.pending(t, "USHER_JOBS"); n != 0 {
				t.Errorf("%d messages are left", n)
			}
		})
	}
}

// What usher itself publishes is on record from the beginning, and its first
// message is taken.
func TestTakenAtOnceWhereSubmitted(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	q := b.queue(t)
	for _, body := range []string{`{"campaign":"SANDBOX1-a"}`, `{"id":"word","campaign":"SANDBOX1-a"}`} {
		if a, err := q.Submit(t.Context(), usher.CampaignPause, []byte(body)); err != nil || len(a.Errors) > 0 {
			t.Fatalf("%+v, %v", a, err)
		}
		l := next(t, slot(t, q, queues.Campaign))
		if err := l.Taken(t.Context()); err != nil {
			t.Errorf("%s is not taken: %v", body, err)
		}
		if err := l.End(done(0)); err != nil {
			t.Error(err)
		}
	}
}

// A record that cannot be written costs the job neither an attempt nor a crash,
// whatever its handler says meanwhile.
func TestTakenAheadInTrouble(t *testing.T) {
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
			b.publish(t, usher.CampaignPause, `{"id":"word","campaign":"SANDBOX1-a"}`)
			l := next(t, lane)
			if err := settle(l); err == nil {
				t.Error("it was settled")
			}
			if err := l.Taken(t.Context()); !errors.Is(err, usher.ErrLeaseLost) {
				t.Errorf("it is taken: %v", err)
			}
			b.limitRecords(t, -1)
			again := next(t, lane)
			if err := again.Taken(t.Context()); err != nil {
				t.Fatal(err)
			}
			if w := again.Work(); w.Attempts != 1 || w.Crashes != 0 || w.Progress.Phase != "" {
				t.Errorf("the work is %+v", w)
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
