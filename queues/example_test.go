package queues_test

import (
	"context"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/pipeline"
	"usher/queues"
	"usher/queues/lanes"
	"usher/queues/queuetest"
)

// Declare creates the streams once. Open connects a process to them.
func Example() {
	url, stop := queuetest.Serve()
	defer stop()
	ctx := context.Background()
	nc, err := nats.Connect(url)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		fmt.Println(err)
		return
	}
	o := queues.Options{HashInline: pipeline.HashInline, MergeSketch: pipeline.MergeSketch, Distinct: pipeline.Distinct}
	if err := queues.Declare(ctx, js, o); err != nil {
		fmt.Println(err)
		return
	}
	q, err := queues.Open(ctx, nc, o)
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := q.Submit(ctx, usher.CampaignPause, []byte(`{"id":"pause-17","campaign":"SANDBOX1-spring"}`))
	fmt.Println(answer.ID, answer.Errors, err)
	answer, err = q.Submit(ctx, usher.CampaignPause, []byte(`{"id":"pause-18"}`))
	fmt.Println(answer.Errors[0].Pointer, answer.Errors[0].Message, err)
	// Output:
	// pause-17 [] <nil>
	// /campaign is required <nil>
}

// A slot of a worker takes one job after another.
func ExampleDeliveries_Next() {
	q, stop := queuetest.Open()
	defer stop()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if _, err := q.Submit(ctx, usher.CampaignPause, []byte(`{"id":"pause-17","campaign":"SANDBOX1-spring"}`)); err != nil {
		fmt.Println(err)
		return
	}
	slot, err := q.Deliveries(ctx, lanes.Campaign)
	if err != nil {
		fmt.Println(err)
		return
	}
	for {
		lease, err := slot.Next(ctx, ctx)
		if err != nil {
			return // ctx has ended
		}
		fmt.Println("pausing", lease.Work().Job.Campaign)
		if err := lease.End(usher.Ending{State: usher.Done, Progress: lease.Work().Progress}); err != nil {
			fmt.Println(err)
		}
		cancel() // a worker would wait for the next job
	}
	// Output: pausing SANDBOX1-spring
}
