package console_test

import (
	"os"
	"regexp"
	"testing"

	"usher"
	"usher/hashing"
)

// The page has words for every class of failures, kind of jobs and reason to drop a row.
func TestWords(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("static/words.js")
	if err != nil {
		t.Fatal(err)
	}
	has := func(what, pattern string) {
		if !regexp.MustCompile(`(?m)` + pattern).Match(text) {
			t.Errorf("static/words.js has no words for %s", what)
		}
	}
	for _, c := range usher.Classes() {
		has("the class "+string(c), `^  `+string(c)+`: \{ title: "[^"]+", todo: "[^"]+\.", then: "[^"]+\."`)
	}
	for _, k := range usher.Kinds() {
		has("the kind "+string(k), `^  "`+regexp.QuoteMeta(string(k))+`": \["[^"]+", `)
	}
	for _, g := range []usher.Guard{
		usher.GuardObserve, usher.GuardDisabled, usher.GuardNotify, usher.GuardHandsOff, usher.GuardPending, usher.GuardPauseWanted, usher.GuardDecreaseWanted,
		usher.GuardBound, usher.GuardCooldown, usher.GuardFlips, usher.GuardKeepActive, usher.GuardCap, usher.GuardApproval, usher.GuardStop,
	} {
		if lifted := regexp.MustCompile(`(?m)^const lifted = \[.*"` + string(g) + `"`).Match(text); lifted != g.Approvable() {
			t.Errorf("static/words.js says %v of whether an approval lifts %s", lifted, g)
		}
	}
	for r := hashing.None + 1; r < hashing.Withheld; r++ {
		reason := r.String()
		has("the reason "+reason, `[ {]`+reason+`: "[^"]+"`)
	}
}
