package review_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/http/httptest"
	"testing"
	"time"

	"usher"
	"usher/cmd/usher/internal/review"
	"usher/internal/rtb"
	"usher/internal/rules"
	"usher/internal/sandbox"
	"usher/queues/decisions"
	"usher/queues/queuetest"
)

// TestSaved checks what pauses have saved by the sandbox's reports, and of which it is not known.
func TestSaved(t *testing.T) {
	t.Parallel()
	box, err := sandbox.Open(sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(box)
	t.Cleanup(func() { server.Close(); _ = box.Close() })
	open := rtb.New(rtb.Options{BaseURL: server.URL, Advertiser: "SANDBOX1"})
	client := rtb.New(rtb.Options{BaseURL: server.URL, Advertiser: "SANDBOX1", Tokens: rtb.NewTokens(func(ctx context.Context) (string, error) {
		return open.Auth.Token(ctx, "sandbox", "sandbox")
	})})
	set, problems := rules.Load("f.yaml", []byte("account: SANDBOX1\ntimezone: Europe/London\nrules:\n  - {name: stop, scope: {campaigns: [\"*\"]}, window: today, pause_when: clicks > 5}\n"))
	if set == nil {
		t.Fatal(problems)
	}
	r := &review.Reviewer{Queue: queuetest.New(t).Queue(t), Rules: []*rules.Set{set}, Platform: func(string) (*rtb.Client, error) { return client, nil }}

	at := func(day, hour int) time.Time { return time.Date(2014, 4, day, hour, 0, 0, 0, set.Zone) }
	pause := func(rule, campaign, creative string, from, to time.Time) usher.PausedTime {
		return usher.PausedTime{Rule: rule, Campaign: "SANDBOX1-" + campaign, Creative: creative, From: from, To: to}
	}
	activity := decisions.Activity{Since: at(4, 0), Paused: []usher.PausedTime{
		pause("f/stop", "brand", "brand-1", at(9, 12), at(10, 0)),
		pause("f/stop", "spring", "spring-9", at(9, 12), at(10, 0)),
		pause("gone/stop", "brand", "brand-2", at(9, 12), at(10, 0)),
		pause("", "brand", "brand-3", at(9, 12), at(10, 0)),
		pause("f/stop", "brand", "brand-3", at(3, 0), at(4, 12)),
		pause("f/stop", "brand", "brand-2", at(2, 0), at(4, 0)),
	}}
	spend := func(day string, i int) float64 {
		t.Helper()
		days, err := client.Reporting.Campaign(t.Context(), "SANDBOX1-brand", day, day)
		if err != nil || len(days) != 1 || days[0].Creatives[i].CreativeCode != fmt.Sprint("brand-", i+1) {
			t.Fatalf("the report is %+v, %v", days, err)
		}
		return days[0].Creatives[i].GrossMediaSpend
	}
	want := spend("2014-04-08", 0)/2 + spend("2014-04-02", 2)/2 // half a day of each pause is in the time
	got, err := r.Saved(t.Context(), &activity, nil)
	if err != nil || len(got) != 2 {
		t.Fatalf("saved: %v, %v", got, err)
	}
	if s := got["f/stop"]; s.Pauses != 2 || want == 0 || len(s.Gross) != 1 || math.Abs(s.Gross["USD"]-want) > 1e-9 || len(s.NotKnown) != 1 || s.NotKnown[0].Pauses != 1 {
		t.Errorf("by stop: %+v, want %g", s, want)
	}
	if s := got["gone/stop"]; s.Pauses != 0 || len(s.NotKnown) != 1 || s.NotKnown[0].Why != "no worker uses the rule file any more" {
		t.Errorf("by a rule that is gone: %+v", s)
	}
	got, err = r.Saved(t.Context(), &activity, func(rule string) bool { return rule == "gone/stop" })
	if err != nil || len(got) != 1 {
		t.Errorf("of one rule: %v, %v", got, err)
	}

	// Of many campaigns, those with the newest pauses are read.
	activity.Paused = nil
	for i := range 101 {
		activity.Paused = append(activity.Paused, pause("f/stop", fmt.Sprint("none-", i), "a", at(9, 12), at(10, 0)), pause("f/stop", fmt.Sprint("none-", i), "b", at(9, 11), at(10, 0)))
	}
	got, err = r.Saved(t.Context(), &activity, nil)
	if err != nil {
		t.Fatal(err)
	}
	unknown := map[string]int{}
	for _, n := range got["f/stop"].NotKnown {
		unknown[n.Why] = n.Pauses
	}
	if !maps.Equal(unknown, map[string]int{"the report has no spend of the creative on the 7 days before the pause": 200, "only the 100 campaigns are counted in which rules of the file have paused something last": 2}) {
		t.Errorf("not known are %v", unknown)
	}

	r.Platform = func(string) (*rtb.Client, error) { return nil, errors.New("no login") }
	if _, err := r.Saved(t.Context(), &activity, nil); err == nil {
		t.Error("without a login it is known")
	}
}
