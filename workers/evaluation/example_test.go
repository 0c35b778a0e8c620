package evaluation_test

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/internal/rules"
	"usher/queues/decisions"
	"usher/queues/lanes"
	"usher/queues/queuetest"
	"usher/workers/evaluation"
	"usher/workers/internal/workertest"
)

// exampleRules returns the rules of a file, as files.Files reads them.
func exampleRules() workertest.RuleSets {
	set, _ := rules.Load("budgets.yaml", []byte(`
account: SANDBOX1
timezone: UTC
rules:
  - name: stop
    scope: {campaigns: ["SANDBOX1-*"]}
    window: today
    pause_when: grossMediaSpend >= 0.95 * budget
`))
	return workertest.RuleSets{set}
}

// A worker registers the method Run as a handler. An event has the metrics on which the rules
// decide; the jobs of the decisions are published.
func ExampleHandler() {
	queue, stop := queuetest.Open()
	defer stop()
	client, stopSandbox := workertest.OpenSandbox()
	defer stopSandbox()
	ctx := context.Background()
	event := fmt.Sprintf(`{"id":"event-17","rules":"budgets","metrics":{"campaign":"SANDBOX1-spring","at":%q,"values":{"grossMediaSpend":97,"budget":100}}}`, time.Now().UTC().Format(time.RFC3339Nano))
	if _, err := queue.Submit(ctx, usher.RulesEvaluate, []byte(event)); err != nil {
		fmt.Println(err)
		return
	}
	stored := decisions.New(queue, nil)
	handler := &evaluation.Handler{
		Rules: exampleRules(), Store: stored, Stopped: queue.Settings().Stopped,
		Platform: func(string, bool) *rtb.Client { return client },
	}
	if err := workertest.RunNext(queue, lanes.Rules, client, usher.RulesEvaluate, handler.Run); err != nil {
		fmt.Println(err)
		return
	}
	run, err := stored.Evaluation(ctx, "event-17")
	fmt.Println(run.Jobs, err)
	// Output: [event-17.SANDBOX1-spring.pause] <nil>
}

// Every worker runs a scheduler. All of them together publish one job for each tick.
func ExampleScheduler() {
	queue, stop := queuetest.Open()
	defer stop()
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // a worker runs the scheduler until it stops
	scheduler := &evaluation.Scheduler{Rules: exampleRules(), Ticks: decisions.New(queue, nil), Logger: slog.New(slog.DiscardHandler)}
	scheduler.Run(ctx)
	fmt.Println("the scheduler has stopped")
	// Output: the scheduler has stopped
}
