package operations

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestFlightsSettleInAnySteps settles a flight at random times. The result is the same as
// without these steps, no figure decreases, and no time is counted twice.
func TestFlightsSettleInAnySteps(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		start := time.Date(2026, 2, 27, 0, 0, 0, 0, time.UTC).Add(time.Duration(rapid.Int64Range(0, 86_400_000).Draw(t, "start")) * time.Millisecond)
		stepwise := flight{Creative: "c", From: start, Pace: rapid.Float64Range(0, 100).Draw(t, "pace")}
		untouched, now := stepwise, start
		var before figures
		for _, step := range rapid.SliceOfN(rapid.Int64Range(0, 200_000_000), 1, 12).Draw(t, "steps") {
			now = now.Add(time.Duration(step) * time.Millisecond)
			stepwise = stepwise.settled(now)
			var millis int64
			var all figures
			for _, day := range stepwise.Days {
				millis += day.Millis
				all = all.plus(day.figures("c", 15))
			}
			if millis != now.Sub(start).Milliseconds() {
				t.Fatalf("after %s there are %d ms", now.Sub(start), millis)
			}
			if falls(before, all) {
				t.Fatalf("from %+v to %+v", before, all)
			}
			before = all
		}
		once := untouched.settled(now)
		if len(untouched.Days) != 0 || len(once.Days) != len(stepwise.Days) {
			t.Fatalf("days: %v, in steps %v", once.Days, stepwise.Days)
		}
		for day, want := range once.Days {
			if got := stepwise.Days[day]; got.Millis != want.Millis || math.Abs(got.Net-want.Net) > 1e-6*max(1, want.Net) {
				t.Fatalf("%s: in steps %+v, at once %+v", day, got, want)
			}
		}
	})
}

// falls reports whether any figure has decreased.
func falls(before, after figures) bool {
	return after.auctions < before.auctions || after.bids < before.bids || after.won < before.won || after.impressions < before.impressions ||
		after.clicks < before.clicks || after.uniqueClicks < before.uniqueClicks || after.engagements < before.engagements ||
		after.uniqueEngagements < before.uniqueEngagements || after.net < before.net || after.gross < before.gross
}

// TestSharesAddUp divides a total by share and by divide.
func TestSharesAddUp(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		total := rapid.Int64Range(0, 1<<40).Draw(t, "total")
		n := rapid.IntRange(1, 9).Draw(t, "n")
		var shared, divided int64
		for i := range n {
			shared += share(total, i, n)
		}
		for _, part := range divide(total, planningDevices()) {
			divided += part
		}
		if shared != total || divided != total {
			t.Fatalf("%d shared is %d, divided %d", total, shared, divided)
		}
	})
}
