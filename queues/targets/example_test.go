package targets_test

import (
	"fmt"

	"usher"
	"usher/queues/targets"
)

// Jobs that change a segment or a campaign's target run in order; pauses do not wait for them.
func ExampleOrdered() {
	fmt.Println(targets.Ordered(usher.SegmentAdd), targets.Ordered(usher.TargetReplace), targets.Ordered(usher.CampaignPause))
	// Output: true true false
}
