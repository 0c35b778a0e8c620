package evaluation_test

import (
	"context"
	"log/slog"

	"usher"
	"usher/internal/platform"
	"usher/internal/rules/files"
	"usher/queues"
	"usher/queues/rulings"
	"usher/workers"
	"usher/workers/evaluation"
)

// The wiring of a worker registers the handler for its kind.
func ExampleHandler() {
	var ( // which need servers and files
		queue   *queues.Queue
		clients *platform.Platform
		sets    *files.Files
	)
	handler := &evaluation.Handler{Rules: sets, Store: rulings.New(queue, nil), Stopped: rulings.NewStopSwitch(queue).Stopped, Platform: clients.Client}
	_ = workers.Worker{Handlers: map[usher.Kind]workers.Handler{usher.RulesEvaluate: handler.Run}}
}

// Every worker runs a scheduler; a tick is one job for all of them.
func ExampleScheduler() {
	var ( // which need servers and files
		queue *queues.Queue
		sets  *files.Files
	)
	scheduler := &evaluation.Scheduler{Rules: sets, Ticks: rulings.New(queue, nil), Logger: slog.Default()}
	scheduler.Run(context.Background())
}
