package rules_test

import (
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/internal/rules"
	"usher/internal/rules/figures"
)

// meeting returns the decisions of rules on creatives c1, c2 and c3 of campaign A-x,
// which spent 500 of a budget of 100 on 2026-05-20. Each creative has one click more
// than the one before it.
func meeting(t *testing.T, due []string, text string, others ...*rules.Set) map[string]usher.Decision {
	t.Helper()
	set := load(t, "account: A\ntimezone: UTC\nrules:\n"+text)
	sums := rules.NewFigures(set, noon(), others...)
	row := figures.Row{Date: "2026-05-20", Campaign: "A-x"}
	row.Values[figures.GrossMediaSpend], row.Values[figures.Budget] = 500, 100
	snapshot := rules.Snapshot{Figures: sums, Due: due}
	for n, code := range []string{"", "c1", "c2", "c3"} {
		row.Creative, row.Values[figures.Clicks] = code, float64(n)
		if err := sums.Add(row); err != nil {
			t.Fatal(err)
		}
		if code != "" {
			snapshot.Creatives = append(snapshot.Creatives, rules.Creative{Campaign: "A-x", Code: code, Status: "ACTIVE"})
		}
	}
	return decisions(t, set, snapshot)
}

// TestRulesTakeCreatives checks which rule pauses which creative: "c1 by stop, …". The
// others are not paused.
func TestRulesTakeCreatives(t *testing.T) {
	t.Parallel()
	const (
		stop = "  - {name: stop, scope: {campaigns: [\"A-*\"]}, window: today, pause_when: grossMediaSpend >= budget}\n"
		weak = "  - {name: weak, scope: {campaigns: [\"A-*\"], level: creative}, window: today, pause_when: clicks < 3}\n"
	)
	first := func(rule, more string) string { return strings.Replace(rule, "}\n", ", priority: 9"+more+"}\n", 1) }
	keep := func(rule string) string {
		return strings.Replace(rule, `["A-*"]`, `["A-*"], keep_active: 1`, 1)
	}
	all := func(rule string) string { return "c1 by " + rule + ", c2 by " + rule + ", c3 by " + rule }
	for name, c := range map[string]struct {
		text string
		due  []string
		want string
	}{
		"the higher priority":                  {stop + first(weak, ""), nil, "c1 by weak, c2 by weak, c3 by stop"},
		"then the order in the file":           {weak + stop, nil, "c1 by weak, c2 by weak, c3 by stop"},
		"a rule that is due on 29 February":    {first(weak, ", schedule: \"0 7 29 2 *\"") + stop, []string{"stop"}, all("stop")},
		"keep_active on another rule":          {first(keep(weak), "") + stop, nil, all("stop")},
		"keep_active of all rules":             {first(keep(weak), "") + keep(stop), nil, "c1 by weak, c2 by weak"},
		"keep_active after a rule that pauses": {first(weak, "") + keep(stop), nil, "c1 by weak, c2 by weak"},
		"keep_active before one not due":       {first(keep(stop), "") + weak, []string{"stop"}, "c1 by stop, c2 by stop"},
		"a rule that asks":                     {first(weak, ", mode: approve") + stop, nil, all("stop")},
		"a rule that observes":                 {first(weak, ", mode: observe") + stop, nil, all("stop")},
		"a rule that notifies":                 {first(weak, ", mode: notify") + stop, nil, all("stop")},
		"a rule over its caps":                 {first(weak, ", limits: {max_creatives: 1}") + stop, nil, all("stop")},
		"a rule within its caps":               {first(weak, ", limits: {max_creatives: 2}") + stop, nil, "c1 by weak, c2 by weak, c3 by stop"},
		"caps on what is left":                 {first(weak, "") + strings.Replace(stop, "budget}", "budget, limits: {max_creatives: 1}}", 1), nil, "c1 by weak, c2 by weak, c3 by stop"},
		"caps after keep_active":               {keep(strings.Replace(stop, "budget}", "budget, limits: {max_creatives: 2}}", 1)), nil, "c1 by stop, c2 by stop"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			decisions := meeting(t, c.due, c.text)
			var paused []string
			for _, code := range []string{"c1", "c2", "c3"} {
				if d := decisions[code]; d.Action == usher.Pause {
					paused = append(paused, code+" by "+d.Rule)
				}
			}
			if got := strings.Join(paused, ", "); got != c.want {
				t.Errorf("paused are %q, not %q: %+v", got, c.want, decisions)
			}
		})
	}
}

// TestPassedRuleIsNamed checks that a decision names the rules before the one that
// acts, with the guards that held them.
func TestPassedRuleIsNamed(t *testing.T) {
	t.Parallel()
	d := meeting(t, nil, `  - {name: weak, scope: {campaigns: ["A-*"], level: creative}, window: today, pause_when: clicks < 3, limits: {max_creatives: 1}}
  - {name: ask, scope: {campaigns: ["A-*"]}, window: today, pause_when: grossMediaSpend >= budget, mode: approve}
  - {name: stop, scope: {campaigns: ["A-*"]}, window: today, pause_when: grossMediaSpend >= budget}
`)["c1"]
	want := []usher.Vote{{Rule: "weak", Action: usher.Pause, Guard: usher.GuardCap}, {Rule: "ask", Action: usher.Pause, Guard: usher.GuardApproval}, {Rule: "stop", Action: usher.Pause}}
	if d.Action != usher.Pause || d.Rule != "stop" || len(d.Votes) != 3 || d.Votes[0] != want[0] || d.Votes[1] != want[1] || d.Votes[2] != want[2] {
		t.Errorf("the decision is %+v", d)
	}
}

// TestNotify checks how a rule that notifies meets other rules: its decision gives way
// to that of an enabled rule, and not to that of a rule that observes.
func TestNotify(t *testing.T) {
	t.Parallel()
	const (
		tell = "  - {name: tell, scope: {campaigns: [\"A-*\"], keep_active: 3}, window: today, pause_when: grossMediaSpend >= budget, mode: notify, limits: {max_creatives: 1}}\n"
		stop = "  - {name: stop, scope: {campaigns: [\"A-*\"]}, window: today, pause_when: clicks >= 0, priority: -1MORE}\n"
	)
	with := func(more string) string { return tell + strings.Replace(stop, "MORE", more, 1) }
	notified := usher.Vote{Rule: "tell", Action: usher.Pause, Guard: usher.GuardNotify}
	for name, c := range map[string]struct {
		text   string
		action usher.Action
		guard  usher.Guard
		reason string
	}{
		"alone":             {tell, usher.Notify, "", "would pause, but only notifies: grossMediaSpend >= budget (500 >= 100)"},
		"a rule that acts":  {with(""), usher.Pause, "", "clicks >= 0"},
		"a rule that asks":  {with(", mode: approve"), usher.Held, usher.GuardApproval, "would pause, and waits for approval"},
		"a rule over a cap": {with(", limits: {max_creatives: 1}"), usher.Held, usher.GuardCap, "the rule would change 3 creatives in 1 campaign at once, over its limits (max_creatives 1)"},
		"one that observes": {with(", mode: observe"), usher.Notify, "", "would pause, but only notifies"},
		"an unknown one":    {with(", min_data: {won: 5}"), usher.Notify, "", "would pause, but only notifies"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for code, d := range meeting(t, nil, c.text) {
				if d.Action != c.action || d.Guard != c.guard || !strings.Contains(d.Reason, c.reason) {
					t.Errorf("%s: %s (%s) by %s: %s", code, d.Action, d.Guard, d.Rule, d.Reason)
				}
				if d.Action == usher.Notify && (d.Wants != usher.Pause || d.Metrics["budget"] != 100 || len(d.Values) == 0) {
					t.Errorf("%s wants %q with %v and %v", code, d.Wants, d.Metrics, d.Values)
				}
				if len(d.Votes) > 0 && !slices.Contains(d.Votes, notified) {
					t.Errorf("%s has the votes %v", code, d.Votes)
				}
			}
		})
	}
}

// TestPauseBlocksResume checks that a pause that any enabled rule wants blocks a
// resume: of another level, of another file, due or not.
func TestPauseBlocksResume(t *testing.T) {
	t.Parallel()
	const (
		head  = "account: A\ntimezone: UTC\nrules:\n"
		back  = "  - {name: back, scope: {campaigns: [\"A-*\"]}, window: today, pause_when: impressions > 100, resume_when: impressions < 50}\n"
		weak  = "  - {name: weak, scope: {campaigns: [\"A-*\"], level: creative}, window: today, pause_when: clicks < 3MORE}\n"
		blind = "  - {name: blind, scope: {campaigns: [\"A-*\"]}, window: yesterday, pause_when: clicks < 3}\n"
	)
	with := func(more string) string { return strings.Replace(weak, "MORE", more, 1) }
	for name, c := range map[string]struct {
		same, other string // rules beside back: in its file, in another one
		due         []string
		want        usher.Action
		reason      string
	}{
		"alone":                   {"", "", nil, usher.Resume, "impressions < 50"},
		"due, on another level":   {with(""), "", nil, usher.None, "already INACTIVE: clicks < 3"},
		"not due":                 {with(""), "", []string{"back"}, usher.None, "not resumed, because rule weak wants it paused"},
		"asks":                    {with(", mode: approve"), "", []string{"back"}, usher.None, "because rule weak wants it paused"},
		"observes":                {with(", mode: observe"), "", []string{"back"}, usher.Resume, ""},
		"notifies":                {with(", mode: notify"), "", []string{"back"}, usher.Resume, ""},
		"in another file":         {"", with(""), nil, usher.None, "not resumed, because rule fa/weak wants it paused"},
		"observes in another":     {"", with(", mode: observe"), nil, usher.Resume, ""},
		"unknown":                 {blind, "", []string{"back"}, usher.Resume, ""},
		"unknown in another file": {"", blind, nil, usher.Resume, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set := load(t, head+back+c.same)
			var others []*rules.Set
			if c.other != "" {
				other, problems := rules.Load("fa.yaml", []byte(head+c.other))
				if other == nil {
					t.Fatal(problems)
				}
				others = append(others, other)
			}
			sums := rules.NewFigures(set, noon(), others...)
			for _, code := range []string{"", "c"} {
				if err := sums.Add(figures.Row{Date: "2026-05-20", Campaign: "A-x", Creative: code}); err != nil {
					t.Fatal(err)
				}
			}
			d := onlyDecision(t, set, rules.Snapshot{
				Figures: sums, Due: c.due, Creatives: []rules.Creative{{Campaign: "A-x", Code: "c", Status: "INACTIVE"}},
				Memory: func(string) usher.CreativeMemory {
					return usher.CreativeMemory{Owner: &usher.Ownership{Rule: "budgets/back", Status: "INACTIVE"}}
				},
			})
			if d.Action != c.want || !strings.Contains(d.Reason, c.reason) {
				t.Errorf("%s by %s: %s", d.Action, d.Rule, d.Reason)
			}
		})
	}
}
