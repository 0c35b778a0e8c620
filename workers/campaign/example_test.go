package campaign_test

import (
	"context"
	"fmt"
	"time"

	"usher"
	"usher/queues/decisions"
	"usher/queues/lanes"
	"usher/queues/queuetest"
	"usher/workers/campaign"
	"usher/workers/internal/workertest"
)

// A worker registers the method Run as the handler of four kinds. Lock is that of a fleet in
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
		Lock: workertest.FreeLock, Stopped: queue.Settings().Stopped, RuleStore: decisions.New(queue, nil),
		Gate: func() error { return nil },
	}
	if err := workertest.RunNext(queue, lanes.Campaign, client, usher.CampaignPause, handler.Run); err != nil {
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

// The job of a decision about a budget sets the number.
func ExampleHandler_budget() {
	queue, stop := queuetest.Open()
	defer stop()
	client, stopSandbox := workertest.OpenSandbox()
	defer stopSandbox()
	ctx := context.Background()
	stored := decisions.New(queue, nil)
	evaluation := usher.Evaluation{ID: "tick-7", File: "spend", Account: "SANDBOX1", At: time.Now(), State: usher.EvaluationDone}
	decision := usher.Decision{
		Campaign: "SANDBOX1-summer", Rule: "cheaper-clicks", Action: usher.Decrease, Reason: "cpc > 2 (3 > 2)",
		Bidding: &usher.BiddingChange{Field: usher.BudgetField, From: 100, To: 80, Currency: "USD"},
	}
	if _, err := stored.StoreAndEnact(ctx, evaluation, []usher.StoredDecision{{Decision: decision, Seen: usher.CreativeState{Status: decision.Bidding.Before()}}}); err != nil {
		fmt.Println(err)
		return
	}
	handler := &campaign.Handler{
		Lock: workertest.FreeLock, Stopped: queue.Settings().Stopped, RuleStore: stored,
		Actions: []usher.BiddingField{usher.BudgetField},
		Gate:    func() error { return nil },
	}
	if err := workertest.RunNext(queue, lanes.Campaign, client, usher.CampaignBudget, handler.Run); err != nil {
		fmt.Println(err)
		return
	}
	story, err := stored.Story(ctx, "SANDBOX1-summer")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range story.Pages {
		if p.Audit != nil {
			fmt.Println(p.Audit.Before, "→", p.Audit.After)
		}
	}
	// Output: 100 USD → 80 USD
}
