package rules_test

import (
	"strings"
	"testing"
	"time"

	"usher"
	"usher/internal/rules"
)

// guarded decides on creatives of a campaign. The rule, which has additional keys,
// wants a pause, or a resume if the spend is below 3.
func guarded(t *testing.T, more string, spend float64, memory map[string]usher.CreativeMemory, stopped string, list ...rules.Creative) map[string]usher.Decision {
	t.Helper()
	set := load(t, "account: A\ntimezone: Europe/London\nrules:\n  - name: r\n    window: today\n    pause_when: grossMediaSpend >= 5\n    resume_when: grossMediaSpend < 3\n"+more)
	return decisions(t, set, rules.Snapshot{
		Figures: reported(t, set, noon(), spent("2026-05-20", spend, 0)), Creatives: list, Stopped: stopped,
		Memory: func(code string) usher.CreativeMemory { return memory[code] },
	})
}

// TestGuards tests each guard alone.
func TestGuards(t *testing.T) {
	t.Parallel()
	const all = "    scope: {campaigns: [\"A-*\"]}\n"
	noon := noon()
	did := func(ago time.Duration, flips int) map[string]usher.RuleMemory {
		return map[string]usher.RuleMemory{"budgets/r": {Changed: noon.Add(-ago), Day: "2026-05-20", Flips: flips}}
	}
	owner := func(rule, updated string) usher.CreativeMemory {
		return usher.CreativeMemory{Owner: &usher.Ownership{Rule: rule, Status: "INACTIVE", LatestUpdate: updated}}
	}
	for name, c := range map[string]struct {
		more    string
		spend   float64
		status  string
		memory  usher.CreativeMemory
		stopped string
		action  usher.Action
		guard   usher.Guard
		reason  string
	}{
		"pauses":               {all, 9, "ACTIVE", usher.CreativeMemory{}, "", usher.Pause, "", "grossMediaSpend >= 5 (9 >= 5)"},
		"paused already":       {all, 9, "INACTIVE", usher.CreativeMemory{}, "", usher.None, "", "already INACTIVE: grossMediaSpend >= 5 (9 >= 5)"},
		"resumes its own":      {all, 1, "INACTIVE", owner("budgets/r", "now"), "", usher.Resume, "", "grossMediaSpend < 3 (1 < 3)"},
		"active already":       {all, 1, "ACTIVE", usher.CreativeMemory{}, "", usher.None, "", "does not hold: grossMediaSpend >= 5 (1 is not >= 5)"},
		"somebody paused it":   {all, 1, "INACTIVE", usher.CreativeMemory{}, "", usher.None, usher.GuardHandsOff, "not resumed, because no rule of usher is known to have paused it"},
		"another rule did":     {all, 1, "INACTIVE", owner("other/r", "now"), "", usher.None, usher.GuardHandsOff, "not resumed, because rule other/r paused it"},
		"somebody touched it":  {all, 1, "INACTIVE", owner("budgets/r", "then"), "", usher.None, usher.GuardHandsOff, "it was changed since this rule paused it: from INACTIVE at then to INACTIVE at now"},
		"pending":              {all, 9, "PENDING", usher.CreativeMemory{}, "", usher.None, usher.GuardPending, "has not approved it yet"},
		"cooldown":             {all + "    cooldown: 1h\n", 9, "ACTIVE", usher.CreativeMemory{Rules: did(59*time.Minute, 1)}, "", usher.Held, usher.GuardCooldown, "its cooldown lasts until 2026-05-20 13:01"},
		"cooldown is over":     {all + "    cooldown: 1h\n", 9, "ACTIVE", usher.CreativeMemory{Rules: did(time.Hour, 1)}, "", usher.Pause, "", "grossMediaSpend >= 5"},
		"flips":                {all + "    limits: {max_flips_per_day: 2}\n", 9, "ACTIVE", usher.CreativeMemory{Rules: did(time.Minute, 2)}, "", usher.Held, usher.GuardFlips, "has already changed it 2 times on 2026-05-20"},
		"flips of another day": {all + "    limits: {max_flips_per_day: 2}\n", 9, "ACTIVE", usher.CreativeMemory{Rules: map[string]usher.RuleMemory{"budgets/r": {Changed: noon.Add(-24 * time.Hour), Day: "2026-05-19", Flips: 2}}}, "", usher.Pause, "", ""},
		"keeps the last one":   {"    scope: {campaigns: [\"A-*\"], keep_active: 1}\n", 9, "ACTIVE", usher.CreativeMemory{}, "", usher.Held, usher.GuardKeepActive, "keep_active is 1"},
		"asks":                 {all + "    mode: approve\n", 9, "ACTIVE", usher.CreativeMemory{}, "", usher.Held, usher.GuardApproval, "would pause, and waits for approval: grossMediaSpend >= 5 (9 >= 5)"},
		"asks to resume":       {all + "    mode: approve\n", 1, "INACTIVE", owner("budgets/r", "now"), "", usher.Held, usher.GuardApproval, "would resume"},
		"only notifies":        {all + "    mode: notify\n", 9, "ACTIVE", usher.CreativeMemory{}, "", usher.Notify, "", "would pause, but only notifies"},
		"notifies of a resume": {all + "    mode: notify\n", 1, "INACTIVE", owner("budgets/r", "now"), "", usher.Notify, "", "would resume, but only notifies"},
		"only observes":        {all + "    mode: observe\n", 9, "ACTIVE", usher.CreativeMemory{}, "", usher.Held, usher.GuardObserve, "would pause, but only observes"},
		"stopped":              {all, 9, "ACTIVE", usher.CreativeMemory{}, "incident 12", usher.Held, usher.GuardStop, "the stop switch is on (incident 12)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := guarded(t, c.more, c.spend, map[string]usher.CreativeMemory{"c": c.memory}, c.stopped, rules.Creative{Campaign: "A-x", Code: "c", Status: c.status, LatestUpdate: "now"})["c"]
			if d.Action != c.action || d.Guard != c.guard || !strings.Contains(d.Reason, c.reason) {
				t.Errorf("%s by %q: %s", d.Action, d.Guard, d.Reason)
			}
		})
	}
}

// TestMemoryUnknown checks that a snapshot without memory does not say that no rule paused a creative.
func TestMemoryUnknown(t *testing.T) {
	t.Parallel()
	set := load(t, "account: A\ntimezone: UTC\nrules:\n  - {name: r, scope: {campaigns: [\"A-*\"]}, window: today, pause_when: grossMediaSpend >= 5, resume_when: grossMediaSpend < 3}\n")
	s := rules.Snapshot{
		Figures: reported(t, set, noon(), spent("2026-05-20", 1, 0)), MemoryUnknown: true,
		Creatives: []rules.Creative{{Campaign: "A-x", Code: "c", Status: "INACTIVE", LatestUpdate: "now"}},
	}
	const want = "not resumed, because a preview does not know what rules have paused"
	if d := decisions(t, set, s)["c"]; d.Guard != usher.GuardHandsOff || !strings.HasPrefix(d.Reason, want) {
		t.Errorf("%s by %q: %s", d.Action, d.Guard, d.Reason)
	}
}

// TestKeepActive keeps two creatives of a campaign ACTIVE, of which one is already
// paused.
func TestKeepActive(t *testing.T) {
	t.Parallel()
	var list []rules.Creative
	for _, code := range []string{"c", "a", "d", "b"} {
		list = append(list, rules.Creative{Campaign: "A-x", Code: code, Status: "ACTIVE"})
	}
	list[1].Status = "INACTIVE"
	got := guarded(t, "    scope: {campaigns: [\"A-*\"], keep_active: 2}\n", 9, nil, "", list...)
	for code, want := range map[string]usher.Action{"a": usher.None, "b": usher.Pause, "c": usher.Held, "d": usher.Held} {
		if got[code].Action != want {
			t.Errorf("%s: %s, not %s: %s", code, got[code].Action, want, got[code].Reason)
		}
	}
}

// TestConflictingRules checks the decision if rules disagree.
func TestConflictingRules(t *testing.T) {
	t.Parallel()
	rule := func(name, metric, more string) string {
		return "  - {name: " + name + ", scope: {campaigns: [\"A-*\"]}, window: today, pause_when: " + metric + " >= 5, resume_when: " + metric + " < 3" + more + "}\n"
	}
	const head = "account: A\ntimezone: UTC\nrules:\n"
	owned := usher.CreativeMemory{Owner: &usher.Ownership{Rule: "budgets/one", Status: "INACTIVE"}}
	for name, c := range map[string]struct {
		text   string
		clicks float64
		status string
		rule   string
		action usher.Action
	}{
		"pause beats resume":            {head + rule("one", "won", ", priority: 9") + rule("two", "clicks", ""), 9, "INACTIVE", "two", usher.None},
		"the owner resumes":             {head + rule("one", "won", "") + rule("two", "clicks", ""), 4, "INACTIVE", "one", usher.Resume},
		"the higher priority is named":  {head + rule("one", "clicks", "") + rule("two", "clicks", ", priority: 1"), 9, "ACTIVE", "two", usher.Pause},
		"then the order of the file":    {head + rule("one", "clicks", "") + rule("two", "clicks", ""), 9, "ACTIVE", "one", usher.Pause},
		"an observing rule has no vote": {head + rule("one", "won", "") + rule("two", "clicks", ", mode: observe, priority: 9"), 9, "INACTIVE", "one", usher.Resume},
		"but decides alone":             {head + rule("one", "won", "") + rule("two", "clicks", ", mode: observe"), 9, "ACTIVE", "two", usher.Held},
		"a rule in mode approve votes":  {head + rule("one", "won", "") + rule("two", "clicks", ", mode: approve"), 9, "INACTIVE", "two", usher.None},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set := load(t, c.text)
			snapshot := active("c", reported(t, set, noon(), viewed("2026-05-20", 0, c.clicks))) // nothing was won
			snapshot.Creatives[0].Status, snapshot.Memory = c.status, func(string) usher.CreativeMemory { return owned }
			d := onlyDecision(t, set, snapshot)
			if d.Rule != c.rule || d.Action != c.action {
				t.Errorf("%s by %s: %s", d.Action, d.Rule, d.Reason)
			}
		})
	}
}

// A pause that a rule cannot make now is left to the next rule, which may ask for its approval: its
// request is not hidden by what nobody can approve.
func TestRequestsBehindHeldRules(t *testing.T) {
	t.Parallel()
	rule := func(name, more string) string {
		return "  - {name: " + name + ", window: today, pause_when: grossMediaSpend >= 5, " + more + "}\n"
	}
	const (
		scope = "scope: {campaigns: [\"A-*\"]}"
		keeps = "scope: {campaigns: [\"A-*\"], keep_active: 1}"
	)
	for name, c := range map[string]struct {
		first, second, rule string
		guard               usher.Guard
	}{
		"a cooldown":       {scope + ", cooldown: 24h", scope + ", mode: approve", "b", usher.GuardApproval},
		"too many changes": {scope + ", limits: {max_flips_per_day: 1}", scope + ", mode: approve", "b", usher.GuardApproval},
		"keep_active":      {keeps, scope + ", mode: approve", "b", usher.GuardApproval},
		"over its cap":     {scope + ", cooldown: 24h", scope + ", limits: {max_share: 50%}", "b", usher.GuardCap},
		"a request first":  {scope + ", mode: approve", scope + ", cooldown: 24h", "a", usher.GuardApproval},
		"two requests":     {scope + ", mode: approve", scope + ", mode: approve", "a", usher.GuardApproval},
		"two cooldowns":    {scope + ", cooldown: 24h", scope + ", cooldown: 24h, mode: approve", "a", usher.GuardCooldown},
		"a rule that acts": {scope + ", mode: approve", scope, "b", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set := load(t, "account: A\ntimezone: Europe/London\nrules:\n"+rule("a", c.first)+rule("b", c.second))
			snapshot := active("c", reported(t, set, noon(), spent("2026-05-20", 9, 0)))
			snapshot.Memory = func(string) usher.CreativeMemory {
				did := usher.RuleMemory{Changed: noon().Add(-time.Hour), Day: "2026-05-20", Flips: 1}
				return usher.CreativeMemory{Rules: map[string]usher.RuleMemory{set.Key("a"): did, set.Key("b"): did}}
			}
			if d := onlyDecision(t, set, snapshot); d.Rule != c.rule || d.Guard != c.guard {
				t.Errorf("%s by %s, guard %q: %s", d.Action, d.Rule, d.Guard, d.Reason)
			}
		})
	}
}

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

// TestFormerly checks that a rule takes over what it did under its former name: it resumes what
// that paused, and its cooldown and its changes of the day count on.
func TestFormerly(t *testing.T) {
	t.Parallel()
	at := noon()
	for name, c := range map[string]struct {
		keys   string
		owner  string
		memory map[string]usher.RuleMemory
		want   usher.Action
		reason string
	}{
		"its former name":      {"formerly: old", "budgets/old", nil, usher.Resume, ""},
		"its name":             {"formerly: old", "budgets/r", nil, usher.Resume, ""},
		"of another file":      {"formerly: spend/old", "spend/old", nil, usher.Resume, ""},
		"another rule":         {"formerly: old", "budgets/other", nil, usher.None, "rule budgets/other paused it"},
		"of another file only": {"formerly: old", "spend/old", nil, usher.None, "rule spend/old paused it"},
		"a cooldown":           {"formerly: old, cooldown: 2h", "budgets/old", map[string]usher.RuleMemory{"budgets/old": {Changed: at.Add(-time.Hour)}}, usher.Held, "cooldown lasts until"},
		"the newer cooldown":   {"formerly: old, cooldown: 2h", "budgets/old", map[string]usher.RuleMemory{"budgets/old": {Changed: at.Add(-9 * time.Hour)}, "budgets/r": {Changed: at.Add(-time.Hour)}}, usher.Held, "cooldown lasts until"},
		"changes of the day":   {"formerly: old, limits: {max_flips_per_day: 2}", "budgets/old", map[string]usher.RuleMemory{"budgets/old": {Changed: at.Add(-9 * time.Hour), Day: "2026-05-20", Flips: 1}, "budgets/r": {Changed: at.Add(-time.Hour), Day: "2026-05-20", Flips: 1}}, usher.Held, "2 times"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set := oneRule(t, "campaign", "clicks > 50", "window: yesterday, resume_when: clicks < 5, "+c.keys)
			snapshot := active("c", reported(t, set, at, viewed("2026-05-19", 9, 1)))
			snapshot.Creatives[0].Status = "INACTIVE"
			snapshot.Memory = func(string) usher.CreativeMemory {
				return usher.CreativeMemory{Owner: &usher.Ownership{Rule: c.owner, Status: "INACTIVE"}, Rules: c.memory}
			}
			if d := onlyDecision(t, set, snapshot); d.Action != c.want || !strings.Contains(d.Reason, c.reason) {
				t.Errorf("%s: %s", d.Action, d.Reason)
			}
		})
	}
}

// TestMistakesInFormerly checks former names that are wrong, or of rules that still exist.
func TestMistakesInFormerly(t *testing.T) {
	testMistakes(t, map[string]mistake{
		"valid":           {"    schedule: \"0 7 * * *\"\n    limits", "    formerly: stop-overspend\n    schedule: \"0 7 * * *\"\n    limits", nil},
		"of another file": {"    schedule: \"0 7 * * *\"\n    limits", "    formerly: spend/stop\n    schedule: \"0 7 * * *\"\n    limits", nil},
		"no name":         {"    schedule: \"0 7 * * *\"\n    limits", "    formerly: stop overspend\n    schedule: \"0 7 * * *\"\n    limits", []string{`8:15: error: "stop overspend" is no name of a rule | write the rule's former name`}},
		"still there":     {"    schedule: \"0 7 * * *\"\n    limits", "    formerly: weak\n    schedule: \"0 7 * * *\"\n    limits", []string{"8:15: error: formerly: the rule weak is still in the file, and owns what it did | remove formerly, or the rule weak"}},
		"its own name":    {"    schedule: \"0 7 * * *\"\n    limits", "    formerly: stop\n    schedule: \"0 7 * * *\"\n    limits", []string{"8:15: error: formerly: the rule stop is still in the file"}},
		"twice":           {"    schedule: \"0 7 * * *\"\n    limits: {max_share: 20%}\n  - name: weak\n", "    formerly: old\n    schedule: \"0 7 * * *\"\n    limits: {max_share: 20%}\n  - name: weak\n    formerly: old\n", []string{"12:15: error: formerly: the rule stop takes over what old did, too | keep it in one of them"}},
	})
}

// TestCooldownOfDays checks that a rule that is due once a day is not held because a day had 23 hours,
// and that one of 24 hours lets it go on after 24 hours on a day of 25.
func TestCooldownOfDays(t *testing.T) {
	t.Parallel()
	set := load(t, "account: A\ntimezone: Europe/London\nrules:\n  - {name: r, scope: {campaigns: [\"A-*\"]}, window: yesterday, pause_when: grossMediaSpend > 5, cooldown: 24h}\n")
	for changed, ends := range map[string]string{
		"2026-03-28T07:00": "2026-03-29T07:00", // 23 hours later
		"2026-03-27T07:00": "2026-03-28T07:00",
		"2026-10-24T07:00": "2026-10-25T06:00", // the clocks go back
	} {
		end, err := time.ParseInLocation("2006-01-02T15:04", ends, set.Zone)
		if err != nil {
			t.Fatal(err)
		}
		last, err := time.ParseInLocation("2006-01-02T15:04", changed, set.Zone)
		if err != nil {
			t.Fatal(err)
		}
		for at, want := range map[time.Time]usher.Action{end: usher.Pause, end.Add(-time.Second): usher.Held} {
			snapshot := active("c", reported(t, set, at, spent(at.AddDate(0, 0, -1).Format(time.DateOnly), 9, 0)))
			snapshot.Memory = func(string) usher.CreativeMemory {
				return usher.CreativeMemory{Rules: map[string]usher.RuleMemory{set.Key("r"): {Changed: last, Day: changed[:10], Flips: 1}}}
			}
			if d := onlyDecision(t, set, snapshot); d.Action != want {
				t.Errorf("changed at %s, at %s: %s: %s", changed, at, d.Action, d.Reason)
			}
		}
	}
}
