package rules

import (
	"strings"
	"testing"
	"time"

	"usher"
	"usher/internal/rules"
	"usher/queues/decisions"
)

func TestAuditLine(t *testing.T) {
	t.Parallel()
	for want, a := range map[string]usher.Audit{
		"ann paused it: ACTIVE → INACTIVE":                                  {Actor: "ann", Before: "ACTIVE", Wanted: "INACTIVE", After: "INACTIVE"},
		"rule stop (budgets) wanted it paused, but it is ACTIVE":            {Actor: "rules/budgets", Rule: "stop", Before: "ACTIVE", Wanted: "INACTIVE", After: "ACTIVE"},
		"usher, for job newer, resumed it: INACTIVE → ACTIVE":               {Actor: "rules/budgets", Restores: "newer", Before: "INACTIVE", Wanted: "ACTIVE", After: "ACTIVE"},
		"ann wanted it paused, but the platform did not show it afterwards": {Actor: "ann", Before: "ACTIVE", Wanted: "INACTIVE", After: "unknown"},
		"somebody wanted it set to PENDING, but it is ACTIVE":               {Before: "ACTIVE", Wanted: "PENDING", After: "ACTIVE"},
	} {
		if got := auditLine(&a); got != want {
			t.Errorf("auditLine returns %q, want %q", got, want)
		}
	}
}

func TestOtherChanges(t *testing.T) {
	t.Parallel()
	const before = `{"name":"a","lastModificationTime":1,"biddingSettings":{"budget":{"daily":100}}}`
	for after, want := range map[string]string{
		`{"name":"a","lastModificationTime":2,"biddingSettings":{"budget":{"daily":80}}}`: "nothing else of the campaign changed",
		`{"name":"b","lastModificationTime":2,"biddingSettings":{"budget":{"daily":80}}}`: "also different in the campaign: /name; --json prints it before and after",
	} {
		a := usher.Audit{
			Bidding:     &usher.BiddingChange{Field: usher.BudgetField},
			Definitions: &usher.Definitions{Before: []byte(before), After: []byte(after)},
		}
		if got := otherChanges(&a); got != want {
			t.Errorf("otherChanges returns %q, want %q", got, want)
		}
	}
}

func TestKeptText(t *testing.T) {
	t.Parallel()
	london, err := time.LoadLocation("Europe/London")
	if err != nil {
		t.Fatal(err)
	}
	for want, s := range map[string]usher.Setting{
		"kept by ann until released: undo of careful1; rules leave it alone, 'usher rules release x' hands it back": {Name: "x", By: "ann", Reason: "undo of careful1"},
		"kept by bob until 2026-07-01 00:00 BST; rules leave it alone, 'usher rules release x' hands it back":       {Name: "x", By: "bob", Until: time.Date(2026, 6, 30, 23, 0, 0, 0, time.UTC)},
	} {
		if got := keptText(&s, london); got != want {
			t.Errorf("keptText returns %q, want %q", got, want)
		}
	}
}

func TestApprovedTitle(t *testing.T) {
	t.Parallel()
	a := usher.Audit{Actor: "rules/careful", Rule: "weak", Before: "ACTIVE", Wanted: "INACTIVE", After: "INACTIVE", Reason: "would pause, and waits for approval: ctr < 1", Job: "j"}
	p := decisions.Page{Audit: &a, Approval: &decisions.Approval{By: "ann", Reason: "looked", Wanted: "ctr < 1"}}
	if got := pageTitle(&p); got != "rule weak (careful) paused it: ACTIVE → INACTIVE, approved by ann: looked" {
		t.Errorf("its title is %q", got)
	}
	if got := pageDetails(&p)[0]; got != "ctr < 1" {
		t.Errorf("its reason is %q", got)
	}
}

// What an approval does not carry out of a decision on several campaigns together is one line.
func TestNotCarriedOutTogether(t *testing.T) {
	t.Parallel()
	r := approvalReport{}
	for i, campaign := range []string{"A", "B", "C"} {
		from := float64(100 * (i + 1))
		change := &usher.BiddingChange{Field: usher.BudgetField, From: from, To: from / 2, Currency: "USD"}
		r.NotCarriedOut = append(r.NotCarriedOut, usher.StoredDecision{Decision: usher.Decision{
			Campaign: campaign, Rule: "cap", Level: "account", Action: usher.Held, Wants: usher.Decrease, Guard: usher.GuardDisabled, Bidding: change,
			Reason: "would set the daily budget from " + change.Before()[:3] + " to " + change.After() + ", but actions does not have budget: grossMediaSpend >= 5",
		}})
	}
	var b strings.Builder
	r.writeNotCarriedOut(&b)
	want := "  not carried out: decrease of 3 budgets of 3 campaigns: would set the daily budget, but actions does not have budget: grossMediaSpend >= 5; A (100 → 50 USD), B (200 → 100 USD), C (300 → 150 USD)\n"
	if got := b.String(); got != want {
		t.Errorf("printed\n%swant\n%s", got, want)
	}
	if got := togetherText([]string{"A", "B", "C", "D", "E", "F", "G"}); got != "one decision on 7 campaigns: A, B, C, D, E and 2 more" {
		t.Errorf("it is %q", got)
	}
}

// TestFate checks what is said of a rule that has paused a creative and cannot resume it now.
func TestFate(t *testing.T) {
	t.Parallel()
	const file = "account: A\ntimezone: UTC\nrules:\n  - {name: r, scope: {campaigns: [\"A-x\"]}, window: yesterday, pause_when: clicks > 9, resume_when: clicks < 5}\n"
	pause := map[string]usher.Setting{"caps/r": {Kind: usher.RulePause, Name: "caps/r", By: "ann", Reason: "new budgets", At: time.Date(2026, 5, 20, 9, 0, 0, 0, time.UTC)}}
	for _, c := range []struct {
		from, to string
		paused   map[string]usher.Setting
		want     string
	}{
		{"", "", nil, "which may resume it unless somebody else changes it"},
		{", resume_when: clicks < 5", "", nil, "which has no resume_when: it stays paused until a person resumes it"},
		{"window:", "mode: observe, window:", nil, "which is in mode observe: nothing resumes it while it is"},
		{"window:", "mode: approve, window:", nil, "which may resume it unless somebody else changes it"},
		{`"A-x"`, `"A-y"`, nil, "which does not have it in scope now: nothing resumes it until it has"},
		{`"A-x"]`, `"A-*"], exclude: ["*-x"]`, nil, "which does not have it in scope now: nothing resumes it until it has"},
		{`"A-x"]`, `"A-x"], creatives: ["d"]`, nil, "which does not have it in scope now: nothing resumes it until it has"},
		{`"A-x"]`, `"A-x"], types: ["Video"]`, nil, "which may resume it unless somebody else changes it"},
		{"", "", pause, "which is paused by ann: new budgets, 2026-05-20 09:00:00: nothing resumes it until 'usher rules resume caps r'"},
		{"name: r,", "name: s, formerly: r,", nil, "which is now rule caps/s and may resume it unless somebody else changes it"},
		{"name: r,", "name: s, formerly: r, mode: observe,", nil, "which is now rule caps/s and is in mode observe: nothing resumes it while it is"},
	} {
		set, problems := rules.Load("caps.yaml", []byte(strings.Replace(file, c.from, c.to, 1)))
		if set == nil {
			t.Fatal(problems)
		}
		s := decisions.Story{Creative: "c", Campaigns: []string{"A-x"}, Owner: &usher.Change{File: "caps", Rule: "r"}}
		if got := fateBy(set, set.Owner("caps/r"), &s, c.paused, time.Date(2026, 5, 20, 12, 0, 0, 0, time.UTC)); got != c.want {
			t.Errorf("with %q: %q, want %q", c.to, got, c.want)
		}
	}
	set, problems := rules.Load("caps.yaml", []byte(strings.Replace(file, "resume_when: clicks < 5", `active_hours: "08:00-22:00"`, 1)))
	if set == nil {
		t.Fatal(problems)
	}
	for cause, want := range map[usher.Cause]string{
		usher.CauseHours:     "which may resume it unless somebody else changes it",
		usher.CauseCondition: "which has no resume_when: it stays paused until a person resumes it",
		"":                   "which may resume it unless somebody else changes it",
	} {
		s := decisions.Story{Creative: "c", Campaigns: []string{"A-x"}, Owner: &usher.Change{File: "caps", Rule: "r", Cause: cause}}
		if got := fateBy(set, set.Owner("caps/r"), &s, nil, time.Date(2026, 5, 20, 12, 0, 0, 0, time.UTC)); got != want {
			t.Errorf("paused because of %q: %q, want %q", cause, got, want)
		}
	}
}
