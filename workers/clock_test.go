package workers_test

import (
	"fmt"
	"testing"
	"time"

	"usher"
	"usher/queues"
	"usher/workers/internal/workertest"
)

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
