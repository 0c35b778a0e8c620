package settings_test

import (
	"context"
	"fmt"

	"usher"
	"usher/queues/audit"
	"usher/queues/queuetest"
)

// A limit that is set applies to all workers within seconds.
func ExampleSettings_Set() {
	q, stop := queuetest.Open()
	defer stop()
	ctx := context.Background()
	limit := usher.Setting{Kind: usher.RateLimit, Name: "SANDBOX1", Rate: usher.Rate{PerSecond: 20}}
	if err := q.Settings().Set(ctx, limit, audit.Act{Actor: "ann", Reason: "the platform asked us to"}); err != nil {
		fmt.Println(err)
		return
	}
	limits, err := q.Settings().List(ctx, usher.RateLimit)
	if err != nil {
		fmt.Println(err)
		return
	}
	for advertiser, limit := range limits {
		fmt.Println(advertiser, limit.String())
	}
	// Output: SANDBOX1 20/s by ann: the platform asked us to
}

// While the stop switch is set, no job changes a campaign.
func ExampleSettings_Stopped() {
	q, stop := queuetest.Open()
	defer stop()
	ctx := context.Background()
	set := q.Settings()
	if err := set.Set(ctx, usher.Setting{Kind: usher.StopSwitch}, audit.Act{Actor: "ann", Reason: "reports are wrong"}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(set.Stopped(ctx))
	if err := set.TakeBack(ctx, usher.StopSwitch, "", audit.Act{Actor: "ann"}); err != nil {
		fmt.Println(err)
		return
	}
	_, stopped, err := set.Stopped(ctx)
	fmt.Println(stopped, err)
	// Output:
	// reports are wrong true <nil>
	// false <nil>
}
