package main_test

import (
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"usher"
)

// nightRules asks in the evening about creatives that have spent too much today.
const nightRules = `
account: SANDBOX1
timezone: Europe/London
rules:
  - name: spent
    scope: {campaigns: ["SANDBOX1-brand"], level: creative}
    window: today
    pause_when: grossMediaSpend >= 50
    mode: approve
`

// TestApprovalOverNight has a rule decide at 22:00 on a day whose report changes over night, and approves
// the run on the next day: the day of the run is decided again, as of the same time.
func TestApprovalOverNight(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "night.yaml")
	writeFile(t, file, nightRules)
	d := newDeployment(t, "USHER_RULES_FILES="+file)
	d.worker("first")
	report := func(days map[string]map[string]float64) {
		var rows []job
		for day, creatives := range days {
			var spent []job
			for code, gross := range creatives {
				spent = append(spent, job{"creativeCode": code, "grossMediaSpend": gross})
			}
			rows = append(rows, job{"reportDate": day, "campaignCode": "SANDBOX1-brand", "currencyCode": "USD", "creatives": spent})
		}
		d.control("DELETE", "faults", nil, nil)
		d.control("POST", "faults", job{"op": "reporting.campaign", "kind": "status", "status": 200, "for": "1h", "body": job{"status": "success", "data": job{"reports": rows}}}, nil)
	}
	const evening, morning = "2014-04-10", "2014-04-11"
	report(map[string]map[string]float64{evening: {"brand-1": 60, "brand-2": 55, "brand-3": 70}})
	d.publish(usher.RulesEvaluate, job{"id": "night", "rules": "night", "asOf": evening + "T22:00:00+01:00"})
	d.ended("night")

	// brand-1 has spent more, brand-2 less than it seemed, and brand-3 has no row any more. On the next day
	// all is the other way round.
	report(map[string]map[string]float64{evening: {"brand-1": 90, "brand-2": 20}, morning: {"brand-1": 1, "brand-2": 99, "brand-3": 99}})
	says := func(want []string, args ...string) {
		t.Helper()
		out, code := d.usher(args...)
		for _, line := range want {
			if code != 0 || !strings.Contains(out, line) {
				t.Errorf("usher %s exits with %d and lacks %q:\n%s", strings.Join(args, " "), code, line, out)
			}
		}
	}
	const gone, unknown = "pause of SANDBOX1-brand/brand-2", "pause of SANDBOX1-brand/brand-3"
	says([]string{"still wanted: 1 pause", "no longer wanted: " + gone, "stays held: " + unknown}, "rules", "approve", "night", "--dry-run")
	says([]string{
		"run night is approved in part by ann", "job night.SANDBOX1-brand.pause",
		"not carried out: " + gone + " is no longer wanted: does not hold: grossMediaSpend >= 50 (20 is not >= 50)", "not carried out: " + unknown + " stays held: ",
	}, "rules", "approve", "night", "--yes", "--actor", "ann", "--reason", "slept on it")
	d.ended("night.SANDBOX1-brand.pause")

	var shown struct {
		Run       usher.Evaluation
		Decisions []usher.StoredDecision
	}
	d.usherJSON(&shown, "rules", "runs", "show", "night", "--json")
	run := shown.Run
	if run.State != usher.EvaluationHeld || run.AsOf.Format("2006-01-02T15:04Z07:00") != evening+"T21:00Z" || run.By != "ann" || len(run.Approvals) != 1 ||
		!slices.Equal(run.LeftOut, []string{"SANDBOX1-brand/brand-2"}) || !slices.Equal(run.Approvals[0].Waiting, []string{"SANDBOX1-brand/brand-3"}) {
		t.Errorf("the run is %+v", run)
	}
	codes := map[usher.WarningCode]string{}
	for _, w := range run.Warnings {
		codes[w.Code] = w.Description
	}
	if len(codes) != 2 || !strings.HasPrefix(codes["no_longer"], gone) || !strings.HasPrefix(codes["unknown"], unknown) {
		t.Errorf("its warnings are %v", codes)
	}
	for _, s := range shown.Decisions {
		if s.Date != evening {
			t.Errorf("a decision is of %s", s.Date)
		}
	}
	says([]string{"rule spent (night) paused it: ACTIVE → INACTIVE, approved by ann: slept on it", "grossMediaSpend >= 50 (60 >= 50)"}, "rules", "why", "brand-1")
	says([]string{"ann approved the run without it", "dropped: the approval left it out, because the " + gone + " is no longer wanted: does not hold: grossMediaSpend >= 50 (20 is not >= 50)"}, "rules", "why", "brand-2")
	for _, a := range d.audits("SANDBOX1-brand") {
		if strings.Contains(a.Reason, "waits for approval") {
			t.Errorf("the audit of what was approved says %q", a.Reason)
		}
	}
	says([]string{"SANDBOX1-brand brand-1  pause by rule spent, approved", "held, wants pause (approval) by rule spent, left out of the approval", "held, wants pause (approval) by rule spent\n"}, "rules", "runs", "show", "night")
	says([]string{"wants to pause it, and waits for approval", "ann approved the run, but this stays held: "}, "rules", "why", "brand-3")

	// The row is there again, and somebody else approves the rest.
	report(map[string]map[string]float64{evening: {"brand-1": 90, "brand-2": 20, "brand-3": 71}, morning: {"brand-3": 0}})
	says([]string{"run night is approved by bob", "job night.SANDBOX1-brand.pause.approved2"}, "rules", "approve", "night", "--yes", "--actor", "bob", "--reason", "it is back")
	d.ended("night.SANDBOX1-brand.pause.approved2")
	says([]string{"approved by bob: it is back"}, "rules", "why", "brand-3")
	says([]string{"approved by ann: slept on it"}, "rules", "why", "brand-1")
	says([]string{"ann approved the run without it"}, "rules", "why", "brand-2")
}

// TestApprovalOfAPausedRule checks that what a paused rule has decided stays held until the rule is resumed.
func TestApprovalOfAPausedRule(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "night.yaml")
	writeFile(t, file, nightRules)
	d := newDeployment(t, "USHER_RULES_FILES="+file)
	d.worker("first")
	d.control("POST", "faults", job{"op": "reporting.campaign", "kind": "status", "status": 200, "for": "1h", "body": job{"status": "success", "data": job{"reports": []job{
		{"reportDate": "2014-04-10", "campaignCode": "SANDBOX1-brand", "currencyCode": "USD", "creatives": []job{{"creativeCode": "brand-1", "grossMediaSpend": 90}}},
	}}}}, nil)
	d.publish(usher.RulesEvaluate, job{"id": "night", "rules": "night", "asOf": "2014-04-10T22:00:00+01:00"})
	d.ended("night")
	says := func(wantCode int, want string, args ...string) {
		t.Helper()
		if out, code := d.usher(args...); code != wantCode || !strings.Contains(out, want) {
			t.Errorf("usher %s exits with %d and says %q; want %d and %q", strings.Join(args, " "), code, out, wantCode, want)
		}
	}
	says(0, "paused", "rules", "pause", "night", "spent", "--actor", "bob", "--reason", "incident 12")
	const why = "stays held: pause of SANDBOX1-brand/brand-1: rule night/spent has been paused by bob: incident 12; resume it before you approve, or reject the run"
	says(0, why, "rules", "approve", "night", "--dry-run")
	says(1, "nothing of it can be decided now", "rules", "approve", "night", "--yes", "--reason", "looked")
	says(0, "resumed", "rules", "resume", "night", "spent", "--reason", "over")
	says(0, "job night.SANDBOX1-brand.pause", "rules", "approve", "night", "--yes", "--reason", "looked")
	d.ended("night.SANDBOX1-brand.pause")
}

// bidRules asks before it lowers a bid.
const bidRules = `
account: SANDBOX1
timezone: Europe/London
rules:
  - name: calmer-bids
    scope: {campaigns: ["SANDBOX1-video"]}
    window: last 7 days
    min_data: {impressions: 5000}
    decrease_when: ecpm > 4
    bid: {decrease: 10%, min: 0.50}
    mode: approve
`

// TestApprovalByTheActionsOfWorkers approves changes of a bid with a command whose own configuration has
// no actions: those of the workers count, and what they no longer let rules change stays held.
func TestApprovalByTheActionsOfWorkers(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "bids.yaml")
	writeFile(t, file, bidRules)
	d := newDeployment(t, "USHER_RULES_FILES="+file)
	approve := func(wantCode int, want, run string) {
		t.Helper()
		out, code := d.usher("rules", "approve", run, "--yes", "--actor", "ann", "--reason", "looked at it")
		if code != wantCode || !strings.Contains(out, want) {
			t.Errorf("usher rules approve %s exits with %d and says %q; want %d and %q", run, code, out, wantCode, want)
		}
	}
	stateOf := func(run string) usher.Evaluation {
		t.Helper()
		var shown struct{ Run usher.Evaluation }
		d.usherJSON(&shown, "rules", "runs", "show", run, "--json")
		return shown.Run
	}

	first := d.worker("first", "USHER_ACTIONS=bid")
	d.publish(usher.RulesEvaluate, job{"id": "b1", "rules": "bids", "asOf": "2014-04-17T07:00:00+01:00"})
	d.ended("b1")
	first.signal(syscall.SIGTERM)
	first.exit(t)
	second := d.worker("second")
	approve(1, "add bid to actions of worker second (USHER_ACTIONS), start it again, and approve then", "b1")
	if run := stateOf("b1"); run.State != usher.EvaluationHeld || len(run.LeftOut) > 0 {
		t.Errorf("a run whose change workers refuse is %s, without %q", run.State, run.LeftOut)
	}

	d.worker("third", "USHER_ACTIONS=bid")
	approve(1, "actions of worker second", "b1")
	second.signal(syscall.SIGTERM)
	second.exit(t)
	approve(0, "run b1 is approved by ann", "b1")
	if run := stateOf("b1"); len(run.Jobs) != 1 || d.ended(run.Jobs[0]).State != usher.Done {
		t.Errorf("the run is carried out by %q", run.Jobs)
	}
}
