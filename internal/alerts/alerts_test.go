package alerts

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/queues/lanes"
)

func TestAlertText(t *testing.T) {
	t.Parallel()
	now := time.Now()
	oldest := now.Add(-time.Hour)
	text := alertText(&Alert{
		Letters: 1200,
		Groups:  []usher.LetterGroup{{Class: usher.NotFound, Kind: usher.SegmentAdd, Target: "segment 7", Message: "no <segment> & none", Count: 1200, Sample: "crm-1", Group: "3f9a21c0"}},
		Held:    []usher.Evaluation{{ID: "rule-x", File: "budget", Why: "changes 60 % of them"}},
		Notices: []Notice{{Run: usher.Evaluation{ID: "rule-y", File: "pace"}, Decisions: []usher.Ruling{
			finding("slow", "a-1", usher.NoticeDigest, usher.Notify, usher.Pause), finding("slow", "a-2", usher.NoticeDigest, usher.Notify, usher.Pause),
			finding("stop", "b-1", usher.NoticeEach, usher.Pause, ""), finding("stop", "b-2", usher.NoticeEach, usher.Held, usher.Pause),
		}}},
		Stalled:   []lanes.State{{Lane: lanes.Campaign, Waiting: 3, Untaken: &oldest}},
		At:        now,
		Recovered: []lanes.Lane{lanes.Bulk},
	}, "")
	for _, want := range []string{
		"usher: 1,200 new dead letters", "1,200 not_found segment.add on segment 7: no &lt;segment&gt; &amp; none (such as crm-1; usher dead show --group 3f9a21c0)",
		"run rule-x of rules budget is held: changes 60 % of them",
		"usher: rule slow of pace reports 2 creatives, such as A-x a-1: pacing &lt; 0.5 (0.25 &lt; 0.5) (usher rules run rule-y)",
		"usher: rule stop of pace pauses A-x b-1: pacing", "usher: rule stop of pace is held on A-x b-2: pacing",
		"lane campaign has stalled: 3 jobs waiting, the oldest for 1h0m (", "lane bulk has recovered",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("alert does not contain %q:\n%s", want, text)
		}
	}
}

func finding(rule, creative string, notice usher.Notice, action, wants usher.Action) usher.Ruling {
	return usher.Ruling{Decision: usher.Decision{Campaign: "A-x", Creative: creative, Rule: rule, Action: action, Wants: wants, Notice: notice, Reason: "pacing < 0.5 (0.25 < 0.5)"}}
}

// Decisions on numbers are counted in campaigns, and a held decision shows its condition,
// however long the text of its guard is.
func TestNoticesOfBudgets(t *testing.T) {
	t.Parallel()
	n := Notice{Run: usher.Evaluation{ID: "rule-y", File: "pace"}}
	for _, campaign := range []string{"A-x", "A-y"} {
		d := finding("cheaper", "", usher.NoticeDigest, usher.Held, usher.Decrease)
		d.Campaign, d.Bidding = campaign, &usher.BiddingChange{Field: usher.BudgetField, From: 150, To: 120, Currency: "USD"}
		d.Reason = "would set the daily budget from 150 to 120 USD, but the rule would change the daily budget of 9 of 9 campaigns by 441.95 together, over its limits (max_campaigns 5, max_amount 200), so all of these changes wait for approval: cpc > 2 (2.02457 > 2)"
		n.Decisions = append(n.Decisions, d)
	}
	want := "usher: rule cheaper of pace is held on 2 campaigns, such as A-x: " + n.Decisions[0].Reason + " (usher rules run rule-y)"
	if lines := noticeLines([]Notice{n}, ""); len(lines) != 1 || lines[0] != want {
		t.Errorf("lines are %q, want %q", lines, want)
	}
}

// Each line links to the console, and an alert has at most maxNotices of them.
func TestNoticesAreLinkedAndLimited(t *testing.T) {
	t.Parallel()
	n := Notice{Run: usher.Evaluation{ID: "rule y", File: "pace"}}
	for range maxNotices + 2 {
		n.Decisions = append(n.Decisions, finding("stop", "b", usher.NoticeEach, usher.Pause, ""))
	}
	lines := noticeLines([]Notice{n}, "https://usher.example.com/")
	if len(lines) != maxNotices+1 || !strings.HasSuffix(lines[0], " (https://usher.example.com/#/rules/runs/rule%20y)") || lines[maxNotices] != "usher: and 2 more findings of rules (usher rules runs)" {
		t.Errorf("lines are %q", lines)
	}
}

// A post is retried after a server error, and errors do not contain the webhook's
// address.
func TestWebhook(t *testing.T) {
	t.Parallel()
	attempts := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var got struct {
			Text string `json:"text"`
		}
		if json.Unmarshal(body, &got) != nil || !strings.Contains(got.Text, "1 new dead letter") || r.URL.Path != "/services/SECRET" {
			t.Errorf("POST %s with body %s", r.URL.Path, body)
		}
		if attempts++; attempts == 1 {
			w.WriteHeader(http.StatusBadGateway)
		}
	}))
	a := &Alerts{webhook: func() string { return server.URL + "/services/SECRET" }, client: server.Client(), logger: slog.New(slog.DiscardHandler)}
	if err := a.send(t.Context(), Alert{Letters: 1}); err != nil || attempts != 2 {
		t.Errorf("send made %d attempts, want 2; error %v", attempts, err)
	}
	server.Close()
	if err := a.post(t.Context(), nil); err == nil || strings.Contains(err.Error(), "SECRET") {
		t.Errorf("post to a closed server: error %v, want one without the address", err)
	}
}
