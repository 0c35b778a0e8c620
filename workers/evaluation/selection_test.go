package evaluation_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"usher"
	"usher/internal/rules"
	"usher/internal/sandbox"
	"usher/workers/internal/workertest"
)

// A run, an event and a preview read the types of creatives, but only if a rule selects by
// type. A creative of an unknown type is left alone.
func TestSelectionByType(t *testing.T) {
	t.Parallel()
	w := &ways{Bench: workertest.NewBench(t, sandbox.Options{}), at: time.Now().UTC()}
	w.Evaluation.Store, w.Worker.Now = &w.memoryStore, func() time.Time { return w.at }
	row := values{"impressions": 100, "clicks": 1, "grossMediaSpend": 97, "budget": 100}
	for _, c := range []struct {
		scope, kind, want string
		calls             int // for the definition, in all three ways
	}{
		{"types: [IMAGE]", "IMAGE", "pause by r", 3},
		{"types: [VIDEO]", "IMAGE", "none", 2},
		{"types: [IMAGE]", "", "none", 3},
		{`creatives: ["*-1"]`, "IMAGE", "pause by r", 0},
		{`creatives: ["*-2"]`, "IMAGE", "none", 0},
	} {
		set := load(t, "drawn", fmt.Sprintf("account: SANDBOX1\ntimezone: UTC\nrules:\n  - {name: r, scope: {campaigns: [SANDBOX1-spring], %s}, window: today, pause_when: grossMediaSpend > 90}\n", c.scope))
		before := len(w.Calls("campaigns.get"))
		for way, run := range map[string]func() string{
			"run": func() string { return w.run(set, usher.Job{AsOf: w.at.Format(time.RFC3339)}) },
			"event": func() string {
				return w.run(set, usher.Job{Metrics: &usher.Metrics{Campaign: "SANDBOX1-spring", Values: row, At: w.at}})
			},
			"preview": func() string {
				got, err := w.preview(set)
				if err != nil {
					t.Fatal(err)
				}
				return got
			},
		} {
			if way != "event" {
				w.serve(row)
			}
			if c.kind != "IMAGE" {
				w.Fault("campaigns.get", "status", map[string]any{"times": 1, "status": 200, "body": json.RawMessage(`{"status":"success","data":{"campaign":{"code":"SANDBOX1-spring","creatives":[]}}}`)})
			}
			if got := run(); got != c.want {
				t.Errorf("%s, %s: %s decides %q, want %q", c.scope, c.kind, way, got, c.want)
			}
		}
		if n := len(w.Calls("campaigns.get")) - before; (n > 0) != (c.calls > 0) {
			t.Errorf("%s: %d calls read definitions", c.scope, n)
		}
	}
}

// max_share counts selected creatives only.
func TestShareOfSelectedCreatives(t *testing.T) {
	t.Parallel()
	for scope, want := range map[string]string{`creatives: ["*-1"]`: "held by r cap", "level: campaign": "pause by r"} {
		w := &ways{Bench: workertest.NewBench(t, sandbox.Options{}), at: time.Now().UTC()}
		w.Evaluation.Store, w.Worker.Now = &w.memoryStore, func() time.Time { return w.at }
		set := load(t, "drawn", fmt.Sprintf("account: SANDBOX1\ntimezone: UTC\nrules:\n  - {name: r, scope: {campaigns: [SANDBOX1-spring, SANDBOX1-none], %s}, window: today, pause_when: grossMediaSpend > 90, limits: {max_share: 99%%}}\n", scope))
		w.SetStatus("SANDBOX1-spring", "spring-2", "INACTIVE")
		w.serve(values{"grossMediaSpend": 97})
		if got := w.run(set, usher.Job{AsOf: w.at.Format(time.RFC3339)}); got != want {
			t.Errorf("%s: it decides %q, want %q", scope, got, want)
		}
	}
}

// The size of a scope that max_share counts is that of the file and the day of the run, although an
// earlier run has counted another one within the hour.
func TestShareOfAChangedScope(t *testing.T) {
	t.Parallel()
	w := &ways{Bench: workertest.NewBench(t, sandbox.Options{}), at: time.Date(2026, 5, 20, 23, 50, 0, 0, time.UTC)}
	w.Evaluation.Store, w.Worker.Now = &w.memoryStore, func() time.Time { return w.at }
	file := func(scope string) *rules.Set {
		return load(t, "share", `account: SANDBOX1
timezone: UTC
labels:
  may: {campaigns: ["*"], to: 2026-05-20}
  spring: {campaigns: [SANDBOX1-spring]}
rules:
  - {name: r, scope: {`+scope+`}, window: today, pause_when: grossMediaSpend > 90, limits: {max_share: 50%}}
`)
	}
	wide, narrow := file(`campaigns: ["*"]`), file("campaigns: [SANDBOX1-spring]")
	labelled := file(`campaigns: ["*"], labels: [may, spring]`)
	for _, c := range []struct {
		set  *rules.Set
		pass time.Duration
		want string
	}{
		{wide, 0, "pause by r"},
		{narrow, time.Minute, "held by r cap"},
		{wide, time.Minute, "pause by r"},
		{labelled, time.Minute, "pause by r"},
		{labelled, 10 * time.Minute, "held by r cap"}, // on the next day
	} {
		w.at = w.at.Add(c.pass)
		w.serve(values{"grossMediaSpend": 97})
		if got := w.run(c.set, usher.Job{AsOf: w.at.Format(time.RFC3339)}); got != c.want {
			t.Errorf("at %s it decides %q, not %q", w.at.Format(time.TimeOnly), got, c.want)
		}
	}
}
