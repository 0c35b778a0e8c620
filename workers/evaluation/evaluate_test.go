package evaluation_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/internal/rules"
	"usher/queues/audit"
	"usher/queues/decisions"
	"usher/queues/queuetest"
	"usher/workers/internal/workertest"
)

func load(t testing.TB, name, text string) *rules.Set {
	t.Helper()
	set, problems := rules.Load(name+".yaml", []byte(text))
	if set == nil {
		t.Fatal(problems)
	}
	return set
}

// budgets is a rule file that pauses at 95 % of the budget and resumes below 80 %.
const budgets = `
account: SANDBOX1
timezone: Europe/London
rules:
  - name: stop
    scope: {campaigns: ["SANDBOX1-*"], exclude: ["*-brand"]}
    window: today
    pause_when: grossMediaSpend >= 0.95 * budget
    resume_when: grossMediaSpend < 0.80 * budget
`

// ruleQueue is a workertest.Queue with rule files.
type ruleQueue struct{ *workertest.Queue }

func newRuleQueue(t *testing.T, sets ...*rules.Set) *ruleQueue {
	t.Helper()
	p := &ruleQueue{workertest.NewRuleQueue(t, sets...)}
	for _, s := range sets {
		if err := decisions.NewFileRegistry(p.Jobs).Announce(t.Context(), usher.RuleFile{Name: s.Name}); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// evaluate publishes an evaluation of budgets and waits until it and its jobs are
// done.
func (p *ruleQueue) evaluate(id, fields string) usher.Evaluation {
	p.T.Helper()
	return p.evaluateFile("budgets", id, fields)
}

func (p *ruleQueue) evaluateFile(file, id, fields string) usher.Evaluation {
	p.T.Helper()
	p.Publish(usher.RulesEvaluate, fmt.Sprintf(`{"id":%q,"rules":%q%s}`, id, file, fields))
	if e := p.Until(id, usher.Done); e.Error != nil {
		p.T.Fatal(e.Error)
	}
	e, err := p.Decisions.Evaluation(p.T.Context(), id)
	if err != nil {
		p.T.Fatal(err)
	}
	p.Done(e.Jobs...)
	return e
}

// spent returns the metrics of an event: a campaign's spend of a budget of 100.
func spent(campaign string, spend float64) string {
	return fmt.Sprintf(`,"metrics":{"campaign":%q,"at":%q,"values":{"grossMediaSpend":%g,"budget":100}}`,
		campaign, time.Now().UTC().Format(time.RFC3339Nano), spend)
}

func (p *ruleQueue) decisions(id string) []usher.StoredDecision {
	p.T.Helper()
	all, err := p.Decisions.Decisions(p.T.Context(), id)
	if err != nil {
		p.T.Fatal(err)
	}
	return all
}

// audits returns the changes of campaigns in the audit.
func (p *ruleQueue) audits() []usher.Audit {
	p.T.Helper()
	var all []usher.Audit
	if err := p.Jobs.Audit().Each(p.T.Context(), audit.Filter{}, func(a usher.Audit) error {
		if a.Campaign != "" {
			all = append(all, a)
		}
		return nil
	}); err != nil {
		p.T.Fatal(err)
	}
	return all
}

// An event makes a rule pause, a later one makes it resume, and the audit has both.
func TestEventPausesAndResumes(t *testing.T) {
	t.Parallel()
	p := newRuleQueue(t, load(t, "budgets", budgets))
	p.Start()
	e := p.evaluate("high", spent("SANDBOX1-spring", 97))
	if len(e.Jobs) != 1 || e.Counts[usher.Pause] != 2 || !e.Event || e.State != usher.EvaluationDone {
		t.Fatalf("the evaluation is %+v", e)
	}
	if got := p.Statuses("SANDBOX1-spring"); got["spring-1"] != rtb.Inactive || got["spring-2"] != rtb.Inactive {
		t.Errorf("statuses are %v", got)
	}
	p.evaluate("still-high", spent("SANDBOX1-spring", 98))
	p.evaluate("between", spent("SANDBOX1-spring", 90))
	p.WantCalls(t, "set-status", 1)
	if e = p.evaluate("low", spent("SANDBOX1-spring", 70)); e.Counts[usher.Resume] != 2 {
		t.Errorf("the evaluation is %+v", e)
	}
	if got := p.Statuses("SANDBOX1-spring"); got["spring-1"] != rtb.Active {
		t.Errorf("statuses are %v", got)
	}
	audits := p.audits()
	if len(audits) != 4 {
		t.Fatalf("%d audits: %+v", len(audits), audits)
	}
	a := audits[0]
	if a.Rule != "stop" || a.Evaluation != "high" || a.Actor != "rules/budgets" || a.Metrics["grossMediaSpend"] != 97 || len(a.Values) == 0 || !strings.Contains(a.Reason, "97") {
		t.Errorf("the first audit is %+v", a)
	}
}

// A creative that a person has paused stays paused, and so does one that a person
// has changed after the rule.
func TestRuleLeavesPersonsCreativesAlone(t *testing.T) {
	t.Parallel()
	p := newRuleQueue(t, load(t, "budgets", budgets))
	p.Start()
	p.SetStatus("SANDBOX1-spring", "spring-1", rtb.Inactive)
	p.evaluate("high", spent("SANDBOX1-spring", 97)) // pauses spring-2
	p.evaluate("high-summer", spent("SANDBOX1-summer", 97))
	p.SetStatus("SANDBOX1-summer", "summer-2", rtb.Active)
	p.SetStatus("SANDBOX1-summer", "summer-2", rtb.Inactive)
	p.evaluate("low", spent("SANDBOX1-spring", 10))
	p.evaluate("low-summer", spent("SANDBOX1-summer", 10))
	spring, summer := p.Statuses("SANDBOX1-spring"), p.Statuses("SANDBOX1-summer")
	if spring["spring-1"] != rtb.Inactive || spring["spring-2"] != rtb.Active || summer["summer-2"] != rtb.Inactive || summer["summer-1"] != rtb.Active {
		t.Errorf("statuses are %v, %v", spring, summer)
	}
	for _, c := range []struct{ evaluation, creative string }{{"low", "spring-1"}, {"low-summer", "summer-2"}} {
		at := slices.IndexFunc(p.decisions(c.evaluation), func(r usher.StoredDecision) bool { return r.Creative == c.creative })
		if at < 0 || p.decisions(c.evaluation)[at].Guard != usher.GuardHandsOff {
			t.Errorf("%s decides on %s: %+v", c.evaluation, c.creative, p.decisions(c.evaluation))
		}
	}
}

// A scheduled evaluation reads the report of all campaigns by one call, and the
// statuses only of campaigns that may change.
func TestScheduledEvaluation(t *testing.T) {
	t.Parallel()
	p := newRuleQueue(t, load(t, "budgets", strings.ReplaceAll(budgets, "window: today", "window: yesterday")))
	p.Start()
	e := p.evaluate("tick", `,"asOf":"2014-04-01T06:00:00Z"`)
	p.WantCalls(t, "reporting.campaigns", 1)
	if n := len(p.Calls("campaigns.status")); n == 0 || len(e.Jobs) == 0 || len(e.Jobs) > 8 {
		t.Errorf("%d statuses were read, the evaluation is %+v", n, e)
	}
	for _, r := range p.decisions("tick") {
		if r.Action == usher.Pause && r.Report != "2014-03-31" {
			t.Errorf("a decision on another day's report: %+v", r)
		}
	}
	before := len(p.Calls("campaigns.status"))
	again := p.evaluate("tick-2", `,"asOf":"2014-04-01T06:15:00Z"`)
	if again.Counts[usher.Pause] != 0 || len(again.Jobs) != 0 {
		t.Errorf("it pauses again: %+v", again)
	}
	if len(p.Calls("campaigns.status")) == before {
		t.Errorf("the statuses of paused creatives were not read again")
	}
}

// However many rules of an account there are, and whatever their windows, a run reads one
// report of all campaigns, and one of each campaign that rules on creatives have in scope.
func TestOneReportForAllRules(t *testing.T) {
	t.Parallel()
	file := func(name string, rules int) *rules.Set {
		text := "account: SANDBOX1\ntimezone: Europe/London\nrules:\n"
		for n := range rules {
			window := []string{"yesterday", "last 3 days", "last 14 days", "this month"}[n%4]
			scope := []string{`{campaigns: ["*"]}`, `{campaigns: [SANDBOX1-spring, SANDBOX1-winter], level: creative}`}[n/4%2]
			text += fmt.Sprintf("  - {name: r%d, scope: %s, window: %s, min_data: {impressions: 1}, pause_when: clicks > 1e9 && ctr < 0.5 * over(\"last 7 days\").ctr}\n", n, scope, window)
		}
		return load(t, name, text)
	}
	p := newRuleQueue(t, file("budgets", 40), file("others", 16))
	p.Start()
	p.evaluate("all", `,"asOf":"2014-04-05T06:00:00Z"`)
	p.WantCalls(t, "reporting.campaigns", 1)
	p.WantCalls(t, "reporting.campaign", 2)
}

// A missing or broken report changes nothing. If a report was restated, its current
// version counts.
func TestWrongReports(t *testing.T) {
	t.Parallel()
	p := newRuleQueue(t, load(t, "budgets", strings.ReplaceAll(budgets, "window: today", "window: yesterday")))
	p.Start()
	e := p.evaluate("missing", `,"asOf":"2013-01-01T06:00:00Z"`)
	if len(e.Jobs) != 0 || e.Counts[usher.Unknown] == 0 {
		t.Errorf("without a report it decides %+v", e)
	}
	row := func(spend float64) json.RawMessage {
		return json.RawMessage(fmt.Sprintf(`{"status":"success","data":{"reports":[{"reportDate":"2014-03-31","campaignCode":"SANDBOX1-spring","grossMediaSpend":%g,"budget":100}]}}`, spend))
	}
	for i, c := range []struct {
		spend float64
		want  string
	}{{97, rtb.Inactive}, {50, rtb.Active}} {
		p.Fault("reporting.campaigns", "status", map[string]any{"status": 200, "body": row(c.spend)})
		p.evaluate(fmt.Sprintf("restated-%d", i), fmt.Sprintf(`,"asOf":"2014-04-01T0%d:00:00Z"`, i))
		if got := p.Statuses("SANDBOX1-spring"); got["spring-1"] != c.want {
			t.Errorf("at %g of 100 spent, statuses are %v", c.spend, got)
		}
	}
	p.Fault("reporting.campaigns", "broken_json", map[string]any{"times": 1})
	p.Worker.Limits.FirstRetry = time.Millisecond
	if e = p.evaluate("broken", `,"asOf":"2014-04-01T05:00:00Z"`); len(p.Calls("reporting.campaigns")) < 5 {
		t.Errorf("a broken report was not read again: %+v", e)
	}
}

// A run that exceeds its cap changes nothing and waits for approval.
func TestHeldUntilApproved(t *testing.T) {
	t.Parallel()
	p := newRuleQueue(t, load(t, "budgets", budgets+"    limits: {max_creatives: 1}\n"))
	p.Start()
	e := p.evaluate("high", spent("SANDBOX1-spring", 97))
	if e.State != usher.EvaluationHeld || len(e.Jobs) != 0 || e.Counts[usher.Held] != 2 || e.Why == "" {
		t.Fatalf("the evaluation is %+v", e)
	}
	p.WantCalls(t, "set-status", 0)
	e, err := p.Decisions.Interventions().Approve(t.Context(), "high", "ann", "it is right", nil)
	if err != nil || len(e.Jobs) != 1 {
		t.Fatalf("after approval it is %+v, %v", e, err)
	}
	p.Done(e.Jobs...)
	if got := p.Statuses("SANDBOX1-spring"); got["spring-1"] != rtb.Inactive {
		t.Errorf("statuses are %v", got)
	}
	undone, left, err := p.Decisions.Interventions().Undo(t.Context(), "high", "bob", "it was not")
	if err != nil || len(left) != 0 || len(undone.Jobs) != 1 {
		t.Fatalf("after undo it is %+v, %+v, %v", undone, left, err)
	}
	p.Done(undone.Jobs...)
	if got := p.Statuses("SANDBOX1-spring"); got["spring-1"] != rtb.Active || got["spring-2"] != rtb.Active {
		t.Errorf("statuses are %v", got)
	}
	if audits := p.audits(); len(audits) != 4 || audits[3].Actor != "bob" || audits[0].Rule != "stop" {
		t.Errorf("audits are %+v", audits)
	}
}

// An approval is carried out although the same run has changed another creative of the
// campaign without one.
func TestApprovalBesideAChange(t *testing.T) {
	t.Parallel()
	p := newRuleQueue(t, load(t, "budgets", `
account: SANDBOX1
timezone: Europe/London
rules:
  - {name: stop, scope: {campaigns: ["*"], creatives: ["*-1"]}, window: today, pause_when: grossMediaSpend > 90}
  - {name: ask, scope: {campaigns: ["*"], creatives: ["*-2"]}, window: today, pause_when: grossMediaSpend > 90, mode: approve}
`))
	p.Start()
	e := p.evaluate("both", spent("SANDBOX1-spring", 97))
	if got := p.Statuses("SANDBOX1-spring"); e.State != usher.EvaluationHeld || got["spring-1"] != rtb.Inactive || got["spring-2"] != rtb.Active {
		t.Fatalf("before approval it is %+v, and statuses are %v", e, got)
	}
	e, err := p.Decisions.Interventions().Approve(t.Context(), "both", "ann", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	p.Done(e.Jobs...)
	if got := p.Statuses("SANDBOX1-spring"); got["spring-2"] != rtb.Inactive {
		t.Errorf("after approval of %+v statuses are %v", e, got)
	}
	if audits := p.audits(); len(audits) != 2 {
		t.Errorf("audits are %+v", audits)
	}
	story, err := p.Decisions.Story(t.Context(), "spring-2")
	if err != nil || len(story.Changes) != 1 {
		t.Errorf("the story is %+v, %v", story, err)
	}
}

func TestEvaluationsThatFail(t *testing.T) {
	t.Parallel()
	p := newRuleQueue(t, load(t, "budgets", budgets))
	p.Worker.Limits.Attempts = 1
	p.Start()
	for i, c := range []struct {
		job  string
		want usher.Class
	}{
		{`"rules":"nobody"`, usher.NotFound},
		{`"rules":"budgets","advertiser":"OTHER"`, usher.InvalidJob},
		{`"rules":"budgets","rule":"nobody"`, usher.Exhausted},
		{`"rules":"budgets","asOf":"2100-01-01T00:00:00Z"`, usher.InvalidJob},
	} {
		id := fmt.Sprintf("bad-%d", i)
		p.Publish(usher.RulesEvaluate, fmt.Sprintf(`{"id":%q,%s}`, id, c.job))
		if e := p.Until(id, usher.Failed); e.Error == nil || e.Error.Class != c.want {
			t.Errorf("%s ends %+v", c.job, e.Error)
		}
	}
}

// While the stop switch is on, rules are evaluated and recorded, but nothing
// changes.
func TestEvaluationWhileStopped(t *testing.T) {
	t.Parallel()
	p := newRuleQueue(t, load(t, "budgets", budgets))
	set := p.Jobs.Settings()
	p.Campaign.Stopped, p.Evaluation.Stopped = set.Stopped, set.Stopped
	if err := set.Set(t.Context(), usher.Setting{Kind: usher.StopSwitch}, audit.Act{Actor: "ann", Reason: "incident 12"}); err != nil {
		t.Fatal(err)
	}
	p.Start()
	e := p.evaluate("high", spent("SANDBOX1-spring", 97))
	if len(e.Jobs) != 0 || e.Counts[usher.Held] != 2 || e.State != usher.EvaluationDone || !e.IsStopped() || e.Warnings[0].Count != 2 || !strings.HasPrefix(e.Warnings[0].Description, "the stop switch was on (incident 12)") {
		t.Errorf("the evaluation is %+v", e)
	}
	if r := p.decisions("high"); len(r) != 2 || r[0].Guard != usher.GuardStop {
		t.Errorf("it decides %+v", r)
	}
	p.WantCalls(t, "set-status", 0)
}

// A rule that a person has paused decides nothing, for itself or against others. Its runs say who
// has paused it.
func TestPausedRule(t *testing.T) {
	t.Parallel()
	p := newRuleQueue(t, load(t, "budgets", budgets))
	set := p.Jobs.Settings()
	p.Evaluation.Paused = func(ctx context.Context) (map[string]usher.Setting, error) { return set.List(ctx, usher.RulePause) }
	if err := set.Set(t.Context(), usher.Setting{Kind: usher.RulePause, Name: "budgets/stop"}, audit.Act{Actor: "ann", Reason: "incident 12"}); err != nil {
		t.Fatal(err)
	}
	p.Start()
	for id, rule := range map[string]string{"alone": `,"rule":"stop"`, "file": ""} {
		e := p.evaluate(id, rule+spent("SANDBOX1-spring", 97))
		if len(e.Jobs) != 0 || e.Counts[usher.Held] != 0 || e.State != usher.EvaluationDone {
			t.Errorf("the evaluation is %+v", e)
		}
		if rule != "" && !strings.HasPrefix(e.Why, "rule budgets/stop has been paused by ann: incident 12, since 20") {
			t.Errorf("it says %q", e.Why)
		}
	}
	p.WantCalls(t, "set-status", 0)
	if err := set.TakeBack(t.Context(), usher.RulePause, "budgets/stop", audit.Act{Actor: "bob"}); err != nil {
		t.Fatal(err)
	}
	if e := p.evaluate("resumed", spent("SANDBOX1-spring", 97)); e.Counts[usher.Pause] != 2 {
		t.Errorf("after it was resumed, the evaluation is %+v", e)
	}
}

// Creatives are paused outside active_hours and resumed inside, without any report.
func TestActiveHours(t *testing.T) {
	t.Parallel()
	p := newRuleQueue(t, load(t, "budgets", `
account: SANDBOX1
timezone: Europe/London
rules:
  - {name: night, scope: {campaigns: ["SANDBOX1-spring"]}, active_hours: "08:00-22:00", schedule: "0 * * * *"}
`))
	p.Start()
	night := strings.Replace(`,"asOf":"AT"`, "AT", "2013-01-10T22:05:00Z", 1)
	if e := p.evaluate("night", night); e.Counts[usher.Pause] != 2 || len(e.Jobs) != 1 {
		t.Errorf("at night: %+v", e)
	}
	if r := p.decisions("night"); len(r) != 2 || r[0].Reason != "outside active_hours 08:00-22:00 (it is 22:05 in Europe/London)" {
		t.Errorf("at night: %+v", r)
	}
	if e := p.evaluate("morning", strings.Replace(night, "10T22:05", "11T08:05", 1)); e.Counts[usher.Resume] != 2 || len(e.Jobs) != 1 {
		t.Errorf("in the morning: %+v", e)
	}
}

// What pause_when has paused stays paused if somebody gives the rule active_hours then.
func TestNewActiveHours(t *testing.T) {
	t.Parallel()
	const file = `
account: SANDBOX1
timezone: Europe/London
rules:
  - {name: stop, scope: {campaigns: ["SANDBOX1-spring"]}, window: yesterday, pause_when: grossMediaSpend > 90}
`
	serve := func(p *ruleQueue, day string, spend float64) {
		p.Control("DELETE", "faults", nil, nil)
		p.Fault("reporting.campaigns", "status", map[string]any{"status": 200, "body": json.RawMessage(fmt.Sprintf(
			`{"status":"success","data":{"reports":[{"reportDate":%q,"campaignCode":"SANDBOX1-spring","grossMediaSpend":%g,"budget":100}]}}`, day, spend))})
	}
	p := newRuleQueue(t, load(t, "budgets", file))
	p.Start()
	serve(p, "2014-03-30", 97)
	if e := p.evaluate("high", `,"asOf":"2014-03-31T06:00:00Z"`); e.Counts[usher.Pause] != 2 {
		t.Fatalf("the pause is %+v", e)
	}
	p.Evaluation.Rules.(workertest.RuleSets)[0] = load(t, "budgets", strings.Replace(file, "window", `active_hours: "08:00-22:00", window`, 1))
	serve(p, "2014-03-31", 50)
	if e := p.evaluate("low", `,"asOf":"2014-04-01T08:00:00Z"`); e.Counts[usher.Resume] != 0 || e.Guards[usher.GuardHandsOff] != 2 {
		t.Errorf("the next day: %+v, %+v", e, p.decisions("low"))
	}
}

// A rule with mode notify publishes no job, but its decisions are stored and counted.
func TestNotify(t *testing.T) {
	t.Parallel()
	p := newRuleQueue(t, load(t, "budgets", strings.Replace(budgets, "window: today", "mode: notify\n    window: today", 1)))
	p.Start()
	e := p.evaluate("high", spent("SANDBOX1-spring", 97))
	if len(e.Jobs) != 0 || e.Counts[usher.Notify] != 2 || e.State != usher.EvaluationDone {
		t.Errorf("the evaluation is %+v", e)
	}
	if r := p.decisions("high"); len(r) != 2 || r[0].Wants != usher.Pause || r[0].Guard != "" || !strings.HasPrefix(r[0].Reason, "would pause, but only notifies: ") {
		t.Errorf("it decides %+v", r)
	}
	p.WantCalls(t, "set-status", 0)
}

// Metrics that an event lacks are read from the report. An event that is older than
// usher's last change of a creative has no effect on it.
func TestIncompleteAndStaleEvents(t *testing.T) {
	t.Parallel()
	p := newRuleQueue(t, load(t, "budgets", budgets))
	p.Start()
	now := time.Now().UTC()
	p.evaluate("no-budget", fmt.Sprintf(`,"metrics":{"campaign":"SANDBOX1-spring","at":%q,"values":{"grossMediaSpend":1e9,"nonsense":1}}`, now.Format(time.RFC3339Nano)))
	p.WantCalls(t, "reporting.campaigns", 1)
	r, err := p.Jobs.Status().Record(t.Context(), "no-budget")
	if err != nil || len(r.Warnings) != 1 || r.Warnings[0].Code != "unknown_metric" {
		t.Errorf("the record is %+v, %v", r, err)
	}
	p.evaluate("high", spent("SANDBOX1-summer", 97))
	late := fmt.Sprintf(`,"metrics":{"campaign":"SANDBOX1-summer","at":%q,"values":{"grossMediaSpend":10,"budget":100}}`, now.Add(-time.Millisecond).Format(time.RFC3339Nano)) // on the same day
	if e := p.evaluate("late", late); len(e.Jobs) != 0 || e.Counts[usher.Unknown] != 3 {
		t.Errorf("a late event decides %+v", e)
	}
	if e := p.evaluate("elsewhere", spent("SANDBOX1-brand", 200)); len(e.Jobs) != 0 {
		t.Errorf("an event out of scope decides %+v", e)
	}
}

// Metrics from before a person's resume do not pause what it has resumed, although no rule has made
// that change. Later ones do.
func TestEventsFromBeforeAResume(t *testing.T) {
	t.Parallel()
	p := newRuleQueue(t, load(t, "budgets", budgets))
	p.Start()
	p.evaluate("high", spent("SANDBOX1-spring", 97))
	measured := spent("SANDBOX1-spring", 97)
	p.Publish(usher.CampaignResume, `{"id":"by-hand","campaign":"SANDBOX1-spring","creatives":["spring-1"]}`)
	p.Done("by-hand")
	e := p.evaluate("late", measured)
	if got := p.Statuses("SANDBOX1-spring"); len(e.Jobs) != 0 || e.Counts[usher.Unknown] != 1 || got["spring-1"] != rtb.Active {
		t.Errorf("metrics from before the resume decide %+v, and statuses are %v", e, got)
	}
	if r := p.decisions("late"); len(r) == 0 || !strings.Contains(r[0].Reason, "too old to act on") {
		t.Errorf("metrics from before the resume decide %+v", r)
	}
	if e := p.evaluate("in-time", spent("SANDBOX1-spring", 97)); len(e.Jobs) != 1 || e.Counts[usher.Pause] != 1 {
		t.Errorf("metrics from after the resume decide %+v", e)
	}
}

// A run counts its held decisions by guard, so it says how many of them an approval carries out:
// not those that keep_active holds.
func TestApprovalCarriesOutSome(t *testing.T) {
	t.Parallel()
	p := newRuleQueue(t, load(t, "budgets", `
account: SANDBOX1
timezone: Europe/London
rules:
  - {name: ask, scope: {campaigns: ["SANDBOX1-*"], keep_active: 1}, window: today, pause_when: grossMediaSpend > 90, mode: approve}
`))
	p.Start()
	e := p.evaluate("asks", spent("SANDBOX1-spring", 97))
	if e.State != usher.EvaluationHeld || e.Counts[usher.Held] != 2 || e.CountApprovable() != 1 || queuetest.JSON(t, e.Guards) != `{"approval":1,"keep_active":1}` {
		t.Errorf("the run is %+v", e)
	}
	approved, err := p.Decisions.Interventions().Approve(t.Context(), "asks", "ann", "", nil)
	if err != nil || len(approved.Jobs) != 1 {
		t.Fatalf("approved it is %+v, %v", approved, err)
	}
	p.Done(approved.Jobs...)
	if got := p.Statuses("SANDBOX1-spring"); got["spring-1"] != rtb.Inactive || got["spring-2"] != rtb.Active {
		t.Errorf("statuses are %v", got)
	}
}
