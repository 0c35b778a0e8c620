package alerts

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"usher"
	"usher/queues/lanes"
	"usher/queues/letters"
	"usher/queues/queuetest"
	"usher/queues/rulings"
)

// Each decision of a rule with notify is sent once: with notify: each immediately, with
// notify: digest together with others, at most once every Every. A failed alert is sent
// again.
func TestNoticesOfRules(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	c := &clock{now: time.Now()}
	b.Options.Now = c.Now
	q := b.Queue(t)
	r := rulings.New(q, nil)
	d := detector{Options: Options{}.withDefaults(), queue: q, letters: letters.New(q), rulings: r, notices: rulings.NewNotices(q)}
	run := func(id string, notice usher.Notice) {
		t.Helper()
		c.advance(time.Minute)
		e := usher.Evaluation{ID: id, File: "pace", Account: "SANDBOX1", At: c.Now(), State: usher.EvaluationDone}
		decisions := []usher.Ruling{finding("slow", "a-1", notice, usher.Notify, usher.Pause), finding("slow", "a-2", "", usher.Notify, usher.Pause)}
		if notice != "" {
			e.Notices = 1
		}
		if _, err := r.Decide(t.Context(), e, decisions); err != nil {
			t.Fatal(err)
		}
	}
	failure := errors.New("webhook is down")
	deliver := func(fails error, want ...string) {
		t.Helper()
		var got []string
		err := d.deliver(t.Context(), func(_ context.Context, a Alert) error {
			for _, run := range a.Notices {
				if got = append(got, run.Run.ID); len(run.Decisions) != 1 || run.Decisions[0].Creative != "a-1" {
					t.Errorf("sent %+v", run.Decisions)
				}
			}
			return fails
		})
		if !errors.Is(err, fails) || !slices.Equal(got, want) {
			t.Fatalf("sent %v, want %v; error %v", got, want, err)
		}
	}
	run("before", usher.NoticeDigest)
	deliver(nil)
	run("quiet", "")
	run("first", usher.NoticeDigest)
	deliver(nil, "first")
	run("second", usher.NoticeDigest)
	run("prompt", usher.NoticeEach)
	deliver(failure, "prompt")
	deliver(nil) // not before Every
	c.advance(5 * time.Minute)
	deliver(nil, "second", "prompt")
	deliver(nil)
	run("third", usher.NoticeDigest)
	d = detector{Options: d.Options, queue: q, letters: letters.New(q), rulings: rulings.New(q, nil), notices: rulings.NewNotices(q)} // another worker
	deliver(nil)
	c.advance(5 * time.Minute)
	deliver(nil, "third")
	run("old", usher.NoticeDigest)
	c.advance(noticeLife + time.Minute)
	deliver(nil)
	if left, err := rulings.NewNotices(q).List(t.Context()); err != nil || len(left) != 0 {
		t.Errorf("stored notices: %v, %v, want none", left, err)
	}
}

// clock is a clock that only the test advances.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// Concurrent deliveries send an alert once; a failed delivery is repeated.
func TestAlertIsSentOnce(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	c := &clock{now: time.Now()}
	b.Options.Now = c.Now
	q := b.Queue(t)
	d := detector{Options: Options{}.withDefaults(), queue: q, letters: letters.New(q), rulings: rulings.New(q, nil), notices: rulings.NewNotices(q)}
	b.Fail(t, q, 2)
	var mu sync.Mutex
	var sent []Alert
	send := func(_ context.Context, a Alert) error {
		mu.Lock()
		defer mu.Unlock()
		sent = append(sent, a)
		return nil
	}
	deliver := func() {
		t.Helper()
		var delivering sync.WaitGroup
		for range 3 {
			delivering.Go(func() {
				if err := d.deliver(t.Context(), send); err != nil {
					t.Error(err)
				}
			})
		}
		delivering.Wait()
	}
	deliver()
	if len(sent) != 0 {
		t.Fatalf("the first delivery sent old letters: %+v", sent)
	}
	b.Publish(t, usher.SegmentAdd, queuetest.JobOn("late", "3"))
	if err := queuetest.NewSlot(t, q, lanes.Audience).Take(t).End(queuetest.Failed(usher.NotFound)); err != nil {
		t.Fatal(err)
	}
	if err := d.deliver(t.Context(), func(context.Context, Alert) error { return errors.New("webhook is down") }); err == nil {
		t.Fatal("deliver returned nil, want the error of send")
	}
	deliver()
	if len(sent) != 0 {
		t.Fatalf("the alert was sent again before Every had passed: %+v", sent)
	}
	c.advance(5 * time.Minute)
	deliver()
	if len(sent) != 1 || sent[0].Letters != 1 || sent[0].Groups[0].Sample != "late" || len(sent[0].Stalled) != 0 {
		t.Fatalf("sent alerts: %s", queuetest.JSON(t, sent))
	}
	// A lane stalls and then recovers.
	b.Publish(t, usher.CampaignPause, `{"id":"pause","campaign":"SANDBOX1-a"}`)
	c.advance(20 * time.Minute)
	deliver()
	deliver()
	if len(sent) != 2 || len(sent[1].Stalled) != 1 || sent[1].Stalled[0].Lane != lanes.Campaign {
		t.Fatalf("sent alerts: %s", queuetest.JSON(t, sent))
	}
	if err := queuetest.NewSlot(t, q, lanes.Campaign).Take(t).End(queuetest.Done(0)); err != nil {
		t.Fatal(err)
	}
	deliver()
	deliver()
	if len(sent) != 3 || len(sent[2].Recovered) != 1 {
		t.Fatalf("sent alerts: %s", queuetest.JSON(t, sent))
	}
}
