package rules_test

import (
	"strings"
	"testing"

	"usher/internal/rules"
)

// TestContradictions checks which pairs of files disagree.
func TestContradictions(t *testing.T) {
	t.Parallel()
	file := func(name, zone, scope, pause, resume, more string) *rules.Set {
		text := "account: A\ntimezone: " + zone + "\nrules:\n  - {name: r, scope: {campaigns: [" + scope + "]}, window: yesterday, pause_when: " + pause + more
		if resume != "" {
			text += ", resume_when: " + resume
		}
		set, problems := rules.Load(name+".yaml", []byte(text+"}\n"))
		if set == nil {
			t.Fatal(problems)
		}
		return set
	}
	back := file("fb", "UTC", `"A-x*", "A-[yz]?-1"`, "grossMediaSpend >= 100", "grossMediaSpend < 80", "")
	for name, c := range map[string]struct {
		other *rules.Set
		want  string
	}{
		"resumes what is paused": {file("fa", "UTC", `"*"`, "grossMediaSpend >= 50", "", ""), "fb.yaml:4:1: warning: with grossMediaSpend 50, rule r would resume what rule r of fa.yaml wants paused"},
		"meets in a pattern":     {file("fa", "UTC", `"*-1"], exclude: ["A-x"`, "grossMediaSpend >= 50", "", ""), "with grossMediaSpend 50"},
		"leaves a gap":           {file("fa", "UTC", `"*"`, "grossMediaSpend >= 90", "", ""), ""},
		"another metric":         {file("fa", "UTC", `"*"`, "clicks >= 1", "", ""), ""},
		"another campaign":       {file("fa", "UTC", `"A-y-1", "A-x1"], exclude: ["A-x?"`, "grossMediaSpend >= 50", "", ""), ""},
		"only observes":          {file("fa", "UTC", `"*"`, "grossMediaSpend >= 50", "", ", mode: observe"), ""},
		"another zone":           {file("fa", "Asia/Tokyo", `"*"`, "clicks >= 1", "", ""), "account A is in Asia/Tokyo here, and in UTC in fb.yaml"},
		"the same name":          {file("x/fb", "UTC", `"*"`, "clicks >= 1", "", ""), "fb.yaml has the same name: both are called fb"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			problems := rules.Contradictions([]*rules.Set{back, c.other})
			if c.want == "" && len(problems) > 0 || c.want != "" && (len(problems) != 1 || !strings.Contains(problems[0].String(), c.want)) {
				t.Errorf("problems are %v", problems)
			}
		})
	}
}
