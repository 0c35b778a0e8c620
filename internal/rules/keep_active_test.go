package rules_test

import (
	"strings"
	"testing"

	"usher/internal/rules"
)

// The reason of a pause that keep_active holds names the other rules that pause creatives of the
// campaign, if it would not be held without them.
func TestKeepActiveNamesOtherRules(t *testing.T) {
	t.Parallel()
	const head = "account: A\ntimezone: Europe/London\nrules:\n"
	rule := func(name, more string) string {
		return "  - {name: " + name + ", window: today, pause_when: grossMediaSpend >= 5, " + more + "}\n"
	}
	scoped := func(creatives, more string) string {
		return "scope: {campaigns: [\"A-*\"], creatives: [" + creatives + "]" + more + "}"
	}
	for name, c := range map[string]struct {
		text, other string
		want        string // reason of the decision on d
	}{
		"alone":             {rule("last", scoped("d", ", keep_active: 4")), "", "would pause, but keep_active is 4: grossMediaSpend >= 5 (9 >= 5)"},
		"a rule before it":  {rule("first", scoped("a, b, c", "")) + rule("last", scoped("d", ", keep_active: 1")), "", "would pause, but keep_active is 1, and 3 of the campaign's 4 ACTIVE creatives count as paused because of rule first: "},
		"a rule after it":   {rule("last", scoped("d", ", keep_active: 3")+", priority: 2") + rule("free", scoped("a", "")), "", "would pause, but keep_active is 3, and 1 of the campaign's 4 ACTIVE creatives counts as paused because of rule free: "},
		"a rule that asks":  {rule("last", scoped("d", ", keep_active: 3")+", priority: 2, mode: approve") + rule("free", scoped("a", "")+", mode: approve"), "", "because of rule free: "},
		"another file":      {rule("last", scoped("d", ", keep_active: 3")), rule("stop", scoped("a, b", "")), "would pause, but keep_active is 3, and 2 of the campaign's 4 ACTIVE creatives count as paused because of rule other/stop: "},
		"several":           {rule("first", scoped("a", "")) + rule("last", scoped("d", ", keep_active: 1")), rule("stop", scoped("b, c", "")), "count as paused because of rules first, other/stop: "},
		"not because of it": {rule("first", scoped("a", "")) + rule("last", scoped("d", ", keep_active: 4")), "", "would pause, but keep_active is 4: "},
		"its own pauses":    {rule("first", scoped("a", "")) + rule("last", scoped("b, c, d", ", keep_active: 2")), "", "would pause, but keep_active is 2: grossMediaSpend"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set := load(t, head+c.text)
			var others []*rules.Set
			if c.other != "" {
				other, problems := rules.Load("other.yaml", []byte(head+c.other))
				if other == nil {
					t.Fatal(problems)
				}
				others = append(others, other)
			}
			f := rules.NewFigures(set, noon(), others...)
			row := spent("2026-05-20", 9, 0)
			row.Campaign = "A-x"
			if err := f.Add(row); err != nil {
				t.Fatal(err)
			}
			var list []rules.Creative
			for _, code := range []string{"a", "b", "c", "d"} {
				list = append(list, rules.Creative{Campaign: "A-x", Code: code, Status: rules.Active})
			}
			d := decisions(t, set, rules.Snapshot{Figures: f, Creatives: list})["d"]
			if !strings.Contains(d.Reason, c.want) {
				t.Errorf("%s by %q: %s", d.Action, d.Guard, d.Reason)
			}
		})
	}
}
