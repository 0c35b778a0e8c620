package main_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/internal/sandbox"
	"usher/queues/decisions"
)

// spendRules has one rule that a schedule evaluates, and two of which events are decided.
const spendRules = `
account: SANDBOX1
timezone: %s
rules:
  - name: daily
    scope: {campaigns: ["SANDBOX1-summer"]}
    window: today
    decrease_when: impressions >= 0
    budget: {decrease: 20%%, min: 1}
    schedule: "%d %d * * *"
  - name: pace
    scope: {campaigns: ["SANDBOX1-spring"]}
    window: today
    decrease_when: grossMediaSpend >= 90
    budget: {decrease: 20%%, min: 1}
  - name: calm
    scope: {campaigns: ["SANDBOX1-spring"]}
    window: today
    decrease_when: grossMediaSpend >= 90
    bid: {decrease: 10%%, min: 0.01}
`

// Several workers make one run of a tick, and change a budget and a bid once a day, however
// many decisions are made at once. Neither change undoes the other.
func TestBudgetsOfSeveralWorkers(t *testing.T) {
	t.Parallel()
	now, zone := time.Now().UTC(), "UTC"
	if now.Hour() > 21 {
		zone = "America/Los_Angeles" // no new day begins there during the test, and it is the day of the report
	}
	at, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	tick := now.Truncate(time.Minute).In(at)
	file := filepath.Join(t.TempDir(), "spend.yaml")
	if err := os.WriteFile(file, []byte(fmt.Sprintf(spendRules, zone, tick.Minute(), tick.Hour())), 0o600); err != nil {
		t.Fatal(err)
	}
	d := newDeploymentOn(t, sandbox.Options{}, "USHER_RULES_FILES="+file, "USHER_ACTIONS=budget,bid", "USHER_LANES_RULES=4", "USHER_RETRY_FIRST=50ms", "USHER_LOG_LEVEL=error")
	// The workers have missed the last tick.
	if err := decisions.New(d.queue, nil).RecordTick(t.Context(), usher.Tick{File: "spend", Rule: "daily", At: tick.AddDate(0, 0, -1)}); err != nil {
		t.Fatal(err)
	}
	const events = 6
	for n := range events {
		d.publish(usher.RulesEvaluate, job{"id": fmt.Sprintf("event-%d", n), "rules": "spend", "metrics": job{
			"campaign": "SANDBOX1-spring", "at": time.Now().UTC(), "values": job{"grossMediaSpend": 95 + n},
		}})
	}
	d.worker("first")
	d.worker("second")
	run := "rule-spend-daily-" + tick.UTC().Format("20060102T1504Z")
	for _, id := range []string{run, "event-0", "event-1", "event-2", "event-3", "event-4", "event-5"} {
		if r := d.ended(id); r.State != usher.Done {
			t.Fatalf("%s is %s: %+v", id, r.State, r.Error)
		}
		var e struct{ Run usher.Evaluation }
		d.usherJSON(&e, "rules", "runs", "show", id, "--json")
		for _, job := range e.Run.Jobs {
			d.ended(job)
		}
	}
	for campaign, want := range map[string]map[usher.BiddingField]string{
		"SANDBOX1-summer": {usher.BudgetField: "100 USD → 80 USD"},
		"SANDBOX1-spring": {usher.BudgetField: "50 USD → 40 USD", usher.BidField: "1.5 USD → 1.35 USD"},
	} {
		audits := d.audits(campaign)
		if len(audits) != len(want) {
			t.Errorf("%s was changed %d times: %+v", campaign, len(audits), audits)
		}
		var shown struct{ Campaign json.RawMessage }
		d.usherJSON(&shown, "api", "campaigns", "get", campaign, "--json")
		now := rtb.Definition(shown.Campaign)
		for _, a := range audits {
			field := a.Bidding.Field
			if got := a.Before + " → " + a.After; got != want[field] || usher.BiddingState(now.Number(field), now.Currency()) != a.After {
				t.Errorf("the %s of %s was changed %s, not %s, and is %v", field, campaign, got, want[field], now.Number(field))
			}
		}
	}
	if n := len(d.journal("campaigns.put")); n != 3 {
		t.Errorf("campaigns were replaced %d times", n)
	}
}
