package queues_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues"
	"usher/queues/audit"
	"usher/queues/lanes"
	"usher/queues/queuetest"
	"usher/queues/records"
)

// Two processes publish the same at the same time on streams with replicas. Both are told that it
// is published.
func TestTheSameIsPublishedAtOnce(t *testing.T) {
	t.Parallel()
	const rounds = 20
	b := queuetest.NewReplicated(t)
	processes := []*queues.Queue{b.Queue(t), b.Beside(t).Queue(t)}
	at := time.Date(2026, 11, 24, 8, 0, 0, 0, time.UTC)
	for way, publish := range map[string]func(ctx context.Context, q *queues.Queue, i int) error{
		"job of a rule": func(ctx context.Context, q *queues.Queue, i int) error {
			pause := usher.Job{ID: fmt.Sprintf("rule-%d", i), Campaign: "SANDBOX1-spring"}
			return q.PublishJobs(ctx, []queues.NewJob{{Kind: usher.CampaignPause, Job: pause}})
		},
		"submitted job": func(ctx context.Context, q *queues.Queue, i int) error {
			answer, err := q.Submit(ctx, usher.SegmentAdd, []byte(queuetest.JobOn(fmt.Sprintf("submitted-%d", i), "1")))
			if err == nil && len(answer.Errors) > 0 {
				err = fmt.Errorf("it is refused: %+v", answer.Errors)
			}
			return err
		},
		"dead letter": func(ctx context.Context, q *queues.Queue, i int) error {
			id := fmt.Sprintf("dead-%d", i)
			l := queues.Letter{DeadLetter: usher.DeadLetter{ID: &id, Run: 1, Kind: usher.SegmentAdd, Class: usher.NotFound, At: at}}
			_, _, err := q.StoreLetter(ctx, l, id)
			return err
		},
		"audit": func(ctx context.Context, q *queues.Queue, i int) error {
			return audit.New(q.Store()).Append(ctx, audit.Settings, usher.Audit{At: at, Actor: "alice"}, fmt.Sprintf("audit-%d", i))
		},
		"events": func(ctx context.Context, q *queues.Queue, i int) error {
			e := usher.Event{ID: fmt.Sprintf("event-%d", i), Run: 1, State: usher.Running, At: at}
			next := e
			next.State = usher.Done
			return new(records.Outbox).Publish(ctx, q.Store(), []usher.Event{e, next}, false)
		},
		"released job": func(ctx context.Context, q *queues.Queue, i int) error {
			return q.PublishReleased(ctx, lanes.Audience, uint64(i+1))
		},
	} {
		for i := range rounds {
			var both sync.WaitGroup
			begin := make(chan struct{})
			for _, q := range processes {
				both.Go(func() {
					<-begin
					if err := publish(t.Context(), q, i); err != nil {
						t.Errorf("%s %d: %v", way, i, err)
					}
				})
			}
			close(begin)
			both.Wait()
		}
	}
}

// A publish that NATS never answers ends, so that the evaluation of a rule is tried again: its heartbeats
// would go on for ever.
func TestPublishJobsWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	b := queuetest.NewOn(t, &natsserver.Options{})
	q := b.Queue(t)
	b.Swallow(t, "usher.runs.campaign.pause")
	job := queues.NewJob{Kind: usher.CampaignPause, Job: usher.Job{ID: "tick.A.pause", Campaign: "SANDBOX1-a"}}
	if err := q.PublishJobs(t.Context(), []queues.NewJob{job}); !errors.Is(err, jetstream.ErrAsyncPublishTimeout) {
		t.Errorf("publishing ended with %v", err)
	}
}
