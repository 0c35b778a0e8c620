package audit_test

import (
	"context"
	"fmt"

	"usher"
	"usher/queues/audit"
	"usher/queues/queuetest"
)

// An operator's change is recorded with actor and reason, and found by a filter.
func ExampleLog_Each() {
	q, stop := queuetest.Open()
	defer stop()
	ctx := context.Background()
	log := q.Audit()
	act := audit.Act{Actor: "ann", Reason: "the platform asked us to"}
	if err := log.Setting(ctx, q.Now(), "limit of SANDBOX1", "100/s", "20/s", act); err != nil {
		fmt.Println(err)
		return
	}
	err := log.Each(ctx, audit.Filter{Actor: "ann"}, func(entry usher.Audit) error {
		fmt.Printf("%s: %s → %s: %s\n", entry.Actor, entry.Before, entry.After, entry.Reason)
		return nil
	})
	fmt.Println(err)
	// Output:
	// ann: limit of SANDBOX1 100/s → limit of SANDBOX1 20/s: the platform asked us to
	// <nil>
}
