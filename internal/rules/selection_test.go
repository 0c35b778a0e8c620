package rules_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/internal/rules"
	"usher/internal/rules/backtest"
	"usher/internal/rules/figures"
)

// selecting returns a file with one rule that pauses all creatives in its scope.
func selecting(t *testing.T, scope string) *rules.Set {
	t.Helper()
	return load(t, `account: A
timezone: Europe/Berlin
labels:
  summer: {campaigns: ["A-s*"], from: 2026-06-01, to: 2026-06-30}
  video: {creatives: ["*-video"]}
  open: {campaigns: ["A-x"], creatives: ["x-1"], from: 2026-06-15}
rules:
  - {name: r, scope: {campaigns: ["A-*"], `+scope+`}, window: yesterday, pause_when: won > 5}
`)
}

// TestSelection checks which creatives a scope selects, by Decide and by Has.
func TestSelection(t *testing.T) {
	t.Parallel()
	all := []rules.Creative{
		{Campaign: "A-s", Code: "s-1", Type: "IMAGE"}, {Campaign: "A-s", Code: "s-video", Type: "VIDEO"},
		{Campaign: "A-x", Code: "x-1", Type: "IMAGE"}, {Campaign: "A-x", Code: "x-2"}, {Campaign: "A-x", Code: "x-video", Type: rules.AnyType},
	}
	for name, c := range map[string]struct{ scope, at, want string }{
		"all":                    {"level: campaign", "", "s-1 s-video x-1 x-2 x-video"},
		"creatives":              {`creatives: ["*-video", "x-?"]`, "", "s-video x-1 x-2 x-video"},
		"one creative":           {"creatives: [x-2]", "", "x-2"},
		"types":                  {"types: [IMAGE]", "", "s-1 x-1 x-video"},
		"types by a pattern":     {`types: ["*"]`, "", "s-1 s-video x-1 x-video"}, // the platform does not name the type of x-2
		"types and creatives":    {`types: [IMAGE], creatives: ["s-*"]`, "", "s-1"},
		"a label of creatives":   {"labels: [video]", "", "s-video x-video"},
		"a label of campaigns":   {"labels: [summer]", "2026-06-15T12:00:00Z", "s-1 s-video"},
		"before its first day":   {"labels: [summer]", "2026-05-31T21:59:59Z", ""},
		"on its first day":       {"labels: [summer]", "2026-05-31T22:00:00Z", "s-1 s-video"}, // in Berlin
		"on its last day":        {"labels: [summer]", "2026-06-30T21:59:59Z", "s-1 s-video"},
		"after its last day":     {"labels: [summer]", "2026-06-30T22:00:00Z", ""},
		"without a last day":     {"labels: [open]", "2031-01-01T00:00:00Z", "x-1"},
		"one of several labels":  {"labels: [summer, open]", "2026-06-20T00:00:00Z", "s-1 s-video x-1"},
		"a label and creatives":  {`labels: [summer, video], creatives: ["?-video"]`, "2026-06-20T00:00:00Z", "s-video x-video"},
		"a label and exclude":    {"exclude: [A-s], labels: [summer, video]", "2026-06-20T00:00:00Z", "x-video"},
		"creatives on own level": {`creatives: ["x-*"], level: creative`, "", "x-1 x-2 x-video"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set := selecting(t, c.scope)
			at, err := time.Parse(time.RFC3339, c.at)
			if c.at == "" {
				at = noon()
			} else if err != nil {
				t.Fatal(err)
			}
			run, err := set.Decide(t.Context(), rules.Snapshot{Figures: rules.NewFigures(set, at), Creatives: all})
			if err != nil {
				t.Fatal(err)
			}
			var decided, has []string
			for d := range run.Decisions(nil) {
				decided = append(decided, d.Creative)
			}
			for _, creative := range all {
				if set.Has(creative, []string{"r"}, at) {
					has = append(has, creative.Code)
				}
			}
			if got := strings.Join(decided, " "); got != c.want || !slices.Equal(has, decided) {
				t.Errorf("decided on %q, has %q, want %q", decided, has, c.want)
			}
		})
	}
}

// TestSelectionAndGuards checks that limits, keep_active, the blocking of resumes and votes
// count by selected creatives.
func TestSelectionAndGuards(t *testing.T) {
	t.Parallel()
	set := load(t, `account: A
timezone: UTC
rules:
  - {name: share, scope: {campaigns: [A-a], creatives: ["*-1", "*-2"]}, window: today, pause_when: won > 5, limits: {max_share: 50%}}
  - {name: keep, scope: {campaigns: [A-b], creatives: ["*-1", "*-2"], keep_active: 2}, window: today, pause_when: won > 5}
  - {name: resumes, scope: {campaigns: [A-c]}, window: today, pause_when: won > 90, resume_when: won < 20, priority: 1}
  - {name: blocks, scope: {campaigns: [A-c], creatives: ["*-1"]}, window: today, pause_when: clicks > 5}
`)
	at, err := set.EndOf("2026-05-20")
	if err != nil {
		t.Fatal(err)
	}
	sums := rules.NewFigures(set, at)
	var creatives []rules.Creative
	for _, campaign := range []string{"A-a", "A-b", "A-c"} {
		row := figures.Row{Date: "2026-05-20", Campaign: campaign}
		row.Values[figures.Won], row.Values[figures.Clicks] = 9, 9
		if err := sums.Add(row); err != nil {
			t.Fatal(err)
		}
		for n := 1; n <= 3; n++ {
			status := "ACTIVE"
			if campaign == "A-c" {
				status = "INACTIVE"
			}
			creatives = append(creatives, rules.Creative{Campaign: campaign, Code: fmt.Sprintf("%s-%d", campaign, n), Status: status})
		}
	}
	owner := &usher.Ownership{Rule: set.Key("resumes"), Status: "INACTIVE"}
	run, err := set.Decide(t.Context(), rules.Snapshot{Figures: sums, Creatives: creatives, Memory: func(string) usher.CreativeMemory { return usher.CreativeMemory{Owner: owner} }})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for d := range run.Decisions(nil) {
		got = append(got, strings.TrimSpace(fmt.Sprintf("%s %s %s", d.Creative, d.Action, d.Guard)))
	}
	want := []string{"A-a-1 held cap", "A-a-2 held cap", "A-b-1 pause", "A-b-2 held keep_active", "A-c-1 none", "A-c-2 resume", "A-c-3 resume"}
	if !slices.Equal(got, want) {
		t.Errorf("decided are %q", got)
	}
}

// TestSelectionInBacktest checks that a backtest decides by the dates of labels, and sums
// up only creatives in scope, each with its share of the campaign's spend.
func TestSelectionInBacktest(t *testing.T) {
	t.Parallel()
	set := load(t, `account: A
timezone: UTC
labels: {may: {creatives: ["*-1"], from: 2026-05-12}}
rules:
  - {name: r, scope: {campaigns: ["A-*"], labels: [may]}, window: today, pause_when: won > 5}
`)
	input := backtest.Input{From: "2026-05-11", To: "2026-05-13", Creatives: []rules.Creative{{Campaign: "A-x", Code: "x-1"}, {Campaign: "A-x", Code: "x-2"}}}
	for _, date := range []string{"2026-05-11", "2026-05-12", "2026-05-13"} {
		row := figures.Row{Date: date, Campaign: "A-x"}
		row.Values[figures.Won], row.Values[figures.GrossMediaSpend] = 9, 10
		input.Rows = append(input.Rows, row)
	}
	outcome, err := backtest.Run(t.Context(), set, input)
	if err != nil {
		t.Fatal(err)
	}
	if s := outcome.Summary; s.Creatives != 1 || s.Pauses != 1 || s.Spend != 15 || s.Saved != 5 || len(outcome.Decisions) != 2 || outcome.Decisions[0].Date != "2026-05-12" {
		t.Errorf("the outcome is %+v", outcome)
	}
}

// TestSelectionInTests checks the keys type and date of a test case.
func TestSelectionInTests(t *testing.T) {
	t.Parallel()
	set := load(t, `account: A
timezone: UTC
labels: {may: {from: 2026-05-12, to: 2026-05-31}}
rules:
  - {name: r, scope: {campaigns: ["A-*"], labels: [may], types: [IMAGE]}, window: today, pause_when: won > 5}
tests:
  - {name: in time, date: 2026-05-31, type: IMAGE, metrics: {won: 9}, expect: pause}
  - {name: of any type, date: 2026-05-31, metrics: {won: 9}, expect: pause}
  - {name: of another type, date: 2026-05-31, type: VIDEO, metrics: {won: 9}, expect: pause}
  - {name: too late, date: 2026-06-01, metrics: {won: 9}, expect: pause}
`)
	results, err := set.RunTests(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"", "", "no rule has creative test of campaign A-test in scope on 2026-05-31", "no rule has creative test of campaign A-test in scope on 2026-06-01"} {
		if results[i].Message != want {
			t.Errorf("%s: %q", results[i].Test, results[i].Message)
		}
	}
}

// TestMistakesInSelection checks scopes and labels that cannot mean what they say.
func TestMistakesInSelection(t *testing.T) {
	const stop, list = `{campaigns: ["SANDBOX1-*"], exclude: ["*-loyalty"]}`, "rules:\n"
	const all, used = "4:3: warning: no rule selects the label all | write labels: [all]", "5:3: warning: no rule selects the label"
	scope := func(more string, want ...string) mistake {
		return mistake{stop, `{campaigns: ["SANDBOX1-*"], ` + more + `}`, want}
	}
	labels := func(text string, want ...string) mistake {
		return mistake{list, "labels:\n  all: {campaigns: [\"*\"]}\n  " + text + "\n" + list, want}
	}
	testMistakes(t, map[string]mistake{
		"creatives":          scope(`creatives: ["*-video"]`),
		"types":              scope("types: [IMAGE]"),
		"a single value":     scope("creatives: summer-1", `5:51: error: creatives must be a list, and this is a single value | write creatives: ["summer-1"]`),
		"no creatives":       scope("creatives: []", "5:51: error: creatives is empty | write [\"*-video\"]"),
		"a bad pattern":      scope(`creatives: ["[a"]`, `5:52: error: "[a" is not a pattern | write a code`),
		"types in lowercase": scope("types: [image]", `5:48: warning: the platform writes types in capitals, and "image" matches letter by letter | write IMAGE`),
		"an unknown label":   scope("labels: [summer]", `5:49: error: there is no label "summer" | labels: {summer: {campaigns:`),
		"tags":               scope("tags: [summer]", `5:40: error: scope has no key "tags" | write labels`),
		"an unused label":    labels(`video: {creatives: ["*-video"]}`, all, used),
		"ends before":        labels("june: {from: 2026-06-30, to: 2026-06-01}", all, used, "5:28: error: the label june ends on 2026-06-01, before it begins on 2026-06-30 | write a day from 2026-06-30 on"),
		"no date":            labels("june: {from: 30.06.2026}", all, used, `5:16: error: from must be a date, and this is "30.06.2026" | write a date such as 2026-06-30`),
		"says nothing":       labels("june: {}", all, "5:3: error: the label june says nothing | write campaigns, creatives, from or to", used),
		"another account":    labels(`june: {campaigns: ["OTHER-*"]}`, all, used, `5:22: error: the pattern "OTHER-*" matches no campaign of the account | write "SANDBOX1-*"`),
	})
	for name, c := range map[string]struct{ text, want string }{
		"no campaign": {`labels: {l: {campaigns: ["SANDBOX1-b*"]}}
rules:
  - {name: r, scope: {campaigns: ["SANDBOX1-a*"], labels: [l]}, window: yesterday, pause_when: won > 5, schedule: "0 7 * * *"}`, "the label l has no campaign in the scope"},
		"selected, so no limits are needed": {`rules:
  - {name: r, scope: {campaigns: ["*"], creatives: ["*-video"]}, window: yesterday, pause_when: won > 5, schedule: "0 7 * * *"}`, ""},
		"never meet": {`rules:
  - {name: a, scope: {campaigns: [SANDBOX1-a], creatives: ["a-*"]}, window: yesterday, pause_when: won > 5, schedule: "0 7 * * *"}
  - {name: b, scope: {campaigns: [SANDBOX1-a], creatives: ["b-*"]}, window: yesterday, pause_when: won < 9, min_data: {won: 1}, schedule: "0 7 * * *"}`, ""},
	} {
		_, problems := rules.Load("x.yaml", []byte("account: SANDBOX1\ntimezone: UTC\n"+c.text+"\n"))
		if (c.want == "") != (len(problems) == 0) || c.want != "" && !strings.Contains(problems[0].Message, c.want) {
			t.Errorf("%s: %v", name, problems)
		}
	}
}
