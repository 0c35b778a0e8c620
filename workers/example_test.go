package workers_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/workers"
)

// up is a breaker of a platform that is always up.
type up struct{}

func (up) Open() bool                             { return false }
func (up) Wait(ctx context.Context, _ bool) error { return context.Cause(ctx) }

// delivery is a piece of work in memory.
type delivery struct {
	workers.Lease // the example implements only Work, Context and End

	work  usher.Work
	ended func()
}

func (d delivery) Work() usher.Work         { return d.work }
func (d delivery) Context() context.Context { return context.Background() }

func (d delivery) End(e usher.Ending) error {
	fmt.Println(d.work.ID, "ends", e.State)
	d.ended()
	return nil
}

// source yields deliveries from a channel.
type source chan delivery

func (s source) Next(fetch, _ context.Context) (workers.Lease, error) {
	select {
	case d := <-s:
		return d, nil
	case <-fetch.Done():
		return nil, context.Cause(fetch)
	}
}

// A worker takes work from its lanes, calls the handler of the kind and settles
// the work by what the handler returns. A queue is such a source.
func ExampleWorker() {
	fetch, stop := context.WithCancel(context.Background())
	jobs := make(source, 1)
	jobs <- delivery{work: usher.Work{ID: "pause-17", Kind: usher.CampaignPause, Job: usher.Job{Campaign: "SPRING"}}, ended: stop}
	worker := &workers.Worker{
		Lanes: []workers.Lane{{
			Name: "campaign", Slots: 1,
			Open: func(context.Context, func()) (workers.Source, error) { return jobs, nil },
		}},
		Handlers: map[usher.Kind]workers.Handler{
			usher.CampaignPause: func(_ context.Context, job *workers.Job) error {
				fmt.Println("pausing", job.Work.Job.Campaign)
				return nil
			},
		},
		Platform: func(string, bool) *rtb.Client { return nil }, // the handler above makes no call
		Breaker:  up{},
		Logger:   slog.New(slog.DiscardHandler),
	}
	if err := worker.Run(fetch, context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// pausing SPRING
	// pause-17 ends done
}

func ExampleWait() {
	err := workers.Wait(5*time.Second, "waits for job %s", "crm-18")
	var later *usher.RetryAfter
	if errors.As(err, &later) {
		fmt.Println(later.After, later.Why)
	}
	// Output: 5s waits for job crm-18
}

func ExampleIsNotFound() {
	err := usher.Refuse(usher.NotFound, "check the segment's id", "no such segment")
	fmt.Println(workers.IsNotFound(fmt.Errorf("read segment 17: %w", err)))
	// Output: true
}
