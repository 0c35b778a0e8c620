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

// TestSharedNumbers checks which rules are found to change the same number, in one file and
// in two, and which rules a configuration keeps from changing anything.
func TestSharedNumbers(t *testing.T) {
	t.Parallel()
	const one = "account: A\ntimezone: UTC\nrules:\n  - {name: less, scope: {campaigns: [\"A-x*\"]}, window: yesterday, decrease_when: grossMediaSpend > 9, budget: {decrease: 20%, min: 5}}\n"
	for name, c := range map[string]struct {
		more string
		want int
	}{
		"the same budget":  {`scope: {campaigns: ["A-*"]}, window: today, increase_when: grossMediaSpend < 1, budget: {increase: 20%, max: 50}`, 1},
		"the bid":          {`scope: {campaigns: ["A-*"]}, window: today, increase_when: grossMediaSpend < 1, bid: {increase: 20%, max: 5}`, 0},
		"other campaigns":  {`scope: {campaigns: ["A-y*"]}, window: today, increase_when: grossMediaSpend < 1, budget: {increase: 20%, max: 50}`, 0},
		"excluded":         {`scope: {campaigns: ["A-x*"], exclude: ["A-x*"]}, window: today, increase_when: grossMediaSpend < 1, mode: observe, budget: {increase: 20%, max: 50}`, 0},
		"observes":         {`scope: {campaigns: ["A-*"]}, window: today, increase_when: grossMediaSpend < 1, budget: {increase: 20%, max: 50}, mode: observe`, 0},
		"changes statuses": {`scope: {campaigns: ["A-*"]}, window: today, pause_when: grossMediaSpend > 1`, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			load := func(file, text string) (*rules.Set, int) {
				set, problems := rules.Load(file, []byte(text))
				found := 0
				for _, p := range problems {
					if strings.Contains(p.Message, "rules less and more change the daily budget of the same campaigns") && p.Line == 5 && !p.Error && p.Rule == "more" {
						found++
					}
				}
				return set, found
			}
			if _, found := load("a.yaml", one+"  - {name: more, "+c.more+"}\n"); found != c.want {
				t.Errorf("found %d in one file", found)
			}
			a, _ := load("a.yaml", one)
			b, _ := load("b.yaml", "account: A\ntimezone: UTC\nrules:\n  - {name: more, "+c.more+"}\n")
			if b == nil {
				return // the scope is empty
			}
			problems := rules.Contradictions([]*rules.Set{a, b})
			if len(problems) != c.want || c.want == 1 && !strings.Contains(problems[0].String(), "b.yaml:4:") {
				t.Errorf("found in two files: %v", problems)
			}
		})
	}
	set, _ := rules.Load("a.yaml", []byte(one))
	for _, c := range []struct {
		actions []string
		want    string
	}{{nil, "a.yaml:4:111: warning: rule less changes nothing: actions in this configuration does not have budget"}, {[]string{"bid"}, "actions: [bid, budget]"}, {[]string{"bid", "budget"}, ""}} {
		problems := set.Disabled(c.actions)
		if c.want == "" && len(problems) > 0 || c.want != "" && (len(problems) != 1 || !strings.Contains(problems[0].String(), c.want)) {
			t.Errorf("with %v: %v", c.actions, problems)
		}
	}
}
