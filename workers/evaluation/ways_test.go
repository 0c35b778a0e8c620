package evaluation_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"usher"
	"usher/internal/rtb"
	"usher/internal/rules"
	"usher/internal/rules/backtest"
	"usher/internal/rules/figures"
	"usher/internal/sandbox"
	"usher/workers/evaluation"
	"usher/workers/internal/workertest"
)

// ways evaluates rule files in all ways (run, event, preview, backtest, test) on creative
// spring-1 of campaign SANDBOX1-spring. The other creative of the campaign is INACTIVE.
type ways struct {
	*workertest.Bench
	memoryStore
	at time.Time
	n  int
}

// memoryStore keeps the decisions of the last evaluation in memory, and publishes no jobs.
type memoryStore struct {
	evaluation usher.Evaluation
	decisions  []usher.StoredDecision
}

func (s *memoryStore) FindEvaluation(context.Context, string) (e usher.Evaluation, found bool, err error) {
	return e, false, nil
}

func (s *memoryStore) Memory(context.Context, []string) (map[string]map[string][]usher.Change, error) {
	return map[string]map[string][]usher.Change{}, nil
}

func (s *memoryStore) Findings(context.Context, []string) (map[string]map[string][]usher.Finding, error) {
	return nil, nil
}

func (s *memoryStore) ChangeFindings(context.Context, string, []usher.FindingChange) error {
	return nil
}

func (s *memoryStore) ChangeBlindness(context.Context, string, usher.BlindnessChange) error {
	return nil
}

func (s *memoryStore) StoreAndEnact(_ context.Context, e usher.Evaluation, decisions []usher.StoredDecision) (usher.Evaluation, error) {
	s.evaluation, s.decisions = e, decisions
	return e, nil
}

func (s *memoryStore) Enact(context.Context, usher.Evaluation) error { return nil }
func (s *memoryStore) RecordTick(context.Context, usher.Tick) error  { return nil }

func (s *memoryStore) IsTick(string, string, string, time.Time) bool { return false }

func (s *memoryStore) LastTick(context.Context, string, string) (t usher.Tick, found bool, err error) {
	return t, false, nil
}

// values are the fields of a report's row. NaN: the row lacks the field.
type values map[string]float64

// drawFile returns a random rule file about the campaign, and today's row.
func drawFile(t *rapid.T) (text string, row values) {
	var file strings.Builder
	file.WriteString("account: SANDBOX1\ntimezone: UTC\nrules:\n")
	for n := range rapid.IntRange(1, 4).Draw(t, "rules") {
		fmt.Fprintf(&file, "  - name: r%d\n    scope: {campaigns: [%q], keep_active: %d}\n    window: today\n    min_data: {impressions: 1}\n    pause_when: %q\n    priority: %d\n    mode: %s\n", n,
			rapid.SampledFrom([]string{"*", "SANDBOX1-spring", "SANDBOX1-summer"}).Draw(t, "scope"), rapid.IntRange(0, 1).Draw(t, "keep"),
			rapid.SampledFrom([]string{"grossMediaSpend >= 0.95 * budget", "clicks < 3", "ctr < 0.2 || grossMediaSpend > 8", "!(budget > 0)", "cpc > 1 && clicks > 1"}).Draw(t, "condition"),
			rapid.IntRange(0, 2).Draw(t, "priority"), rapid.SampledFrom([]string{"act", "act", "act", "approve", "notify", "observe"}).Draw(t, "mode"))
		if rapid.Bool().Draw(t, "scheduled") {
			file.WriteString("    schedule: \"0 7 * * *\"\n")
		}
		if rapid.Bool().Draw(t, "limited") {
			file.WriteString("    limits: {max_creatives: 1}\n    cooldown: 1h\n")
		}
	}
	row = values{}
	for _, name := range []string{"impressions", "clicks", "grossMediaSpend", "budget"} {
		row[name] = float64(rapid.IntRange(0, 10).Draw(t, name))
		if rapid.IntRange(0, 9).Draw(t, "absent") == 0 {
			row[name] = math.NaN()
		}
	}
	return file.String(), row
}

// json returns the fields that are known.
func (f values) json() []byte {
	var known []string
	for name, v := range f {
		if !math.IsNaN(v) {
			known = append(known, fmt.Sprintf("%q: %g", name, v))
		}
	}
	return []byte("{" + strings.Join(known, ",") + "}")
}

// serve makes the next report of all campaigns have one row.
func (w *ways) serve(row values) {
	values := strings.TrimSuffix(string(row.json()), "}")
	if values != "{" {
		values += ","
	}
	w.Fault("reporting.campaigns", "status", map[string]any{"status": 200, "body": json.RawMessage(fmt.Sprintf(
		`{"status":"success","data":{"reports":[%s"reportDate":%q,"campaignCode":"SANDBOX1-spring"}]}}`, values, w.at.Format(time.DateOnly)))})
}

// outcome returns the decision about spring-1: none, or the action with its rule and guard.
func outcome(all []usher.Decision) string {
	for _, d := range all {
		if d.Campaign != "SANDBOX1-spring" || d.Creative != "spring-1" && d.Creative != "" || d.Action == usher.None {
			continue
		}
		return strings.TrimSpace(fmt.Sprintf("%s by %s %s", d.Action, d.Rule, d.Guard))
	}
	return "none"
}

// run runs the file by a job.
func (w *ways) run(set *rules.Set, job usher.Job) string {
	w.n++
	job.ID, job.Rules = fmt.Sprintf("run-%d", w.n), set.Name
	w.Evaluation.Rules, w.decisions = workertest.RuleSets{set}, nil
	w.Run(&workertest.Lease{Piece: usher.Work{ID: job.ID, Kind: usher.RulesEvaluate, Job: job}}).Want(w.T, "done")
	var decisions []usher.Decision
	for _, r := range w.decisions {
		decisions = append(decisions, r.Decision)
	}
	return outcome(decisions)
}

func (w *ways) preview(set *rules.Set) (string, error) {
	client, ctx := w.Worker.Platform("", false), w.T.Context()
	f := rules.NewFigures(set, w.at)
	if _, err := evaluation.ReadReports(ctx, client, f.Needs(), nil, f.Add); err != nil {
		return "", err
	}
	creatives, err := evaluation.ReadCreatives(ctx, client, []string{"SANDBOX1-spring"}, set)
	if err != nil {
		return "", err
	}
	run, err := set.Decide(ctx, rules.Snapshot{Figures: f, Creatives: creatives})
	if err != nil {
		return "", err
	}
	return outcome(slices.Collect(run.Decisions(nil))), nil
}

func (w *ways) backtest(set *rules.Set, row values) (string, error) {
	day := w.at.Format(time.DateOnly)
	history := figures.Row{Date: day, Campaign: "SANDBOX1-spring"}
	for f := range history.Values {
		history.Values[f] = math.NaN()
		if v, drawn := row[figures.Field(f).String()]; drawn {
			history.Values[f] = v
		}
	}
	result, err := backtest.Run(w.T.Context(), set, backtest.Input{
		From: day, To: day, Rows: []figures.Row{history}, Creatives: []rules.Creative{{Campaign: "SANDBOX1-spring", Code: "spring-1"}},
	})
	if err != nil {
		return "", err
	}
	return outcome(result.Decisions), nil
}

func (w *ways) test(t *rapid.T, text string, row values) (string, error) {
	text += fmt.Sprintf("tests:\n  - {campaign: SANDBOX1-spring, creative: spring-1, expect: none, metrics: %s}\n", row.json())
	set, problems := rules.Load("drawn.yaml", []byte(text))
	if set == nil {
		t.Fatal(problems)
	}
	results, err := set.RunTests(w.T.Context())
	if err != nil {
		return "", err
	}
	return outcome([]usher.Decision{results[0].Decision}), nil
}

// A preview, a run without a rule, an event, a test and a backtest decide the same.
func TestAllWaysDecideTheSame(t *testing.T) {
	t.Parallel()
	w := &ways{Bench: workertest.NewBench(t, sandbox.Options{}), at: time.Now().UTC()}
	w.Evaluation.Store, w.Worker.Now = &w.memoryStore, func() time.Time { return w.at }
	w.SetStatus("SANDBOX1-spring", "spring-2", rtb.Inactive)
	rapid.Check(t, func(t *rapid.T) {
		text, row := drawFile(t)
		set, problems := rules.Load("drawn.yaml", []byte(text))
		if set == nil {
			t.Fatal(problems)
		}
		w.serve(row)
		want, err := w.preview(set)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		w.serve(row)
		got["run"] = w.run(set, usher.Job{AsOf: w.at.Format(time.RFC3339)})
		var values map[string]float64
		_ = json.Unmarshal(row.json(), &values)
		w.serve(row) // the event may need fields that it lacks
		got["event"] = w.run(set, usher.Job{Metrics: &usher.Metrics{Campaign: "SANDBOX1-spring", Values: values, At: w.at}})
		w.Control("DELETE", "faults", nil, nil)
		if got["test"], err = w.test(t, text, row); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text, "mode: approve") && !strings.Contains(text, "mode: observe") && !strings.Contains(text, "mode: notify") {
			if got["backtest"], err = w.backtest(set, row); err != nil {
				t.Fatal(err)
			}
		}
		for way, outcome := range got {
			if outcome != want {
				t.Fatalf("%s decides %q, a preview %q\n%s\n%v", way, outcome, want, text, row)
			}
		}
	})
}
