package review_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/cmd/usher/internal/review"
	"usher/internal/rtb"
	"usher/internal/rules"
	"usher/internal/sandbox"
	"usher/queues/decisions"
	"usher/queues/lanes"
	"usher/queues/queuetest"
)

// TestApprovalOfAnEvent decides again on what a rule holds after an event: by the metrics of the event, and with the
// other rules of the account, which may want paused by now what the rule would resume.
func TestApprovalOfAnEvent(t *testing.T) {
	t.Parallel()
	box, err := sandbox.Open(sandbox.Options{ApprovalDelay: -1})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(box)
	t.Cleanup(func() { server.Close(); _ = box.Close() })
	open := rtb.New(rtb.Options{BaseURL: server.URL, Advertiser: "SANDBOX1"})
	client := rtb.New(rtb.Options{BaseURL: server.URL, Advertiser: "SANDBOX1", Tokens: rtb.NewTokens(func(ctx context.Context) (string, error) {
		return open.Auth.Token(ctx, "sandbox", "sandbox")
	})})
	load := func(name, rule string) *rules.Set {
		set, problems := rules.Load(name+".yaml", []byte("account: SANDBOX1\ntimezone: Europe/London\nrules:\n  - {scope: {campaigns: [SANDBOX1-brand]}, "+rule+"}\n"))
		if set == nil {
			t.Fatal(problems)
		}
		return set
	}
	// No report has so many clicks.
	a := load("a", "name: busy, window: today, mode: approve, pause_when: clicks >= 90000000, resume_when: clicks < 90000000 && clicks > 80000000")
	quiet := load("b", "name: cap, window: yesterday, pause_when: grossMediaSpend < 0")
	spent := load("b", "name: cap, window: yesterday, pause_when: grossMediaSpend >= 0")
	at := time.Date(2014, 4, 9, 11, 0, 0, 0, time.UTC)

	b := queuetest.New(t)
	q := b.Queue(t)
	store := decisions.New(q, nil)
	if err := client.Campaigns.Lock(t.Context(), "SANDBOX1-brand"); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Creatives.SetStatus(t.Context(), "brand-1", rtb.Inactive); err != nil {
		t.Fatal(err)
	}
	statuses, err := client.Campaigns.Status(t.Context(), "SANDBOX1-brand")
	if err != nil || statuses[0].CreativeCode != "brand-1" {
		t.Fatal(statuses, err)
	}
	err = store.Remember(t.Context(), usher.Audit{
		At: at.Add(-time.Hour), Job: "high.pause", Run: 1, Actor: "rules/a", Rule: "busy", Campaign: "SANDBOX1-brand", Creative: "brand-1",
		Before: rtb.Active, Wanted: rtb.Inactive, After: rtb.Inactive, Evaluation: "high", LatestUpdate: statuses[0].LatestUpdate,
	})
	if err != nil {
		t.Fatal(err)
	}
	held := func(creative string, wants usher.Action) usher.StoredDecision {
		return usher.StoredDecision{Decision: usher.Decision{
			Campaign: "SANDBOX1-brand", Creative: creative, Rule: "busy", Action: usher.Held, Wants: wants, Guard: usher.GuardApproval,
		}}
	}
	for name, c := range map[string]struct {
		other    *rules.Set
		clicks   int  // of the event
		recorded bool // the event's job is on record
		held     usher.StoredDecision
		is       decisions.Standing
		why      string
	}{
		"no other rule":                 {quiet, 85_000_000, true, held("brand-1", usher.Resume), decisions.Wanted, ""},
		"another file":                  {spent, 85_000_000, true, held("brand-1", usher.Resume), decisions.Gone, "rule b/cap wants it paused"},
		"a pause":                       {spent, 95_000_000, true, held("brand-2", usher.Pause), decisions.Wanted, ""},
		"the event is gone":             {spent, 0, false, held("brand-1", usher.Resume), decisions.Undecided, "the metrics of the event are not on record any more"},
		"a pause and the event is gone": {spent, 0, false, held("brand-2", usher.Pause), decisions.Wanted, ""},
	} {
		e := usher.Evaluation{ID: strings.ReplaceAll(name, " ", "-"), File: "a", Account: "SANDBOX1", AsOf: at, At: at, State: usher.EvaluationHeld, Event: true}
		if c.recorded {
			b.Publish(t, usher.RulesEvaluate, fmt.Sprintf(`{"id":%q,"rules":"a","metrics":{"campaign":"SANDBOX1-brand","at":%q,"values":{"clicks":%d}}}`, e.ID, at.Format(time.RFC3339), c.clicks))
			queuetest.NewSlot(t, q, lanes.Rules).Take(t)
		}
		r := &review.Reviewer{Queue: q, Rules: []*rules.Set{a, c.other}, Platform: func(string) (*rtb.Client, error) { return client, nil }}
		now, err := r.Approval(t.Context(), &e, []usher.StoredDecision{c.held})
		if err != nil {
			t.Fatal(err)
		}
		if is, why := decisions.Compare(&c.held, now.Decisions); is != c.is || !strings.Contains(why, c.why) {
			t.Errorf("%s: it is %s: %s", name, is, why)
		}
	}
}
