package letters_test

import (
	"context"
	"fmt"

	"usher"
	"usher/queues"
	"usher/queues/audit"
	"usher/queues/lanes"
	"usher/queues/letters"
	"usher/queues/queuetest"
)

// Replay the jobs that failed because their export was missing.
func ExampleLetters_Replay() {
	q, stop := queuetest.Open()
	defer stop()
	ctx := context.Background()
	if err := failJob(ctx, q); err != nil {
		fmt.Println(err)
		return
	}
	all := letters.New(q)
	plan, err := all.PlanReplay(ctx, letters.Filter{Class: usher.SourceMissing}, letters.ReplayOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := all.Replay(ctx, &plan, letters.ReplayOptions{Act: audit.Act{Actor: "ann", Reason: "the exports exist now"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d replayed, %d skipped\n", report.Replayed, report.Left)
	// Output: 1 replayed, 0 skipped
}

// failJob publishes a job, takes it as a worker does, and ends it as failed.
func failJob(ctx context.Context, q *queues.Queue) error {
	if _, err := q.Submit(ctx, usher.SegmentAdd, []byte(queuetest.AddJob)); err != nil {
		return err
	}
	slot, err := q.Deliveries(ctx, lanes.Audience)
	if err != nil {
		return err
	}
	lease, err := slot.Next(ctx, ctx)
	if err != nil {
		return err
	}
	return lease.End(queuetest.Failed(usher.SourceMissing))
}
