package letters

import (
	"fmt"
	"slices"
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
	if last := list[len(list)-1]; len(list) != maxGroups+1 || count != n || last.Count != 500 || last.Group != "" {
		t.Errorf("%d groups of %d letters, the last %+v", len(list), count, last)
	}
}

// A pause that has failed comes before all uploads, however many there are, then what has not removed
// people; a mirror comes before an upload. Among equals the oldest comes first.
func TestGroupsAreRanked(t *testing.T) {
	t.Parallel()
	var all groups
	add := func(k usher.Kind, target string, at, n int) {
		for i := range n {
			all.add(&usher.DeadLetter{Class: usher.NotFound, Kind: k, Target: target, Message: "gone", At: time.Unix(int64(at+i), 0)})
		}
	}
	add(usher.SegmentAdd, "segment 1", 0, 50)
	add(usher.SegmentMirror, "segment 2", 10, 4000)
	add(usher.SegmentAdd, "segment 3", 20, 1)
	add(usher.SegmentRemove, "segment 9", 7000, 1)
	add(usher.RulesEvaluate, "rules x", 6000, 1)
	add(usher.CampaignPause, "campaign B", 9000, 1)
	add(usher.CampaignBudget, "campaign A", 8000, 1)
	var got []string
	for _, g := range all.list() {
		got = append(got, g.Target)
	}
	if want := []string{"campaign B", "campaign A", "segment 9", "rules x", "segment 2", "segment 1", "segment 3"}; !slices.Equal(got, want) {
		t.Errorf("the order is %q, want %q", got, want)
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

// A group says what its newest letter says: no message has numbers that no job has.
func TestMessageOfGroup(t *testing.T) {
	t.Parallel()
	var all groups
	for i, at := range []int64{2, 3, 1} {
		id := fmt.Sprint("job-", i)
		all.add(&usher.DeadLetter{ID: &id, Class: usher.Shrink, Message: fmt.Sprintf("would remove %d of 6 members", i), Hint: fmt.Sprint("hint ", i), At: time.Unix(at, 0)})
	}
	if list := all.list(); len(list) != 1 || list[0].Count != 3 || list[0].Message != "would remove 1 of 6 members" || list[0].Hint != "hint 1" || list[0].Sample != "job-1" {
		t.Errorf("the groups are %+v", list)
	}
}
