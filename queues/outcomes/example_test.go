package outcomes_test

import (
	"context"
	"fmt"

	"usher/internal/exports"
	"usher/internal/outcomes"
	"usher/internal/rules/figures"
	stored "usher/queues/outcomes"
	"usher/queues/queuetest"
)

// Store the installs of a day, and read what is known of them.
func ExampleStore_Put() {
	q, stop := queuetest.Open()
	defer stop()
	ctx := context.Background()
	table := &exports.Table{Header: []string{"date", "campaign", "installs"}, Rows: [][]string{{"2026-03-01", "SANDBOX1-spring", "41"}}}
	d, err := outcomes.Read(table, outcomes.Options{Account: "SANDBOX1"}, map[string][]string{"SANDBOX1-spring": nil})
	if err != nil {
		fmt.Println(err)
		return
	}
	store := stored.New(q)
	report, err := store.Put(ctx, d)
	if err != nil {
		fmt.Println(err)
		return
	}
	facts, err := store.Now(ctx, "SANDBOX1", figures.OutcomeNeed{Names: []string{"installs"}, From: "2026-02-25", To: "2026-03-03"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Stored, facts.Rows[0].Value)
	// Output: 1 41
}
