package campaign_test

import (
	"context"
	"fmt"

	"usher"
	"usher/queues/lanes"
	"usher/queues/queuetest"
	"usher/queues/rulings"
	"usher/workers/campaign"
	"usher/workers/internal/workertest"
)

// A worker registers the methods Pause and Resume as handlers. Lock is that of a fleet in
// Redis, and Gate that of the platform's breaker.
func ExampleHandler() {
	queue, stop := queuetest.Open()
	defer stop()
	client, stopSandbox := workertest.OpenSandbox()
	defer stopSandbox()
	ctx := context.Background()
	if _, err := queue.Submit(ctx, usher.CampaignPause, []byte(`{"id":"pause-17","campaign":"SANDBOX1-spring","reason":"budget spent"}`)); err != nil {
		fmt.Println(err)
		return
	}
	handler := &campaign.Handler{
		Lock: workertest.FreeLock, Stopped: rulings.NewStopSwitch(queue).Stopped, Rulebook: rulings.New(queue, nil),
		Gate: func() error { return nil },
	}
	if err := workertest.RunNext(queue, lanes.Campaign, client, usher.CampaignPause, handler.Pause); err != nil {
		fmt.Println(err)
		return
	}
	statuses, err := client.Campaigns.Status(ctx, "SANDBOX1-spring")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range statuses {
		fmt.Println(s.CreativeCode, s.ApprovalStatus)
	}
	// Output:
	// spring-1 INACTIVE
	// spring-2 INACTIVE
}
