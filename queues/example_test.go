package queues_test

import (
	"context"
	"fmt"
	"log"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/pipeline"
	"usher/queues"
	"usher/queues/lanes"
)

// Declare creates the streams once. Open connects a process to them.
func Example() {
	ctx := context.Background()
	nc, err := nats.Connect(nats.DefaultURL)
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
	o := queues.Options{Seal: pipeline.Seal, MergeSketch: pipeline.MergeSketch, Distinct: pipeline.Distinct}
	if err := queues.Declare(ctx, js, o); err != nil {
		fmt.Println(err)
		return
	}
	q, err := queues.Open(ctx, nc, o)
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := q.Submit(ctx, usher.CampaignPause, []byte(`{"campaign":"SANDBOX1-spring"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.ID, answer.Errors)
}

// A slot of a worker takes one job after another.
func ExampleDeliveries_Next() {
	var (
		ctx = context.Background()
		q   *queues.Queue // of Open
	)
	slot, err := q.Deliveries(ctx, lanes.Campaign)
	if err != nil {
		log.Fatal(err)
	}
	for {
		lease, err := slot.Next(ctx, ctx)
		if err != nil {
			return // ctx ended
		}
		fmt.Println(lease.Work().Job.Campaign)
		if err := lease.End(usher.Ending{State: usher.Done, Progress: lease.Work().Progress}); err != nil {
			log.Print(err)
		}
	}
}
