package letters

import (
	"fmt"
	"testing"
	"time"

	"usher"
)

func TestShapeOf(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"it failed": "it failed",
		"open file:///exports/crm-2026-11-21.csv: no such file":                              "open file:///exports/#: no such file",
		"segments.get on /v3/segments/9: the platform answered 404 E10404: segment 9 is off": "segments.get on /#/segments/#: the platform answered 404 E10404: segment # is off",
		"8 attempts, the last one: dial tcp 127.0.0.1:39421: refused":                        "# attempts, the last one: dial tcp #:#: refused",
		"not done 24h1m2s after it was published.":                                           "not done # after it was published.",
		"line 17 is no UTF-8, AUTH001":                                                       "line # is no UTF-8, AUTH001",
		"job 6f1c-ab9_x ist für Straße 5":                                                    "job # ist für Straße #",
	} {
		if got := shapeOf(message); got != want {
			t.Errorf("%q has shape %q, not %q", message, got, want)
		}
	}
}

// The number of groups is bounded, and every letter is counted.
func TestGroupsAreBounded(t *testing.T) {
	t.Parallel()
	var all groups
	const n = maxGroups + 500
	for i := range n {
		all.add(&usher.DeadLetter{Class: usher.NotFound, Kind: usher.SegmentAdd, Target: fmt.Sprint("segment ", i), Message: "gone", At: time.Unix(int64(i), 0)})
	}
	list, count := all.list(), 0
	for _, g := range list {
		count += g.Count
	}
	if len(list) != maxGroups+1 || count != n || list[0].Count != 500 || list[0].Group != "" {
		t.Errorf("%d groups of %d letters, the largest %+v", len(list), count, list[0])
	}
}

// A group says how many letters came in each five minutes of the last hour.
func TestRecentLetters(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	all := groups{now: now}
	for _, ago := range []time.Duration{-time.Second, 0, time.Minute, 5 * time.Minute, 59 * time.Minute, time.Hour, 48 * time.Hour} {
		all.add(&usher.DeadLetter{Class: usher.NotFound, Message: "gone", Hint: "look", At: now.Add(-ago)})
	}
	g := all.list()[0]
	if want := [12]int{0: 1, 10: 1, 11: 3}; g.Count != 7 || g.Recent != want || g.Hint != "look" {
		t.Errorf("the group is %+v", g)
	}
}
