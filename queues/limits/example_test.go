package limits_test

import (
	"context"
	"fmt"

	"usher/queues/audit"
	"usher/queues/limits"
	"usher/queues/queuetest"
)

// A limit that is set applies to all workers within seconds.
func ExampleLimits_Set() {
	q, stop := queuetest.Open()
	defer stop()
	ctx := context.Background()
	act := audit.Act{Actor: "ann", Reason: "the platform asked us to"}
	if err := q.Limits().Set(ctx, limits.Limit{Advertiser: "SANDBOX1", PerSecond: 20}, act); err != nil {
		fmt.Println(err)
		return
	}
	list, err := q.Limits().List(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, l := range list {
		fmt.Println(l.Advertiser, l.String(), "by", l.By)
	}
	// Output: SANDBOX1 20/s by ann
}
