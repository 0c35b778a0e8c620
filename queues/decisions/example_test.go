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
