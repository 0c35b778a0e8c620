package letters_test

import (
	"context"
	"fmt"
	"log"

	"usher"
	"usher/queues"
	"usher/queues/audit"
	"usher/queues/letters"
)

// Replay the jobs that failed because their export was missing.
func ExampleLetters_Replay() {
	var (
		ctx = context.Background()
		q   *queues.Queue // of queues.Open
	)
	all := letters.New(q)
	plan, err := all.PlanReplay(ctx, letters.Filter{Class: usher.SourceMissing}, false)
	if err != nil {
		log.Fatal(err)
	}
	report, err := all.Replay(ctx, &plan, letters.ReplayOptions{Act: audit.Act{Actor: "ann", Reason: "the exports are there now"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d replayed, %d skipped\n", report.Replayed, report.Left)
}
