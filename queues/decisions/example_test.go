package decisions_test

import (
	"context"
	"fmt"
	"time"

	"usher"
	"usher/queues/decisions"
	"usher/queues/queuetest"
)

// Print why a creative was paused.
func ExampleStore_Story() {
	q, stop := queuetest.Open()
	defer stop()
	ctx := context.Background()
	stored := decisions.New(q, nil)
	evaluation := usher.Evaluation{ID: "tick-7", File: "budgets", Account: "SANDBOX1", At: time.Now(), State: usher.EvaluationDone}
	_, err := stored.StoreAndEnact(ctx, evaluation, []usher.StoredDecision{{Decision: usher.Decision{
		Campaign: "SANDBOX1-spring", Creative: "spring-1", Rule: "stop", Action: usher.Pause, Reason: "grossMediaSpend >= budget (101 >= 100)",
	}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	story, err := stored.Story(ctx, "spring-1")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range story.Pages {
		fmt.Println(p.Decision.Action, p.Decision.Rule, p.Decision.Reason)
	}
	// Output: pause stop grossMediaSpend >= budget (101 >= 100)
}

// While the stop switch is on, no job changes a campaign.
func ExampleStopSwitch() {
	q, stop := queuetest.Open()
	defer stop()
	ctx := context.Background()
	stopSwitch := decisions.NewStopSwitch(q)
	if err := stopSwitch.Stop(ctx, "reports are wrong", "ann"); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(stopSwitch.Stopped(ctx))
	if err := stopSwitch.Start(ctx, "ann"); err != nil {
		fmt.Println(err)
		return
	}
	_, stopped, err := stopSwitch.Stopped(ctx)
	fmt.Println(stopped, err)
	// Output:
	// reports are wrong true <nil>
	// false <nil>
}
