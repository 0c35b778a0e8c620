package status_test

import (
	"context"
	"fmt"

	"usher"
	"usher/queues/queuetest"
	"usher/queues/status"
)

// A job is listed as soon as it is published, with the reason why it waits.
func ExampleReader_Records() {
	q, stop := queuetest.Open()
	defer stop()
	ctx := context.Background()
	if _, err := q.Submit(ctx, usher.CampaignPause, []byte(`{"id":"pause-17","campaign":"SANDBOX1-spring"}`)); err != nil {
		fmt.Println(err)
		return
	}
	records, err := q.Status().Records(ctx, status.Filter{States: []usher.State{usher.Queued}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range records {
		fmt.Println(r.ID, r.State)
		fmt.Println(*r.Why)
	}
	// Output:
	// pause-17 queued
	// waits for a worker: none is running
}
