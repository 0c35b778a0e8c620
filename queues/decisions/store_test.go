package decisions_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"usher"
	"usher/queues"
	"usher/queues/audit"
	"usher/queues/decisions"
	"usher/queues/lanes"
	"usher/queues/queuetest"
	"usher/queues/store"
)

var sawActive = usher.CreativeState{Status: "ACTIVE", LatestUpdate: "2026-11-21T10:00:00.000"}

// decision returns a decision of a rule on a creative.
func decision(campaign, creative string, action usher.Action) usher.StoredDecision {
	return usher.StoredDecision{Seen: sawActive, Decision: usher.Decision{
		Date: "2026-11-21", Campaign: campaign, Creative: creative, Rule: "budget", Action: action,
		Reason: "grossMediaSpend 12 >= 10", Metrics: map[string]float64{"grossMediaSpend": 12}, Wants: usher.Pause, Guard: usher.GuardCap,
	}}
}

func evaluation(id string, state usher.EvaluationState) usher.Evaluation {
	return usher.Evaluation{ID: id, File: "budgets", Account: "SANDBOX1", At: time.Now().UTC(), State: state}
}

func decide(t *testing.T, r *decisions.Store, e usher.Evaluation, decisions ...usher.StoredDecision) usher.Evaluation {
	t.Helper()
	e, err := r.StoreAndEnact(t.Context(), e, decisions)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// If two workers decide the same evaluation, the first one's decisions are valid, and
// each campaign gets one job for each direction.
func TestEvaluationIsDecidedOnce(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	r := decisions.New(q, b.Options.Metrics)
	first := decide(t, r, evaluation("tick", usher.EvaluationDone),
		decision("A", "a-1", usher.Pause), decision("A", "a-2", usher.Pause), decision("A", "a-3", usher.Resume), decision("B", "b-1", usher.Pause))
	second := decide(t, decisions.New(b.Queue(t), nil), evaluation("tick", usher.EvaluationDone), decision("C", "c-1", usher.Pause))
	if queuetest.JSON(t, first) != queuetest.JSON(t, second) {
		t.Errorf("it was decided twice: %+v, %+v", first, second)
	}
	if want := []string{"tick.A.pause", "tick.A.resume", "tick.B.pause"}; queuetest.JSON(t, first.Jobs) != queuetest.JSON(t, want) {
		t.Errorf("its jobs are %v, not %v", first.Jobs, want)
	}
	if n := b.Pending(t, "USHER_CAMPAIGNS"); n != 3 {
		t.Errorf("%d jobs were published", n)
	}
	kept, err := r.Decisions(t.Context(), "tick")
	if err != nil || len(kept) != 4 || kept[0].Metrics["grossMediaSpend"] != 12 {
		t.Errorf("kept are %+v, %v", kept, err)
	}
	l := queuetest.NewSlot(t, q, lanes.Campaign).Take(t)
	w := l.Work()
	if w.ID != "tick.A.pause" || w.Job.Actor != "rules/budgets" || w.Job.Evaluation != "tick" || len(w.Job.Creatives) != 2 || w.Job.Advertiser != "SANDBOX1" {
		t.Errorf("the job is %+v", w)
	}
	e, decided, err := r.DecisionsOn(t.Context(), "tick", "A", false)
	if err != nil || e.ID != "tick" || len(decided) != 3 {
		t.Errorf("decided is %+v, %+v, %v", e, decided, err)
	}
	if _, decided, err = r.DecisionsOn(t.Context(), "nobody", "A", true); err != nil || decided != nil {
		t.Errorf("for an unknown evaluation: %+v, %v", decided, err)
	}
}

// The metrics count the decisions of an evaluation once.
func TestDecisionsAreCounted(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	registry := prometheus.NewRegistry()
	b.Options.Metrics = registry
	q := b.Queue(t)
	r := decisions.New(q, b.Options.Metrics)
	for range 2 {
		decide(t, r, evaluation("tick", usher.EvaluationDone),
			decision("A", "a-1", usher.Pause), decision("A", "a-2", usher.Pause), decision("B", "b-1", usher.Resume))
	}
	const want = `
# HELP usher_rule_decisions_total Decisions of rules, by action.
# TYPE usher_rule_decisions_total counter
usher_rule_decisions_total{action="decrease"} 0
usher_rule_decisions_total{action="held"} 0
usher_rule_decisions_total{action="increase"} 0
usher_rule_decisions_total{action="none"} 0
usher_rule_decisions_total{action="notify"} 0
usher_rule_decisions_total{action="pause"} 2
usher_rule_decisions_total{action="resume"} 1
usher_rule_decisions_total{action="unknown"} 0
`
	if err := testutil.GatherAndCompare(registry, strings.NewReader(want), "usher_rule_decisions_total"); err != nil {
		t.Error(err)
	}
}

// If a worker crashes after it stored an evaluation and before it published the jobs,
// deciding again publishes the jobs of the stored evaluation.
func TestDecidedAndNotPublished(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	r := decisions.New(q, b.Options.Metrics)
	if err := b.JS.DeleteStream(t.Context(), "USHER_CAMPAIGNS"); err != nil {
		t.Fatal(err)
	}
	if _, err := r.StoreAndEnact(t.Context(), evaluation("tick", usher.EvaluationDone), []usher.StoredDecision{decision("A", "a-1", usher.Pause)}); err == nil {
		t.Fatal("it was published without a stream")
	}
	if err := queues.Declare(t.Context(), b.JS, b.Options); err != nil {
		t.Fatal(err)
	}
	kept := decide(t, r, evaluation("tick", usher.EvaluationDone), decision("A", "a-2", usher.Resume))
	if queuetest.JSON(t, kept.Jobs) != `["tick.A.pause"]` || b.Pending(t, "USHER_CAMPAIGNS") != 1 {
		t.Errorf("its jobs are %v, %d were published", kept.Jobs, b.Pending(t, "USHER_CAMPAIGNS"))
	}
}

// An approval in part carries out the decisions that it names and drops the others, also when it
// is repeated by somebody who names others.
func TestApproveInPart(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	r := decisions.New(q, b.Options.Metrics)
	decide(t, r, evaluation("some", usher.EvaluationHeld), decision("A", "a-1", usher.Held), decision("A", "a-2", usher.Held), decision("B", "b-1", usher.Held))
	if _, err := r.Interventions().Approve(t.Context(), "some", "ann", "", []string{}); !errors.Is(err, decisions.ErrNothingNamed) {
		t.Errorf("an approval of nothing: %v", err)
	}
	for _, misspelt := range []string{"A/a-9", "a-9", "B/a-1", ""} {
		if _, err := r.Interventions().Approve(t.Context(), "some", "ann", "", []string{"A/a-2", misspelt}); !errors.Is(err, decisions.ErrNoDecision) {
			t.Errorf("an approval of a decision and of %q: %v", misspelt, err)
		}
	}
	e, err := r.Interventions().Approve(t.Context(), "some", "ann", "", []string{"A/a-2"})
	if err != nil || queuetest.JSON(t, e.LeftOut) != `["A/a-1","B/b-1"]` || len(e.Jobs) != 1 || b.Pending(t, "USHER_CAMPAIGNS") != 1 {
		t.Fatalf("approved in part it is %+v, %v", e, err)
	}
	if again, err := r.Interventions().Approve(t.Context(), "some", "bob", "", nil); err != nil || len(again.Jobs) != 1 || b.Pending(t, "USHER_CAMPAIGNS") != 1 {
		t.Errorf("approved again it is %+v, %v", again, err)
	}
	_, decisions, err := r.DecisionsOn(t.Context(), "some", "A", false)
	if err != nil || len(decisions) != 2 || decisions[0].JobKind(true) != "" || decisions[1].JobKind(true) != usher.CampaignPause {
		t.Errorf("the decisions are %s, %v", queuetest.JSON(t, decisions), err)
	}
}

// An approval that cannot be recorded in the audit publishes nothing until it is repeated, and is recorded once.
func TestApproveWithoutAudit(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	r := decisions.New(q, b.Options.Metrics)
	decide(t, r, evaluation("some", usher.EvaluationHeld), decision("A", "a-1", usher.Held), decision("A", "a-2", usher.Held))
	limit := func(bytes int32) {
		b.Configure(t, "USHER_EVENTS", func(c *jetstream.StreamConfig) { c.MaxMsgSize = bytes })
	}
	limit(10)
	if e, err := r.Interventions().Approve(t.Context(), "some", "ann", "", []string{"a-2"}); err == nil || !strings.Contains(err.Error(), "not in the audit; repeat") || b.Pending(t, "USHER_CAMPAIGNS") != 0 {
		t.Errorf("approved it is %+v, %v", e, err)
	}
	limit(-1)
	for range 2 {
		if _, err := r.Interventions().Approve(t.Context(), "some", "ann", "", []string{"a-2"}); err != nil || b.Pending(t, "USHER_CAMPAIGNS") != 1 {
			t.Errorf("it is repeated: %v", err)
		}
	}
	wantAudited(t, q, "some", "ann: run approved: 1 decision, without A/a-1")
}

// Two people approve a run one after the other, because something was UNKNOWN for the first one. What the
// first one left out stays so, whatever the second one names, and the story says who it was.
func TestApproveInTwoParts(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	r := decisions.New(q, b.Options.Metrics)
	var held []usher.StoredDecision
	for _, creative := range []string{"done", "gone", "later", "dropped"} {
		held = append(held, decision("A", creative, usher.Held))
	}
	decide(t, r, evaluation("parts", usher.EvaluationHeld), held...)
	i := r.Interventions()
	now := map[string]usher.Decision{}
	for k := range held {
		now[held[k].Subject()] = held[k].Decision
	}
	for creative, action := range map[string]usher.Action{"gone": usher.None, "later": usher.Unknown, "dropped": usher.Unknown} {
		is := now["A/"+creative]
		is.Action, is.Guard = action, ""
		now["A/"+creative] = is
	}
	i.Again = func(context.Context, usher.Evaluation, []usher.StoredDecision) (map[string]usher.Decision, error) {
		return now, nil
	}
	if e, err := i.Approve(t.Context(), "parts", "ann", "", nil); err != nil || e.State != usher.EvaluationHeld || len(e.Jobs) != 1 {
		t.Fatalf("approved in part it is %+v, %v", e, err)
	}
	for k := range held {
		now[held[k].Subject()] = held[k].Decision
	}
	if _, err := i.Approve(t.Context(), "parts", "bob", "", []string{"done"}); !errors.Is(err, decisions.ErrNoDecision) {
		t.Errorf("what is approved is approved again: %v", err)
	}
	e, err := i.Approve(t.Context(), "parts", "bob", "", []string{"later"})
	if err != nil || e.State != usher.EvaluationApproved || len(e.Jobs) != 2 || queuetest.JSON(t, e.LeftOut) != `["A/gone","A/dropped"]` {
		t.Fatalf("approved it is %s, %v", queuetest.JSON(t, e), err)
	}
	wantAudited(t, q, "parts",
		"ann: run approved: 1 decision, without A/gone; 2 decisions held further", "bob: run approved: 1 decision, without A/dropped")
	for creative, by := range map[string]string{"gone": "ann", "dropped": "bob"} {
		s, err := r.Story(t.Context(), creative)
		if err != nil || len(s.Pages) != 1 || !s.Pages[0].Decision.Left || s.Pages[0].By != by {
			t.Errorf("the story of %s is %s, %v", creative, queuetest.JSON(t, s), err)
		}
	}
}

// wantAudited fails the test unless the audit has these entries about a run.
func wantAudited(t *testing.T, q *queues.Queue, run string, want ...string) {
	t.Helper()
	var got []string
	err := q.Audit().Each(t.Context(), audit.Filter{Job: run}, func(a usher.Audit) error {
		got = append(got, a.Actor+": "+a.Wanted)
		return nil
	})
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("the audit of run %s has %q, %v; want %q", run, got, err, want)
	}
}

func TestApproveAndReject(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	r := decisions.New(q, b.Options.Metrics)
	for _, id := range []string{"yes", "no"} {
		decide(t, r, evaluation(id, usher.EvaluationHeld), decision("A", "a-1", usher.Held), decision("B", "b-1", usher.Held))
	}
	if n := b.Pending(t, "USHER_CAMPAIGNS"); n != 0 {
		t.Fatalf("%d jobs of held decisions were published", n)
	}
	e, err := r.Interventions().Approve(t.Context(), "yes", "ann", "looked at it", nil)
	if err != nil || e.State != usher.EvaluationApproved || e.By != "ann" || len(e.Jobs) != 2 {
		t.Errorf("approved it is %+v, %v", e, err)
	}
	if again, err := r.Interventions().Approve(t.Context(), "yes", "bob", "", nil); err != nil || again.By != "ann" {
		t.Errorf("approved again it is %+v, %v", again, err)
	}
	if e, err = r.Interventions().Reject(t.Context(), "no", "bob", "too many"); err != nil || e.State != usher.EvaluationRejected {
		t.Errorf("rejected it is %+v, %v", e, err)
	}
	if n := b.Pending(t, "USHER_CAMPAIGNS"); n != 2 {
		t.Errorf("%d jobs were published", n)
	}
	wantAudited(t, q, "yes", "ann: run approved: 2 decisions")
	wantAudited(t, q, "no", "bob: run rejected: 2 decisions")
	for _, id := range []string{"yes", "no", "nobody"} {
		_, reject := r.Interventions().Reject(t.Context(), id, "eve", "")
		_, approve := r.Interventions().Approve(t.Context(), id, "eve", "", nil)
		switch id {
		case "yes":
			if !errors.Is(reject, decisions.ErrNotHeld) || approve != nil {
				t.Errorf("%s: %v, %v", id, reject, approve)
			}
		case "no":
			if reject != nil || !errors.Is(approve, decisions.ErrNotHeld) {
				t.Errorf("%s: %v, %v", id, reject, approve)
			}
		default:
			if !errors.Is(reject, decisions.ErrNoEvaluation) || !errors.Is(approve, decisions.ErrNoEvaluation) {
				t.Errorf("%s: %v, %v", id, reject, approve)
			}
		}
	}
}

// did returns the audit entry of an evaluation's change.
func did(evaluation, creative, after string, at time.Time) usher.Audit {
	before := map[string]string{"ACTIVE": "INACTIVE", "INACTIVE": "ACTIVE"}[after]
	return usher.Audit{
		At: at, Job: evaluation + ".A", Run: 1, Rule: "budget", Actor: "rules/budgets", Campaign: "A", Creative: creative,
		Before: before, Wanted: after, After: after, Evaluation: evaluation, LatestUpdate: at.Format(time.RFC3339Nano),
	}
}

// remember writes changes to the audit and to the memory, as a campaign job does.
func remember(t *testing.T, b *queuetest.Broker, q *queues.Queue, all ...usher.Audit) {
	t.Helper()
	b.Publish(t, usher.CampaignPause, fmt.Sprintf(`{"id":"r-%d","campaign":"A"}`, time.Now().UnixNano()))
	l := queuetest.NewSlot(t, q, lanes.Campaign).Take(t)
	for _, a := range all {
		if err := l.Audit(t.Context(), a); err != nil {
			t.Fatal(err)
		}
		if err := decisions.New(q, nil).Remember(t.Context(), a); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.End(usher.Ending{State: usher.Done}); err != nil {
		t.Fatal(err)
	}
}

// A lost memory can be rebuilt from the audit.
func TestRebuildMemory(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	r := decisions.New(q, b.Options.Metrics)
	at := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	byHours := did("one", "a-1", "INACTIVE", at)
	byHours.Cause = usher.CauseHours
	for i := range 3 { // the same again, as after a crash
		remember(t, b, q, byHours, did("one", "a-2", "INACTIVE", at))
		if i > 0 {
			remember(t, b, q, did("two", "a-1", "ACTIVE", at.Add(time.Hour)))
		}
	}
	remember(t, b, q, byHand("a-3", "INACTIVE", at), kept("a-2", at.Add(time.Hour)))
	before, err := r.Memory(t.Context(), []string{"A", "B"})
	if err != nil || len(before) != 1 || len(before["A"]) != 2 || len(before["A"]["a-1"]) != 2 || before["A"]["a-1"][1].Evaluation != "two" || before["A"]["a-1"][0].Cause != usher.CauseHours {
		t.Fatalf("it remembers %s, %v", queuetest.JSON(t, before), err)
	}
	kv, err := b.JS.KeyValue(t.Context(), "usher_rules")
	if err != nil {
		t.Fatal(err)
	}
	if err := kv.Purge(t.Context(), "memory.A"); err != nil {
		t.Fatal(err)
	}
	if n, err := r.RebuildMemory(t.Context()); err != nil || n != 2 {
		t.Fatalf("of %d creatives, %v", n, err)
	}
	for _, campaigns := range [][]string{{"A"}, strings.Split("A B C D E F G H I J K L M N O P Q R", " ")} {
		after, err := r.Memory(t.Context(), campaigns)
		if err != nil || queuetest.JSON(t, after) != queuetest.JSON(t, before) {
			t.Errorf("rebuilt it is %s, not %s: %v", queuetest.JSON(t, after), queuetest.JSON(t, before), err)
		}
	}
}

// What the guards of a rule count stays, however often other rules change the creative.
func TestOtherRulesForgetNothing(t *testing.T) {
	t.Parallel()
	q := queuetest.New(t).Queue(t)
	r := decisions.New(q, nil)
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	n := 0
	flip := func(rule string, at time.Time) usher.Audit {
		n++
		a := did(fmt.Sprint("run-", n), "a-1", []string{"ACTIVE", "INACTIVE"}[n%2], at)
		a.Rule, a.AsOf = rule, at
		return a
	}
	every := func(step time.Duration, count int, from time.Time, rules ...string) (all []usher.Audit) {
		for i := range count {
			for _, rule := range rules {
				all = append(all, flip(rule, from.Add(time.Duration(i)*step)))
			}
		}
		return all
	}
	months := begin.AddDate(0, 0, 100)
	for _, c := range []struct {
		name    string
		changes []usher.Audit
		rule    string
		changed time.Time // zero: it is forgotten
		flips   int
		most    int
	}{
		{"others change it twice a day", append(every(0, 1, begin, "cap"), every(12*time.Hour, 50, begin.Add(time.Hour), "night")...), "cap", begin, 1, 51},
		{"another changes it after 32 days", append(every(0, 1, begin, "cap"), flip("night", begin.AddDate(0, 0, 32))), "cap", begin, 1, 2},
		{"many changes of a day", append(every(time.Minute, 4, begin.Add(10*time.Minute), "cap"), every(15*time.Minute, 90, begin.Add(time.Hour), "night")...), "cap", begin.Add(13 * time.Minute), 4, 54},
		{"the day before yesterday", append(every(time.Minute, 4, begin, "cap"), every(15*time.Minute, 200, begin.Add(time.Hour), "night")...), "cap", begin.Add(3 * time.Minute), 1, 51},
		{"many changes by many rules", every(15*time.Minute, 288, months, "one", "two", "three"), "two", months.Add(287 * 15 * time.Minute), 50, 150},
		{"after ten years", append(every(0, 1, begin, "cap"), flip("night", begin.Add(10*366*24*time.Hour+time.Second))), "cap", time.Time{}, 0, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			campaign := strings.ReplaceAll(c.name, " ", "-")
			for i := range c.changes {
				c.changes[i].Campaign = campaign
			}
			if err := r.Remember(t.Context(), c.changes...); err != nil {
				t.Fatal(err)
			}
			all, err := r.Memory(t.Context(), []string{campaign})
			if err != nil {
				t.Fatal(err)
			}
			list := all[campaign]["a-1"]
			m := usher.NewCreativeMemory(list, time.UTC)
			if got := m.Rules["budgets/"+c.rule]; !got.Changed.Equal(c.changed) || got.Flips != c.flips || len(list) > c.most {
				t.Errorf("of %s it remembers %+v; it has %d changes", c.rule, got, len(list))
			}
			last := c.changes[len(c.changes)-1]
			if got := list[len(list)-1]; got.Job != last.Job || !slices.IsSortedFunc(list, func(a, b usher.Change) int { return a.At.Compare(b.At) }) {
				t.Errorf("the last change is %+v, not %+v", got, last)
			}
		})
	}
}

// A change whose POST has arrived a second time counts once, and the rule owns the creative as it is then. A
// repeated entry of the first arrival takes nothing back, and a restored status is no change of the rule.
func TestRememberLateArrival(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	r := decisions.New(q, b.Options.Metrics)
	at := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	first, late := did("one", "a-1", "INACTIVE", at), did("one", "a-1", "INACTIVE", at.Add(10*time.Second))
	first.AsOf, late.AsOf, late.Late = at.Add(-time.Hour), at.Add(-time.Hour), true
	restored := did("two", "a-2", "INACTIVE", at.Add(time.Minute))
	restored.Restores = "two.A"
	remember(t, b, q, first, late, first, did("two", "a-2", "INACTIVE", at), restored)
	check := func(when string) {
		t.Helper()
		all, err := r.Memory(t.Context(), []string{"A"})
		if err != nil {
			t.Fatal(err)
		}
		for creative, want := range map[string]string{"a-1": late.LatestUpdate, "a-2": at.Format(time.RFC3339Nano)} {
			m := usher.NewCreativeMemory(all["A"][creative], time.UTC)
			acted := m.Rules["budgets/budget"]
			if m.Owner == nil || m.Owner.LatestUpdate != want || acted.Flips != 1 {
				t.Errorf("%s it remembers of %s %s", when, creative, queuetest.JSON(t, m))
			}
		}
		if c := all["A"]["a-1"][0]; !c.AsOf.Equal(first.AsOf) || len(all["A"]["a-1"]) != 1 {
			t.Errorf("%s it remembers %+v", when, all["A"]["a-1"])
		}
	}
	check("at once")
	kv, err := b.JS.KeyValue(t.Context(), "usher_rules")
	if err != nil {
		t.Fatal(err)
	}
	if err := kv.Purge(t.Context(), "memory.A"); err != nil {
		t.Fatal(err)
	}
	if n, err := r.RebuildMemory(t.Context()); err != nil || n != 2 {
		t.Fatalf("of %d creatives, %v", n, err)
	}
	check("rebuilt")
}

// byHand returns the audit entry of a change by a job that is not a rule's.
func byHand(creative, after string, at time.Time) usher.Audit {
	a := did("", creative, after, at)
	a.Job, a.Actor, a.Rule = "job of "+creative, "bob", ""
	return a
}

// kept returns the audit entry of a job that pauses what a rule has paused.
func kept(creative string, at time.Time) usher.Audit {
	a := byHand(creative, "INACTIVE", at)
	a.Before, a.Keeps = "INACTIVE", true
	return a
}

// An undo takes back the changes that nobody has changed since. A second undo has no
// further effect while the first one runs.
func TestUndo(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	r := decisions.New(q, b.Options.Metrics)
	at := time.Now().UTC().Add(time.Minute)
	decide(t, r, evaluation("one", usher.EvaluationDone), decision("A", "a-1", usher.Pause), decision("A", "a-2", usher.Pause), decision("A", "a-3", usher.Pause),
		decision("A", "a-4", usher.Pause), decision("A", "a-5", usher.Pause))
	if err := queuetest.NewSlot(t, q, lanes.Campaign).Take(t).End(usher.Ending{State: usher.Done}); err != nil {
		t.Fatal(err)
	}
	remember(t, b, q, did("one", "a-1", "INACTIVE", at), did("one", "a-2", "INACTIVE", at), did("two", "a-2", "ACTIVE", at.Add(time.Hour)),
		did("one", "a-4", "INACTIVE", at), did("one", "a-5", "INACTIVE", at), kept("a-4", at.Add(time.Hour)), byHand("a-5", "ACTIVE", at.Add(time.Hour)))
	if err := q.Settings().Set(t.Context(), usher.Setting{Kind: usher.RuleKeep, Name: "a-1"}, audit.Act{Actor: "ada"}); err != nil {
		t.Fatal(err)
	}
	e, left, err := r.Interventions().Undo(t.Context(), "one", "ann", "wrong numbers")
	if all, keptErr := q.Settings().Kept(t.Context()); keptErr != nil || len(all) != 1 || all["a-1"].By != "ada" {
		t.Errorf("kept are %+v, %v", all, keptErr)
	}
	if err != nil || len(e.Jobs) != 1 || e.UndoOf != "one" || len(left) != 4 {
		t.Fatalf("it is %+v, left are %+v, %v", e, left, err)
	}
	w := queuetest.NewSlot(t, q, lanes.Campaign).Take(t).Work()
	if w.Kind != usher.CampaignResume || w.Job.Actor != "ann" || queuetest.JSON(t, w.Job.Creatives) != `["a-1"]` {
		t.Errorf("its job is %+v", w)
	}
	kept, err := r.Decisions(t.Context(), e.ID)
	if err != nil || len(kept) != 1 || kept[0].Seen.Status != "INACTIVE" || kept[0].Seen.LatestUpdate != at.Format(time.RFC3339Nano) {
		t.Errorf("it decides %+v, %v", kept, err)
	}
	again, _, err := r.Interventions().Undo(t.Context(), "one", "ann", "")
	if err != nil || again.ID != e.ID {
		t.Errorf("again it is %+v, %v", again, err)
	}
	if _, _, err := r.Interventions().Undo(t.Context(), "nobody", "ann", ""); !errors.Is(err, decisions.ErrNoEvaluation) {
		t.Errorf("for an unknown evaluation: %v", err)
	}
}

// An undo whose jobs have ended and changed nothing, because they were cancelled or found the stop switch on,
// can be made again, once at a time.
func TestUndoAgain(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	r := decisions.New(q, b.Options.Metrics)
	at := time.Now().UTC()
	decide(t, r, evaluation("one", usher.EvaluationDone), decision("A", "a-1", usher.Pause))
	slot := queuetest.NewSlot(t, q, lanes.Campaign)
	if err := slot.Take(t).End(usher.Ending{State: usher.Done}); err != nil {
		t.Fatal(err)
	}
	remember(t, b, q, did("one", "a-1", "INACTIVE", at))
	undo := func() usher.Evaluation {
		t.Helper()
		planned, _, err := r.Interventions().PlanUndo(t.Context(), "one", "ann", "wrong numbers")
		if err != nil {
			t.Fatal(err)
		}
		e, _, err := r.Interventions().Undo(t.Context(), "one", "ann", "wrong numbers")
		if err != nil || e.ID != planned.ID {
			t.Fatalf("it is %+v, planned was %+v, %v", e, planned, err)
		}
		return e
	}
	first := undo()
	if err := q.Cancel(t.Context(), first.Jobs[0], audit.Act{Actor: "ann"}); err != nil {
		t.Fatal(err)
	}
	second := undo()
	if second.ID != first.ID+"-2" || undo().ID != second.ID {
		t.Errorf("it is %s, after %s", second.ID, first.ID)
	}
	l := slot.Take(t)
	if w := l.Work(); w.ID != second.Jobs[0] || w.Job.Evaluation != second.ID {
		t.Errorf("its job is %+v", w)
	}
	if err := l.End(usher.Ending{State: usher.Done}); err != nil { // it found the stop switch on
		t.Fatal(err)
	}
	third := undo()
	l = slot.Take(t)
	if w := l.Work(); w.ID != third.Jobs[0] || third.ID != first.ID+"-3" {
		t.Errorf("its job is %+v", w)
	}
	if err := l.End(usher.Ending{State: usher.Done}); err != nil {
		t.Fatal(err)
	}
	back := did(third.ID, "a-1", "ACTIVE", at.Add(time.Minute))
	back.Actor = "ann"
	remember(t, b, q, back)
	if e := undo(); e.ID != "" {
		t.Errorf("what is undone is undone again: %+v", e)
	}
}

// While the stop switch is on, no undo begins that would change nothing, and rules are not kept from anything
// for it. Its plan can be seen, and what there is nothing to undo of is no error.
func TestUndoWhileStopped(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	r := decisions.New(q, b.Options.Metrics)
	for _, run := range []string{"one", "two"} {
		decide(t, r, evaluation(run, usher.EvaluationDone), decision("A", "of-"+run, usher.Pause))
		if err := queuetest.NewSlot(t, q, lanes.Campaign).Take(t).End(usher.Ending{State: usher.Done}); err != nil {
			t.Fatal(err)
		}
	}
	remember(t, b, q, did("one", "of-one", "INACTIVE", time.Now().UTC()))
	if err := q.Settings().Set(t.Context(), usher.Setting{Kind: usher.StopSwitch}, audit.Act{Actor: "ada", Reason: "incident 12"}); err != nil {
		t.Fatal(err)
	}
	if e, _, err := r.Interventions().Undo(t.Context(), "one", "ann", ""); !errors.Is(err, decisions.ErrStopped) || !strings.Contains(err.Error(), "incident 12") || e.ID != "" {
		t.Errorf("it is %+v, %v", e, err)
	}
	if kept, err := q.Settings().Kept(t.Context()); err != nil || len(kept) != 0 {
		t.Errorf("kept are %+v, %v", kept, err)
	}
	plan, _, err := r.Interventions().PlanUndo(t.Context(), "one", "ann", "")
	if err != nil || plan.ID == "" {
		t.Errorf("its plan is %+v, %v", plan, err)
	}
	if e, left, err := r.Interventions().Undo(t.Context(), "two", "ann", ""); err != nil || e.ID != "" || len(left) != 1 {
		t.Errorf("of what was not changed it is %+v, left are %+v, %v", e, left, err)
	}
	if err := q.Settings().TakeBack(t.Context(), usher.StopSwitch, "", audit.Act{Actor: "ada"}); err != nil {
		t.Fatal(err)
	}
	if e, _, err := r.Interventions().Undo(t.Context(), "one", "ann", ""); err != nil || e.ID != plan.ID {
		t.Errorf("afterwards it is %+v, %v", e, err)
	}
}

// An undo names the job of a run that may still change what the run decided, until that job has ended.
func TestUndoBeforeTheJob(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	r := decisions.New(q, b.Options.Metrics)
	run := decide(t, r, evaluation("one", usher.EvaluationDone), decision("A", "a-1", usher.Pause), decision("A", "a-2", usher.Pause), decision("B", "b-1", usher.Resume))
	undo := func() string {
		t.Helper()
		e, left, err := r.Interventions().Undo(t.Context(), "one", "ann", "wrong numbers")
		if err != nil || e.ID != "" {
			t.Errorf("it is %+v, %v", e, err)
		}
		var lines []string
		for _, l := range left {
			lines = append(lines, strings.TrimSpace(l.Creative+" "+l.Why+" "+l.Job))
		}
		return strings.Join(lines, "; ")
	}
	const waits = " is not changed yet: job one.A.pause has not ended one.A.pause"
	if got, want := undo(), "a-1"+waits+"; a-2"+waits+"; b-1 is not changed yet: job one.B.resume has not ended one.B.resume"; got != want {
		t.Errorf("left are %q, want %q", got, want)
	}
	for _, job := range run.Jobs {
		if err := q.Cancel(t.Context(), job, audit.Act{Actor: "ann"}); err != nil {
			t.Fatal(err)
		}
	}
	if got := undo(); got != "a-1 was not changed by the run; a-2 was not changed by the run; b-1 was not changed by the run" {
		t.Errorf("after they are cancelled: %q", got)
	}
}

func TestStory(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	r := decisions.New(q, b.Options.Metrics)
	decide(t, r, evaluation("one", usher.EvaluationDone), decision("A", "a-1", usher.Pause))
	if err := queuetest.NewSlot(t, q, lanes.Campaign).Take(t).End(usher.Ending{State: usher.Done}); err != nil {
		t.Fatal(err)
	}
	remember(t, b, q, did("one", "a-1", "INACTIVE", time.Now().UTC()))
	decide(t, r, evaluation("left", usher.EvaluationDone), decision("B", "b-1", usher.Pause))
	waits, err := r.Story(t.Context(), "b-1")
	if err != nil || len(waits.Pages) != 1 || waits.Pages[0].Outcome != "job left.B.pause is queued: waits for a worker: none is running" {
		t.Errorf("what waits: %s, %v", queuetest.JSON(t, waits), err)
	}
	warning := usher.Warning{Code: "changed_meanwhile", Description: "creative b-1 was changed after the rule had seen it: left as it is", Count: 1}
	if err := queuetest.NewSlot(t, q, lanes.Campaign).Take(t).End(usher.Ending{State: usher.Done, Progress: usher.Progress{Warnings: []usher.Warning{warning}}}); err != nil {
		t.Fatal(err)
	}
	left, err := r.Story(t.Context(), "b-1")
	if err != nil || len(left.Pages) != 1 || left.Pages[0].Outcome != "job left.B.pause is done: "+warning.Description {
		t.Errorf("what was left alone: %s, %v", queuetest.JSON(t, left), err)
	}
	held := evaluation("two", usher.EvaluationHeld)
	held.At = time.Now().Add(time.Hour).UTC()
	decide(t, r, held, decision("A", "a-1", usher.Held), decision("A", "a-2", usher.Held))
	s, err := r.Story(t.Context(), "a-1")
	if err != nil || len(s.Pages) != 2 || s.Pages[0].Audit == nil || s.Pages[1].Decision == nil || s.Pages[1].State != usher.EvaluationHeld {
		t.Errorf("the story is %s, %v", queuetest.JSON(t, s), err)
	}
	if s.Owner == nil || s.Owner.Rule != "budget" || s.Owner.File != "budgets" {
		t.Errorf("its owner is %+v", s.Owner)
	}
	for creative, touch := range map[string]usher.Audit{"a-6": kept("a-6", time.Now().Add(time.Minute)), "a-7": byHand("a-7", "INACTIVE", time.Now().Add(time.Minute))} {
		remember(t, b, q, did("one", creative, "INACTIVE", time.Now().UTC()), touch)
		if s, err := r.Story(t.Context(), creative); err != nil || s.Owner != nil || len(s.Pages) != 2 {
			t.Errorf("after another job has touched %s, its story is %s, %v", creative, queuetest.JSON(t, s), err)
		}
	}
}

// A tick that several workers publish is one job, even after the server has forgotten
// its message ID. The last tick never moves backwards.
func TestTicks(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	r := decisions.New(q, b.Options.Metrics)
	at := time.Date(2026, 11, 21, 7, 0, 0, 0, time.FixedZone("CET", 3600))
	for range 3 {
		if err := decisions.New(b.Queue(t), nil).PublishTick(t.Context(), "budgets", "stop", at); err != nil {
			t.Fatal(err)
		}
	}
	l := queuetest.NewSlot(t, q, lanes.Rules).Take(t)
	if w := l.Work(); w.ID != "rule-budgets-stop-20261121T0600Z" || w.Job.AsOf != "2026-11-21T06:00:00Z" || w.Job.Rule != "stop" {
		t.Errorf("the job is %+v", w)
	}
	if err := l.End(usher.Ending{State: usher.Done}); err != nil {
		t.Fatal(err)
	}
	if err := r.PublishTick(t.Context(), "budgets", "stop", at); err != nil {
		t.Fatal(err)
	}
	if n := b.Pending(t, "USHER_CAMPAIGNS"); n != 0 {
		t.Errorf("a tick that has run was published again")
	}
	const earlier, later = "rule-budgets-stop-20261121T0500Z", "rule-budgets-stop-20261121T0600Z"
	if r.IsTick("by-hand", "budgets", "stop", at) || !r.IsTick(later, "budgets", "stop", at) || r.IsTick(earlier, "budgets", "stop", at) {
		t.Error("a run by hand is a tick, or that of the tick is none")
	}
	for _, tick := range []usher.Tick{{At: at, Evaluation: later}, {At: at.Add(-time.Hour), Evaluation: earlier}, {At: at.Add(time.Hour)}} {
		tick.File, tick.Rule = "budgets", "stop"
		if err := r.RecordTick(t.Context(), tick); err != nil {
			t.Fatal(err)
		}
	}
	if last, found, err := r.LastTick(t.Context(), "budgets", "stop"); err != nil || !found || !last.At.Equal(at) || last.Evaluation != later {
		t.Errorf("the last is %+v, %t, %v", last, found, err)
	}
	if _, found, err := r.LastTick(t.Context(), "budgets", "other"); err != nil || found {
		t.Errorf("of a new rule: %t, %v", found, err)
	}
}

// A schedule begins when it is new or another one than before. One that 1.0.0 has recorded, without its
// text, goes on. What is recorded of a rule without a schedule is forgotten.
func TestSchedulesBegin(t *testing.T) {
	t.Parallel()
	r := decisions.New(queuetest.New(t).Queue(t), nil)
	at := time.Date(2026, 11, 21, 7, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		hour           int
		run, schedule  string
		wantAt         int
		wantRun, wants string
	}{
		{0, "one", "", 0, "one", ""}, // of 1.0.0
		{1, "", "0 * * * * UTC", 0, "one", "0 * * * * UTC"},
		{2, "", "0 * * * * UTC", 0, "one", "0 * * * * UTC"},
		{3, "two", "30 * * * * UTC", 3, "two", "0 * * * * UTC"}, // by a worker with another file
		{4, "", "30 * * * * UTC", 4, "", "30 * * * * UTC"},
		{3, "late", "0 * * * * UTC", 4, "", "30 * * * * UTC"},
		{5, "three", "", 5, "three", "30 * * * * UTC"}, // by a worker in whose file the rule has none
	} {
		tick := usher.Tick{File: "budgets", Rule: "stop", At: at.Add(time.Duration(c.hour) * time.Hour), Evaluation: c.run, Schedule: c.schedule}
		if err := r.RecordTick(t.Context(), tick); err != nil {
			t.Fatal(err)
		}
		want := usher.Tick{File: "budgets", Rule: "stop", At: at.Add(time.Duration(c.wantAt) * time.Hour), Evaluation: c.wantRun, Schedule: c.wants}
		if last, found, err := r.LastTick(t.Context(), "budgets", "stop"); err != nil || !found || last != want {
			t.Errorf("after %+v, it is %+v, %t, %v", tick, last, found, err)
		}
	}
	for _, file := range []string{"budgets", "budgets2"} {
		for _, rule := range []string{"stop", "other", "gone"} {
			if err := r.RecordTick(t.Context(), usher.Tick{File: file, Rule: rule, At: at}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := r.ForgetTicks(t.Context(), "budgets", func(rule string) bool { return rule != "gone" }); err != nil {
		t.Fatal(err)
	}
	for rule, want := range map[string]bool{"budgets/stop": true, "budgets/other": true, "budgets/gone": false, "budgets2/gone": true} {
		file, name, _ := strings.Cut(rule, "/")
		if _, found, err := r.LastTick(t.Context(), file, name); err != nil || found != want {
			t.Errorf("the tick of %s is found: %t, %v", rule, found, err)
		}
	}
}

func TestOldEvaluationsAreForgotten(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	r := decisions.New(q, b.Options.Metrics)
	old := func(id string, state usher.EvaluationState, age time.Duration, decisions ...usher.StoredDecision) {
		e := evaluation(id, state)
		e.At = e.At.Add(-age)
		decide(t, r, e, decisions...)
	}
	const day = 24 * time.Hour
	unknown := decision("A", "a-1", usher.Unknown)
	old("idle.today", usher.EvaluationDone, day, unknown)
	old("idle.old", usher.EvaluationDone, 3*day, unknown)
	old("busy", usher.EvaluationDone, 3*day, decision("A", "a-1", usher.Pause))
	old("busy.old", usher.EvaluationDone, 101*day, decision("A", "a-1", usher.Pause))
	old("held.old", usher.EvaluationHeld, 101*day, decision("A", "a-1", usher.Held))
	if n, err := r.ForgetEvaluations(t.Context()); err != nil || n != 2 {
		t.Errorf("%d were forgotten, %v", n, err)
	}
	left, err := r.Evaluations(t.Context(), 0)
	var ids []string
	for _, e := range left {
		ids = append(ids, e.ID)
	}
	if err != nil || queuetest.JSON(t, ids) != `["idle.today","busy","held.old"]` {
		t.Errorf("left are %v, %v", ids, err)
	}
	s, err := r.Story(t.Context(), "a-1")
	if err != nil || len(s.Pages) != 3 {
		t.Errorf("decisions of deleted evaluations remain: %s, %v", queuetest.JSON(t, s), err)
	}

	// The decision of a person begins the time anew.
	old("held.long", usher.EvaluationHeld, 101*day, decision("A", "a-1", usher.Held))
	if _, err := r.Interventions().Reject(t.Context(), "held.old", "ada", "too late"); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Interventions().Approve(t.Context(), "held.long", "ada", "at last", nil); err != nil {
		t.Fatal(err)
	}
	if n, err := r.ForgetEvaluations(t.Context()); err != nil || n != 0 {
		t.Errorf("after an approval and a rejection, %d were forgotten, %v", n, err)
	}
}

// The decisions of 100 rules on 30,000 creatives in three campaigns fit into the bucket.
func TestLargeEvaluation(t *testing.T) {
	if testing.Short() {
		t.Skip("3 MB of decisions")
	}
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	r := decisions.New(q, b.Options.Metrics)
	var all []usher.StoredDecision
	for i := range 30_000 {
		d := decision(fmt.Sprintf("C%02d", i%3), fmt.Sprintf("creative-%06d", i), usher.Held)
		d.Rule = fmt.Sprintf("rule-%d", i%100)
		d.Metrics = map[string]float64{"grossMediaSpend": float64(i) / 7, "budget": float64(i) / 3, "ctr": 1 / float64(i+1)}
		all = append(all, d)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	if _, err := r.StoreAndEnact(ctx, evaluation("large", usher.EvaluationHeld), all); err != nil {
		t.Fatal(err)
	}
	kept, err := r.Decisions(ctx, "large")
	if err != nil || len(kept) != len(all) {
		t.Errorf("%d decisions are kept, %v", len(kept), err)
	}
}

// Nobody can release what rules may change, and a release says what it was.
func TestRelease(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	q := b.Queue(t)
	r := decisions.New(q, b.Options.Metrics)
	remember(t, b, q, did("one", "a-1", "INACTIVE", time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)))
	bob := audit.Act{Actor: "bob", Reason: "looked at it"}
	if _, err := r.Interventions().Release(t.Context(), "a-1", bob); !errors.Is(err, decisions.ErrNotKept) {
		t.Errorf("a rule's creative is released: %v", err)
	}
	for code, want := range map[string]string{
		"a-1": `{"creative":"a-1","campaigns":["A"]}`, "A": `{"campaigns":["A"],"fields":["budget","bid"]}`, "new": `{"campaigns":[]}`,
	} {
		if err := q.Settings().Set(t.Context(), usher.Setting{Kind: usher.RuleKeep, Name: code}, bob); err != nil {
			t.Fatal(err)
		}
		released, err := r.Interventions().Release(t.Context(), code, bob)
		if err != nil || queuetest.JSON(t, released) != want {
			t.Errorf("released %s: %s, %v", code, queuetest.JSON(t, released), err)
		}
		if kept, err := q.Settings().Kept(t.Context()); err != nil || len(kept) > 0 {
			t.Errorf("kept are %+v, %v", kept, err)
		}
	}
}

// A server that has led the bucket until it was suspended answers reads by what it had: that there is no
// evaluation. A proof finds that this is not so, and changes nothing.
func TestDecisionsReadFromAFormerLeader(t *testing.T) {
	t.Parallel()
	b := queuetest.NewOn(t, &natsserver.Options{})
	r := decisions.New(b.Queue(t), nil)
	decide(t, r, evaluation("tick", usher.EvaluationDone), decision("A", "a-1", usher.Pause))
	wantDecided := func(proven bool, n int, want error) {
		t.Helper()
		if _, decided, err := r.DecisionsOn(t.Context(), "tick", "A", proven); len(decided) != n || !errors.Is(err, want) {
			t.Errorf("proven %v: %d decisions, %v; want %d, %v", proven, len(decided), err, n, want)
		}
	}
	_, end := b.Depose(t, "KV_usher_rules")
	wantDecided(false, 0, nil)
	wantDecided(true, 0, store.ErrConflict)
	end()
	for range 2 {
		wantDecided(true, 1, nil)
	}
	wantDecided(false, 1, nil)
}
