package queues_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"usher"
	"usher/queues"
)

// clock is a Queue's clock, turned by hand.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) turn(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// What is new is told once, however many ask, and again where telling failed.
func TestNewsIsToldOnce(t *testing.T) {
	t.Parallel()
	b := newBroker(t)
	c := &clock{now: time.Now()}
	b.o.Now = c.Now
	q := b.queue(t)
	b.fail(t, q, 2)
	var mu sync.Mutex
	var heard []queues.News
	tell := func(_ context.Context, n queues.News) error {
		mu.Lock()
		defer mu.Unlock()
		heard = append(heard, n)
		return nil
	}
	ask := func(tell func(context.Context, queues.News) error) {
		t.Helper()
		var asking sync.WaitGroup
		for range 3 {
			asking.Go(func() {
				if err := q.Tell(t.Context(), queues.Alerts{}, tell); err != nil {
					t.Error(err)
				}
			})
		}
		asking.Wait()
	}
	ask(tell)
	if len(heard) != 0 {
		t.Fatalf("what was there already is news: %+v", heard)
	}
	b.publish(t, usher.SegmentAdd, jobOn("late", "3"))
	if err := next(t, slot(t, q, queues.Audience)).End(failed(usher.NotFound)); err != nil {
		t.Fatal(err)
	}
	if err := q.Tell(t.Context(), queues.Alerts{}, func(context.Context, queues.News) error { return errors.New("webhook is down") }); err == nil {
		t.Fatal("a webhook that is down is no error")
	}
	ask(tell)
	if len(heard) != 0 {
		t.Fatalf("it is told again at once: %+v", heard)
	}
	c.turn(5 * time.Minute)
	ask(tell)
	if len(heard) != 1 || heard[0].Letters != 1 || heard[0].Groups[0].Sample != "late" || len(heard[0].Stalled) != 0 {
		t.Fatalf("told: %s", mustJSON(t, heard))
	}
	// A lane comes to a halt, and goes on again.
	b.publish(t, usher.CampaignPause, `{"id":"word","campaign":"SANDBOX1-a"}`)
	c.turn(20 * time.Minute)
	ask(tell)
	ask(tell)
	if len(heard) != 2 || len(heard[1].Stalled) != 1 || heard[1].Stalled[0].Lane != queues.Campaign {
		t.Fatalf("told: %s", mustJSON(t, heard))
	}
	if err := next(t, slot(t, q, queues.Campaign)).End(done(0)); err != nil {
		t.Fatal(err)
	}
	ask(tell)
	ask(tell)
	if len(heard) != 3 || len(heard[2].Moving) != 1 {
		t.Fatalf("told: %s", mustJSON(t, heard))
	}
}
