package workers_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"usher"
	"usher/internal/platform"
	"usher/queues"
	"usher/workers"
	"usher/workers/internal/workertest"
)

// TestSettle checks the table of settle.go, row by row.
func TestSettle(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	failure := errors.New("it failed")
	down := &usher.Unavailable{Err: failure}
	later := &usher.RetryAfter{After: time.Minute, Why: "the platform's rate limit"}
	refusal := usher.Refuse(usher.NotFound, "look", "no such segment")
	add, pause := usher.SegmentAdd, usher.CampaignPause
	for _, c := range []struct {
		name        string
		kind        usher.Kind
		err         error
		attempts    int
		age         time.Duration
		deadline    time.Duration // from now; 0: none
		open        bool          // the breaker
		want        string
		least, most time.Duration // delay of the retry
	}{
		{name: "done", kind: add, want: "done"},
		{name: "shutdown", kind: add, err: usher.ErrShutdown, attempts: 8, age: 99 * time.Hour, want: "retry"},
		{name: "lost lease", kind: add, err: usher.ErrLeaseLost, want: "retry"},
		{name: "cancelled", kind: add, err: usher.ErrCancelled, want: "cancelled"},
		{name: "another part ended it", kind: add, err: usher.ErrEnding, want: "cancelled"},
		{name: "deadline", kind: add, err: usher.ErrDeadline, want: "failed deadline"},
		{name: "permanent", kind: add, err: fmt.Errorf("upload: %w", refusal), want: "failed not_found"},
		{name: "retry after", kind: add, err: fmt.Errorf("upload: %w", later), attempts: 99, want: "retry", least: time.Minute, most: 72 * time.Second},
		{name: "retry after, too old", kind: add, err: later, age: 25 * time.Hour, want: "failed exhausted"},
		{name: "retry after, old for a campaign only", kind: add, err: later, age: 2 * time.Hour, want: "retry", least: time.Minute, most: 72 * time.Second},
		{name: "retry after, too old for a campaign", kind: pause, err: later, age: 61 * time.Minute, want: "failed exhausted"},
		{name: "first attempt", kind: add, err: failure, want: "retry, counted", least: 5 * time.Second, most: 6 * time.Second},
		{name: "fourth attempt", kind: add, err: failure, attempts: 4, want: "retry, counted", least: 40 * time.Second, most: 48 * time.Second},
		{name: "seventh attempt", kind: add, err: failure, attempts: 7, want: "retry, counted", least: 320 * time.Second, most: 384 * time.Second},
		{name: "last attempt", kind: add, err: failure, attempts: 8, want: "failed exhausted"},
		{name: "a pause, first attempt", kind: pause, err: failure, want: "retry, counted", least: 5 * time.Second, most: 6 * time.Second},
		{name: "a pause, hundredth attempt", kind: pause, err: failure, attempts: 100, age: 59 * time.Minute, want: "retry, counted", least: 5 * time.Second, most: 6 * time.Second},
		{name: "a pause, too old", kind: pause, err: failure, attempts: 700, age: 61 * time.Minute, want: "failed exhausted"},
		{name: "a pause, unauthorized for an hour", kind: pause, err: usher.ErrUnauthorized, attempts: 700, age: 61 * time.Minute, want: "failed unauthorized"},
		{name: "a pause, permanent", kind: pause, err: refusal, want: "failed not_found"},
		{name: "last attempt, unauthorized", kind: add, err: fmt.Errorf("log in: %w", usher.ErrUnauthorized), attempts: 8, want: "failed unauthorized"},
		{name: "slow source, first attempt", kind: add, err: fmt.Errorf("read: %w", usher.ErrSlowSource), attempts: 1, want: "retry, counted", least: 60 * time.Second, most: 72 * time.Second},
		{name: "slow source", kind: add, err: fmt.Errorf("read: %w", usher.ErrSlowSource), attempts: 7, want: "retry, counted", least: 320 * time.Second, most: 384 * time.Second},
		{name: "last attempt, slow source", kind: add, err: fmt.Errorf("read: %w", usher.ErrSlowSource), attempts: 8, want: "failed source_broken"},
		{name: "unauthorized", kind: add, err: usher.ErrUnauthorized, want: "retry, counted", least: 5 * time.Second, most: 6 * time.Second},
		{name: "platform fails", kind: add, err: down, want: "retry, counted", least: 5 * time.Second, most: 6 * time.Second},
		{name: "platform is down", kind: add, err: down, attempts: 8, open: true, want: "retry", least: 5 * time.Second, most: 6 * time.Second},
		{name: "login is refused for a night", kind: pause, err: &usher.RetryAfter{Err: &usher.Unavailable{Err: usher.ErrUnauthorized}}, age: 9 * time.Hour, attempts: 8, open: true, want: "retry", least: 5 * time.Second, most: 6 * time.Second},
		{name: "platform hangs", kind: add, err: fmt.Errorf("read: %w", context.DeadlineExceeded), attempts: 8, open: true, want: "retry", least: 5 * time.Second, most: 6 * time.Second},
		{name: "platform is down for a night", kind: pause, err: down, age: 9 * time.Hour, open: true, want: "retry", least: 5 * time.Second, most: 6 * time.Second},
		{name: "deadline before the next attempt", kind: add, err: failure, attempts: 7, deadline: 10 * time.Second, want: "retry, counted", least: 10 * time.Second, most: 10 * time.Second},
		{name: "deadline before a retry after", kind: add, err: later, deadline: 10 * time.Second, want: "retry", least: 10 * time.Second, most: 10 * time.Second},
		{name: "deadline just over", kind: add, err: later, deadline: -time.Second, want: "retry", most: time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			breaker := platform.NewBreaker(nil, time.Minute, time.Now, slog.New(slog.DiscardHandler))
			for range 5 {
				if c.open {
					breaker.Observe(down, false)
				}
			}
			s := &workertest.Lease{Piece: usher.Work{Kind: c.kind, Attempts: c.attempts, Published: now.Add(-c.age)}}
			if c.deadline != 0 {
				s.Piece.Job.Deadline = now.Add(c.deadline)
			}
			s.Begin(t.Context())
			w := &workers.Worker{Breaker: breaker, Now: func() time.Time { return now }}
			if err := workers.Settle(w, s, c.err); err != nil {
				t.Fatal(err)
			}
			s.Want(t, c.want)
			if s.Retried != nil && (s.Retried.After < c.least || s.Retried.After > c.most) {
				t.Errorf("retried after %s, not %s to %s", s.Retried.After, c.least, c.most)
			}
			if s.Retried != nil && s.Retried.Why == "" {
				t.Error("the record does not say what the job waits for")
			}
			if s.Ended != nil && s.Ended.Error != nil && s.Ended.Error.Hint == "" {
				t.Error("the error has no hint")
			}
		})
	}
}

// A worker whose clock is wrong by an hour judges the age and the deadline of a campaign
// job like any other worker: by the clock of NATS.
func TestWrongClock(t *testing.T) {
	t.Parallel()
	const long = time.Hour / 2
	for name, c := range map[string]struct {
		wrong, age, deadline time.Duration
		fails                bool // once
		state                usher.State
		class                usher.Class
	}{
		"fast, a young job":             {wrong: time.Hour, age: long, deadline: 2 * time.Hour, fails: true, state: usher.Done},
		"slow, a dead job":              {wrong: -time.Hour, age: time.Nanosecond, deadline: long, fails: true, state: usher.Failed, class: usher.Exhausted},
		"fast, a deadline to come":      {wrong: time.Hour, age: long, deadline: long, state: usher.Done},
		"slow, a deadline that is over": {wrong: -time.Hour, age: long, deadline: 0, state: usher.Failed, class: usher.Deadline},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := workertest.NewQueue(t)
			jobs, err := queues.Open(t.Context(), q.JS.Conn(), queues.Options{Now: func() time.Time { return time.Now().Add(c.wrong) }})
			if err != nil {
				t.Fatal(err)
			}
			q.Worker.Now, q.Worker.Limits.CampaignAge, q.Worker.Limits.FirstRetry = jobs.Now, c.age, time.Millisecond
			if c.fails {
				q.Fault("campaigns.lock", "status", map[string]any{"status": 500, "times": 1})
			}
			deadline := time.Now().Add(c.deadline).UTC().Format(time.RFC3339Nano)
			q.Publish(usher.CampaignPause, fmt.Sprintf(`{"id":"pause","campaign":"SANDBOX1-spring","deadline":%q}`, deadline))
			q.Start()
			e := q.Until("pause", c.state)
			if class := classOf(e.Error); class != c.class {
				t.Errorf("it failed with class %q, want %q", class, c.class)
			}
		})
	}
}

func classOf(e *usher.JobError) usher.Class {
	if e == nil {
		return ""
	}
	return e.Class
}
