package bidding_test

import (
	"context"
	"fmt"
	"time"

	"usher"
	"usher/queues/lanes"
	"usher/queues/queuetest"
	"usher/queues/rulings"
	"usher/workers/bidding"
	"usher/workers/internal/workertest"
)

// A worker registers the method Run as the handler of campaign.budget and campaign.bid. The
// job of a decision sets the number.
func ExampleHandler() {
	queue, stop := queuetest.Open()
	defer stop()
	client, stopSandbox := workertest.OpenSandbox()
	defer stopSandbox()
	ctx := context.Background()
	stored := rulings.New(queue, nil)
	evaluation := usher.Evaluation{ID: "tick-7", File: "spend", Account: "SANDBOX1", At: time.Now(), State: usher.EvaluationDone}
	decision := usher.Decision{
		Campaign: "SANDBOX1-summer", Rule: "cheaper-clicks", Action: usher.Decrease, Reason: "cpc > 2 (3 > 2)",
		Bidding: &usher.BiddingChange{Field: usher.BudgetField, From: 100, To: 80, Currency: "USD"},
	}
	if _, err := stored.StoreAndEnact(ctx, evaluation, []usher.Ruling{{Decision: decision, Seen: usher.CreativeState{Status: decision.Bidding.Before()}}}); err != nil {
		fmt.Println(err)
		return
	}
	handler := &bidding.Handler{
		Lock: workertest.FreeLock, Stopped: rulings.NewStopSwitch(queue).Stopped, Rulebook: stored,
		Enabled: func(field usher.BiddingField) bool { return field == usher.BudgetField },
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
