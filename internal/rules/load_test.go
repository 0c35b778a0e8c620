package rules_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"usher/internal/rules"
	"usher/internal/rules/figures"
)

// budgets is a rule file like the one in the README.
const budgets = `account: SANDBOX1
timezone: Europe/London
rules:
  - name: stop-at-daily-budget
    scope: {campaigns: ["SANDBOX1-*"], exclude: ["*-evergreen"]}
    window: today
    pause_when: grossMediaSpend >= 0.95 * budget
    resume_when: grossMediaSpend < 0.80 * budget
    schedule: "*/15 * * * *"
    cooldown: 1h
    priority: 10
    limits: {max_creatives: 50, max_share: 20%, max_flips_per_day: 4}
    mode: act
  - name: weak-creative
    scope: {campaigns: ["*"], level: creative, keep_active: 1}
    window: last 7 days
    min_data: {impressions: 5000}
    pause_when: ctr < 0.0005
    schedule: "0 7 * * *"
`

// load loads a valid rule file.
func load(t testing.TB, text string) *rules.Set {
	t.Helper()
	set, problems := rules.Load("budgets.yaml", []byte(text))
	if set == nil {
		t.Fatalf("the file is not valid: %v", problems)
	}
	return set
}

func TestLoadExample(t *testing.T) {
	t.Parallel()
	set, problems := rules.Load("dir/budgets.yaml", []byte(budgets))
	if set == nil || len(problems) != 1 || problems[0].Error || problems[0].Line != 6 {
		t.Fatalf("the example has problems: %v", problems)
	}
	if set.Name != "budgets" || set.Account != "SANDBOX1" || set.Zone.String() != "Europe/London" || len(set.Rules) != 2 {
		t.Errorf("the set is %+v", set)
	}
	stop := set.Rules[0]
	if stop.Priority != 10 || stop.Limits != (rules.Limits{Creatives: 50, Share: 0.2, FlipsPerDay: 4}) || stop.Cooldown.Hours() != 1 || stop.Mode != rules.Act {
		t.Errorf("the first rule is %+v", stop)
	}
	if weak := set.Rules[1]; weak.Scope.Level != figures.CreativeLevel || weak.Scope.KeepActive != 1 || weak.Window.String() != "last 7 days" {
		t.Errorf("the second rule is %+v", weak)
	}
}

// TestAllTyposAreReported checks that Load reports all typos of a file at once, each
// with its place and a hint.
func TestAllTyposAreReported(t *testing.T) {
	t.Parallel()
	text := strings.NewReplacer("pause_when: gross", "pause_wen: gross", "ctr <", "ctrr <", "last 7 days", "last 7 dys").Replace(budgets)
	set, problems := rules.Load("x.yaml", []byte(text))
	var got []string
	for _, p := range problems {
		got = append(got, p.String())
	}
	want := []string{
		"x.yaml:7:5: error: a rule has no key \"pause_wen\"\n    did you mean \"pause_when\"?\n    7 |     pause_wen: grossMediaSpend >= 0.95 * budget\n      |     ^",
		"x.yaml:16:13: error: unknown window \"last 7 dys\"\n    did you mean \"last 7 days\"?\n   16 |     window: last 7 dys\n      |             ^",
		"x.yaml:18:17: error: pause_when: unknown metric \"ctrr\"\n    did you mean \"ctr\"?\n   18 |     pause_when: ctrr < 0.0005\n      |                 ^",
	}
	if set != nil || len(got) != 4 || got[0] == want[0] { // the first is the warning about today
		t.Fatalf("problems are\n%s", strings.Join(got, "\n"))
	}
	for i, w := range want {
		if got[i+1] != w {
			t.Errorf("problem %d is\n%s\nwant\n%s", i+1, got[i+1], w)
		}
	}
}

// FuzzLoad checks that Load returns either a set, or an error with its place.
func FuzzLoad(f *testing.F) {
	f.Add([]byte(budgets))
	f.Add([]byte("rules: [{name: a}]"))
	f.Add([]byte("ne: UTC\nrules:\r  -"))
	f.Add([]byte("#\r\n\xe9"))
	f.Add([]byte("'me: \r\n    scope: {\"ampaig\x00\x04|\x16'*"))
	f.Add([]byte("account: A\ntimezone: UTC\nrules:\n  - name: r\n    scope: {campaigns: ['*']}\n    window: today\n    pause_when: |\n      ctr >\n      previous.ctr * 2 && (clicks\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		set, problems := rules.Load("x.yaml", data)
		if (set == nil) != rules.Errors(problems) {
			t.Errorf("set %v, problems %v", set, problems)
		}
		// YAML 1.2.2, 5.4: a CR ends a line, too.
		lines := strings.Count(strings.ReplaceAll(strings.ReplaceAll(string(data), "\r\n", "\n"), "\r", "\n"), "\n") + 1
		for _, p := range problems {
			if p.Line < 1 || p.Line > lines || p.Column < 1 || p.Message == "" {
				t.Errorf("%+v", p)
			}
			_ = p.String()
		}
	})
}

// TestKeys checks that the keys of a rule are shown as in the file.
func TestKeys(t *testing.T) {
	t.Parallel()
	set := load(t, `account: A
timezone: UTC
labels: {may: {from: 2026-05-12}}
rules:
  - name: r
    scope: {campaigns: ["A-a", "A-b*"], exclude: ["*-x"], creatives: ["*-1"], types: [IMAGE], labels: [may], level: creative, keep_active: 2}
    window: last 7 days
    pause_when: ctr < 0.001
    resume_when: ctr > 0.002
    for: 3 days
    min_age: 168h
    min_data: {impressions: 5000, won: 2.5}
    min_days: 5
    schedule: "0 7 * * *"
    cooldown: 90m
    priority: -3
    limits: {max_creatives: 7, max_share: 20%, max_flips_per_day: 2}
    max_report_age: 48h
    notify: each
    mode: approve
  - {name: hours, scope: {campaigns: ["A-*"]}, active_hours: "08:00-22:00", limits: {max_flips_per_day: 3}}
`)
	for i, want := range [][]rules.Key{
		{
			{"campaigns", "A-a, A-b*"}, {"exclude", "*-x"}, {"creatives", "*-1"}, {"types", "IMAGE"}, {"labels", "may"}, {"level", "creative"}, {"keep_active", "2"},
			{"window", "last 7 days"}, {"pause_when", "ctr < 0.001"}, {"resume_when", "ctr > 0.002"}, {"for", "3 days"}, {"min_age", "7d"}, {"min_data", "impressions 5000, won 2.5"},
			{"min_days", "5"}, {"schedule", "0 7 * * *"}, {"cooldown", "1h30m"}, {"priority", "-3"}, {"limits", "max_creatives 7, max_share 20%, max_flips_per_day 2"},
			{"max_report_age", "2d"}, {"notify", "each"}, {"mode", "approve"},
		},
		{{"campaigns", "A-*"}, {"level", "campaign"}, {"active_hours", "08:00-22:00"}, {"limits", "max_flips_per_day 3"}, {"mode", "act"}},
	} {
		if got := set.Rules[i].Keys(); !slices.Equal(got, want) {
			t.Errorf("the keys are %v", got)
		}
	}
	if got := fmt.Sprint(set.Rules[0].Extras()); got != "[{creatives *-1} {types IMAGE} {labels may} {for 3 days} {min_age 7d} {notify each}]" {
		t.Errorf("the extras are %v", got)
	}
}
