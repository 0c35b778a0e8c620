package evaluation_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/internal/sandbox"
	"usher/workers/internal/workertest"
)

// Metrics that are too old, of yesterday, or out of range are refused, and the run is on
// record with the reason.
func TestRefusedEvents(t *testing.T) {
	t.Parallel()
	text := strings.ReplaceAll(budgets, "Europe/London", "UTC")
	p := newRuleQueue(t, load(t, "budgets", text), load(t, "hours", strings.ReplaceAll(text, "name: stop", "name: stop\n    max_report_age: 2h")))
	now := time.Now().UTC()
	if now.Hour() < 3 {
		now = now.Truncate(24 * time.Hour).Add(12 * time.Hour)
	}
	p.Worker.Now = func() time.Time { return now }
	p.Start()
	event := func(rules string, ago time.Duration, spend string) string {
		return fmt.Sprintf(`{"id":%%q,"rules":%q,"metrics":{"campaign":"SANDBOX1-spring","at":%q,"values":{"grossMediaSpend":%s,"budget":100}}}`, rules, now.Add(-ago).Format(time.RFC3339Nano), spend)
	}
	for i, c := range []struct{ job, want string }{
		{event("budgets", 16*time.Minute, "97"), "rule stop takes no metrics older than 15m0s"},
		{event("hours", 121*time.Minute, "97"), "rule stop takes no metrics older than 2h0m0s"},
		{event("hours", 24*time.Hour, "97"), "the metrics are of " + now.Add(-24*time.Hour).Format(time.DateOnly)},
		{event("budgets", time.Minute, "-1"), "the metric grossMediaSpend is -1"},
		{event("budgets", time.Minute, "1.1e12"), "the metric grossMediaSpend is 1.1e+12, and metrics are from 0 to 1e+12"},
		{event("hours", 119*time.Minute, "97"), ""},
	} {
		id := fmt.Sprintf("event-%d", i)
		p.Publish(usher.RulesEvaluate, fmt.Sprintf(c.job, id))
		if e := p.Until(id, usher.Done); e.Error != nil {
			t.Fatal(e.Error)
		}
		e, err := p.Decisions.Evaluation(t.Context(), id)
		if err != nil || c.want == "" && e.Why != "" || !strings.Contains(e.Why, c.want) || (len(e.Jobs) > 0) != (c.want == "") {
			t.Errorf("%s: %+v, %v", c.job, e, err)
		}
		p.Done(e.Jobs...)
	}
	if got := p.Statuses("SANDBOX1-spring"); got["spring-1"] != rtb.Inactive {
		t.Errorf("statuses are %v", got)
	}
}

// For a rule with the key for, an event reads the report of the days on which the condition
// must have held.
func TestEventsReadHeldDays(t *testing.T) {
	t.Parallel()
	w := &ways{Bench: workertest.NewBench(t, sandbox.Options{}), at: time.Now().UTC()}
	w.Evaluation.Store, w.Worker.Now = &w.memoryStore, func() time.Time { return w.at }
	set := load(t, "held", "account: SANDBOX1\ntimezone: UTC\nrules:\n  - {name: r, scope: {campaigns: [\"*\"]}, window: today, pause_when: grossMediaSpend >= 90, for: 2 days}\n")
	event := func(spend float64) string {
		return w.run(set, usher.Job{Metrics: &usher.Metrics{Campaign: "SANDBOX1-spring", Values: map[string]float64{"grossMediaSpend": spend}, At: w.at}})
	}
	if got := event(80); got != "none" {
		t.Errorf("below the limit it decides %q", got)
	}
	w.WantCalls(t, "reporting.campaigns", 0)
	for _, c := range []struct {
		spend [2]float64
		want  string
	}{{[2]float64{95, 91}, "pause by r"}, {[2]float64{95, 89}, "none"}} {
		var rows []string
		for i, spend := range c.spend {
			rows = append(rows, fmt.Sprintf(`{"campaignCode":"SANDBOX1-spring","reportDate":%q,"grossMediaSpend":%g}`, w.at.AddDate(0, 0, -1-i).Format(time.DateOnly), spend))
		}
		w.Fault("reporting.campaigns", "status", map[string]any{"status": 200, "body": json.RawMessage(`{"status":"success","data":{"reports":[` + strings.Join(rows, ",") + `]}}`)})
		if got := event(97); got != c.want {
			t.Errorf("after days of %v it decides %q, want %q", c.spend, got, c.want)
		}
	}
}

// For min_age, an event and a run read the first row of a campaign. If it has none, they
// use latestUpdate.
func TestMinAgeOfEventsAndRuns(t *testing.T) {
	t.Parallel()
	w := &ways{Bench: workertest.NewBench(t, sandbox.Options{}), at: time.Now().UTC()}
	w.Evaluation.Store, w.Worker.Now = &w.memoryStore, func() time.Time { return w.at }
	w.SetStatus("SANDBOX1-spring", "spring-1", rtb.Inactive) // latestUpdate is now
	w.SetStatus("SANDBOX1-spring", "spring-1", rtb.Active)
	w.SetStatus("SANDBOX1-spring", "spring-2", rtb.Inactive)
	set := load(t, "age", "account: SANDBOX1\ntimezone: UTC\nrules:\n  - {name: r, scope: {campaigns: [SANDBOX1-spring]}, window: today, min_age: 3d, pause_when: grossMediaSpend >= 90}\n")
	for _, c := range []struct {
		days []int // before today
		want string
	}{{[]int{0, 1, 2}, "none"}, {[]int{0, 2, 3}, "pause by r"}, {[]int{0, 90}, "pause by r"}} {
		serve := func() {
			var rows []string
			for _, ago := range c.days {
				rows = append(rows, fmt.Sprintf(`{"campaignCode":"SANDBOX1-spring","reportDate":%q,"grossMediaSpend":95}`, w.at.AddDate(0, 0, -ago).Format(time.DateOnly)))
			}
			w.Fault("reporting.campaigns", "status", map[string]any{"status": 200, "body": json.RawMessage(`{"status":"success","data":{"reports":[` + strings.Join(rows, ",") + `]}}`)})
		}
		serve()
		if got := w.run(set, usher.Job{AsOf: w.at.Format(time.RFC3339)}); got != c.want {
			t.Errorf("with rows %v days ago a run decides %q, want %q", c.days, got, c.want)
		}
		serve()
		if got := w.run(set, usher.Job{Metrics: &usher.Metrics{Campaign: "SANDBOX1-spring", Values: map[string]float64{"grossMediaSpend": 97}, At: w.at}}); got != c.want {
			t.Errorf("with rows %v days ago an event decides %q, want %q", c.days, got, c.want)
		}
	}
	if got := w.run(set, usher.Job{Metrics: &usher.Metrics{Campaign: "SANDBOX1-spring", Values: map[string]float64{"grossMediaSpend": 97}, At: w.at}}); got != "none" {
		t.Errorf("without rows an event decides %q", got)
	}
}

// The currencies of other campaigns do not matter for an event, whether it carries all that
// the rule reads or the rest is taken from the report.
func TestEventsAreAboutOneCampaign(t *testing.T) {
	t.Parallel()
	w := &ways{Bench: workertest.NewBench(t, sandbox.Options{}), at: time.Now().UTC()}
	w.Evaluation.Store, w.Worker.Now = &w.memoryStore, func() time.Time { return w.at }
	set := load(t, "amounts", "account: SANDBOX1\ntimezone: UTC\nrules:\n  - {name: r, scope: {campaigns: [\"*\"]}, window: today, pause_when: grossMediaSpend >= 90 && clicks > 2}\n")
	row := func(campaign, currency string) string {
		return fmt.Sprintf(`{"campaignCode":%q,"reportDate":%q,"currencyCode":%q,"grossMediaSpend":5,"clicks":3}`, campaign, w.at.Format(time.DateOnly), currency)
	}
	for calls, values := range []map[string]float64{{"grossMediaSpend": 97, "clicks": 3}, {"grossMediaSpend": 97}} {
		w.Fault("reporting.campaigns", "status", map[string]any{"status": 200, "body": json.RawMessage(`{"status":"success","data":{"reports":[` + row("SANDBOX1-spring", "EUR") + "," + row("SANDBOX1-winter", "USD") + `]}}`)})
		got := w.run(set, usher.Job{Metrics: &usher.Metrics{Campaign: "SANDBOX1-spring", Values: values, At: w.at}})
		if got != "pause by r" {
			t.Errorf("an event of %v decides %q", values, got)
		}
		w.WantCalls(t, "reporting.campaigns", calls)
	}
}

// An event reads the reports if a rule is UNKNOWN without them and may pause what another
// rule only holds.
func TestEventsReadReportsForUnknownRules(t *testing.T) {
	t.Parallel()
	w := &ways{Bench: workertest.NewBench(t, sandbox.Options{}), at: time.Now().UTC()}
	w.Evaluation.Store, w.Worker.Now = &w.memoryStore, func() time.Time { return w.at }
	set := load(t, "both", `account: SANDBOX1
timezone: UTC
rules:
  - {name: reads, scope: {campaigns: ["*"]}, window: today, pause_when: account.budget > 40}
  - {name: asks, scope: {campaigns: ["*"]}, window: today, pause_when: grossMediaSpend >= 80, mode: approve}
`)
	w.serve(values{"budget": 50})
	if got := w.run(set, usher.Job{Metrics: &usher.Metrics{Campaign: "SANDBOX1-spring", Values: map[string]float64{"grossMediaSpend": 90}, At: w.at}}); got != "pause by reads" {
		t.Errorf("it decides %q", got)
	}
}

// Only rules with window: today decide on events. A rule that has only active_hours has no
// window.
func TestEventsSkipRulesWithOnlyActiveHours(t *testing.T) {
	t.Parallel()
	w := &ways{Bench: workertest.NewBench(t, sandbox.Options{}), at: time.Now().UTC()}
	w.Evaluation.Store, w.Worker.Now = &w.memoryStore, func() time.Time { return w.at }
	later := func(hours int) string { return w.at.Add(time.Duration(hours) * time.Hour).Format("15:04") }
	set := load(t, "hours", fmt.Sprintf(`account: SANDBOX1
timezone: UTC
rules:
  - {name: stop, scope: {campaigns: ["*"]}, window: today, pause_when: grossMediaSpend >= 95}
  - {name: outside, scope: {campaigns: ["*"]}, active_hours: "%s-%s"}
`, later(2), later(3)))
	w.serve(nil)
	if got := w.run(set, usher.Job{Metrics: &usher.Metrics{Campaign: "SANDBOX1-spring", Values: map[string]float64{"grossMediaSpend": 90}, At: w.at}}); got != "none" {
		t.Errorf("it decides %q", got)
	}
}
