package queues_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"usher"
	"usher/queues"
	"usher/queues/lanes"
	"usher/queues/queuetest"
)

// A second message of a recorded pause does not run. With another body it becomes a dead
// letter.
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
			b := queuetest.New(t)
			lane := queuetest.NewSlot(t, b.Queue(t), lanes.Campaign)
			b.Publish(t, usher.CampaignPause, fmt.Sprintf(pauseOf, "a"))
			first := lane.Take(t)
			if !c.running {
				if err := first.End(queuetest.Done(0)); err != nil {
					t.Fatal(err)
				}
			}
			b.Publish(t, usher.CampaignPause, fmt.Sprintf(pauseOf, c.second))
			another := b.Queue(t)
			queuetest.NewSlot(t, another, lanes.Campaign).None(t)
			if n := len(queuetest.Letters(t, another)); n != c.letters {
				t.Errorf("%d letters", n)
			}
			if c.running {
				if err := first.End(queuetest.Done(0)); err != nil {
					t.Fatal(err)
				}
			}
			if r := queuetest.Record(t, another, "pause"); r.State != usher.Done || r.Attempts != 1 || r.Crashes != 0 {
				t.Errorf("the record says %s", queuetest.JSON(t, r))
			}
			if n := b.Pending(t, "USHER_JOBS"); n != 0 {
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
		"ended":      func(l *queues.Lease) error { return l.End(queuetest.Failed(usher.Refused)) },
		"saved": func(l *queues.Lease) error {
			if err := l.Save(usher.Progress{Phase: usher.PhaseClear}); err == nil {
				return errors.New("it was saved")
			}
			return l.Retry(l.Work().Progress, 0, "a test", true)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := queuetest.New(t)
			b.Options.SettleTime = 2 * time.Second
			lane := queuetest.NewSlot(t, b.Queue(t), lanes.Campaign)
			b.LimitRecords(t, 10)
			b.Publish(t, usher.CampaignPause, `{"id":"pause","campaign":"SANDBOX1-a"}`)
			lane.None(t)
			b.LimitRecords(t, -1)
			first := lane.Take(t)
			if w := first.Work(); w.Attempts != 1 || w.Crashes != 0 || w.Progress.Phase != "" {
				t.Errorf("the work is %+v", w)
			}
			b.LimitRecords(t, 10)
			if err := settle(first); err == nil {
				t.Error("it was settled")
			}
			b.LimitRecords(t, -1)
			first.Redeliver(t)
			second := lane.Take(t)
			if w := second.Work(); w.Attempts != 1 || w.Crashes != 0 || w.Progress.Phase != "" {
				t.Errorf("the redelivered work is %+v", w)
			}
			if n := len(queuetest.Letters(t, b.Queue(t))); n != 0 {
				t.Errorf("%d letters", n)
			}
		})
	}
}
