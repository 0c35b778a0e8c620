package console

import (
	"strings"
	"testing"
	"time"

	"usher"
	"usher/internal/feeds"
)

// The overview says in a line for each rule what it took back, and counts what the list of names does
// not have.
func TestTookBackOnOverview(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 5, 20, 7, 0, 0, 0, time.UTC)
	run := func(id string, count int, names ...string) usher.Blindness {
		b := usher.Blindness{File: "caps", Rule: "stop", TookBack: id, Since: at, Count: count}
		for _, name := range names {
			b.On = append(b.On, usher.BlindSpot{Campaign: "A", Creative: name, Changed: "INACTIVE → ACTIVE", Since: at})
		}
		return b
	}
	var o overview
	o.addBlind([]usher.Blindness{run("two", 1, "c"), run("one", 40, "a", "b")})
	if len(o.Problems) != 1 {
		t.Fatalf("there are %+v", o.Problems)
	}
	p := o.Problems[0]
	if p.Message != "Rule stop of caps took back what somebody had changed on the platform: A c, A a, A b and 38 more" || p.Count != 41 || p.Page != "/rules/runs/two" || !strings.HasPrefix(p.About, "INACTIVE") {
		t.Errorf("it says %+v", p)
	}
}

// A feed that cannot look, and one that is wrong in the feed files, are problems of their audience.
func TestBlindFeedOfAudience(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 5, 20, 7, 0, 0, 0, time.UTC)
	s := feedState{State: feeds.State{Name: "crm", Blind: "access is denied", BlindSince: at, Problem: "line 4 is wrong", Spec: feeds.Spec{Every: "1m0s"}}}
	var a audienceRow
	a.addFeed(&s, at.Add(time.Hour))
	if a.Feed.Blind == nil || !a.Feed.Blind.Equal(at) {
		t.Errorf("the feed is blind since %v", a.Feed.Blind)
	}
	if len(a.Problems) != 1 || a.Problems[0].Level != "bad" || !strings.HasSuffix(a.Problems[0].Message, "access is denied") {
		t.Errorf("the problems are %+v", a.Problems)
	}
	s.Paused = &usher.Setting{By: "anna"}
	var paused audienceRow
	paused.addFeed(&s, at.Add(time.Hour))
	if paused.Feed.Blind != nil || len(paused.Problems) != 2 || !strings.HasSuffix(paused.Problems[1].Message, "line 4 is wrong") {
		t.Errorf("a paused feed is blind since %v, with %+v", paused.Feed.Blind, paused.Problems)
	}
}
