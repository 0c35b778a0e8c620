package alerts

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"usher"
	"usher/queues"
	"usher/queues/letters"
	"usher/queues/queuetest"
	"usher/queues/rulings"
)

// Runs with decisions to notify are sent together, at most once every Every.
func TestNewsOfRulesThatNotify(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	c := &clock{now: time.Now()}
	b.Options.Now = c.Now
	q := b.Queue(t)
	r := rulings.New(q, nil)
	d := detector{Options: Options{}.withDefaults(), queue: q, letters: letters.New(q), rulings: r}
	run := func(id string, action usher.Action) {
		t.Helper()
		c.advance(time.Minute)
		e := usher.Evaluation{ID: id, File: "pace", Account: "SANDBOX1", At: c.Now(), State: usher.EvaluationDone, Counts: map[usher.Action]int{action: 1}}
		if _, err := r.Decide(t.Context(), e, nil); err != nil {
			t.Fatal(err)
		}
	}
	deliver := func(want ...string) {
		t.Helper()
		var got []string
		err := d.deliver(t.Context(), func(_ context.Context, n News) error {
			for _, e := range n.Notified {
				got = append(got, e.ID)
			}
			return nil
		})
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("sent %v, want %v; error %v", got, want, err)
		}
	}
	run("before", usher.Notify)
	deliver()
	c.advance(5 * time.Minute)
	run("pauses", usher.Pause)
	run("first", usher.Notify)
	deliver("first")
	run("second", usher.Notify)
	run("third", usher.Notify)
	deliver()
	c.advance(5 * time.Minute)
	deliver("third", "second")
	deliver()
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

// Concurrent deliveries send the news once; a failed delivery is repeated.
func TestNewsIsSentOnce(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	c := &clock{now: time.Now()}
	b.Options.Now = c.Now
	q := b.Queue(t)
	d := detector{Options: Options{}.withDefaults(), queue: q, letters: letters.New(q), rulings: rulings.New(q, nil)}
	b.Fail(t, q, 2)
	var mu sync.Mutex
	var sent []News
	send := func(_ context.Context, n News) error {
		mu.Lock()
		defer mu.Unlock()
		sent = append(sent, n)
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
	if err := queuetest.NewSlot(t, q, queues.Audience).Take(t).End(queuetest.Failed(usher.NotFound)); err != nil {
		t.Fatal(err)
	}
	if err := d.deliver(t.Context(), func(context.Context, News) error { return errors.New("webhook is down") }); err == nil {
		t.Fatal("deliver returned nil, want the error of send")
	}
	deliver()
	if len(sent) != 0 {
		t.Fatalf("news was sent again before Every had passed: %+v", sent)
	}
	c.advance(5 * time.Minute)
	deliver()
	if len(sent) != 1 || sent[0].Letters != 1 || sent[0].Groups[0].Sample != "late" || len(sent[0].Stalled) != 0 {
		t.Fatalf("sent news: %s", queuetest.JSON(t, sent))
	}
	// A lane stalls and then recovers.
	b.Publish(t, usher.CampaignPause, `{"id":"pause","campaign":"SANDBOX1-a"}`)
	c.advance(20 * time.Minute)
	deliver()
	deliver()
	if len(sent) != 2 || len(sent[1].Stalled) != 1 || sent[1].Stalled[0].Lane != queues.Campaign {
		t.Fatalf("sent news: %s", queuetest.JSON(t, sent))
	}
	if err := queuetest.NewSlot(t, q, queues.Campaign).Take(t).End(queuetest.Done(0)); err != nil {
		t.Fatal(err)
	}
	deliver()
	deliver()
	if len(sent) != 3 || len(sent[2].Recovered) != 1 {
		t.Fatalf("sent news: %s", queuetest.JSON(t, sent))
	}
}
