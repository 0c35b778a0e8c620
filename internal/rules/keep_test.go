package rules_test

import (
	"strings"
	"testing"
	"time"

	"usher"
	"usher/internal/rules"
	"usher/internal/rules/figures"
)

// Rules neither pause nor resume what a person keeps.
func TestKept(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, status string
		spend        float64
	}{{"a pause", "ACTIVE", 9}, {"a resume", "INACTIVE", 1}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			set := oneRule(t, "campaign", "grossMediaSpend >= 5", "resume_when: grossMediaSpend < 3, window: today")
			owned := func(string) usher.CreativeMemory {
				return usher.CreativeMemory{Owner: &usher.Ownership{Rule: set.Key("r"), Status: "INACTIVE"}}
			}
			var row figures.Row
			row.Date, row.Values[figures.GrossMediaSpend] = "2026-05-20", c.spend
			s := active("c", reported(t, set, noon(), row))
			s.Creatives[0].Status, s.Memory = c.status, owned
			s.Kept = map[string]usher.Setting{"c": {By: "ada", Reason: "on television", Until: noon().Add(2 * time.Hour)}}
			d := onlyDecision(t, set, s)
			if d.Action != usher.None || d.Guard != usher.GuardKept || !strings.HasPrefix(d.Reason, "kept by ada until 2026-05-20 14:00 UTC (on television): grossMediaSpend ") {
				t.Errorf("decided %s %s: %s", d.Action, d.Guard, d.Reason)
			}
			s.Kept = nil
			if d := onlyDecision(t, set, s); !d.Action.Changes() {
				t.Errorf("without a keep it decides %s: %s", d.Action, d.Reason)
			}
		})
	}
}

func TestParseUntil(t *testing.T) {
	t.Parallel()
	london, err := time.LoadLocation("Europe/London")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 3, 28, 23, 30, 0, 0, london) // the clocks change in the night
	for text, want := range map[string]string{
		"2h": "2026-03-29T01:30:00Z", "3d": "2026-03-31T22:30:00Z", "tomorrow": "2026-03-29T00:00:00Z", "monday": "2026-03-29T23:00:00Z", "next_month": "2026-03-31T23:00:00Z",
		"2026-04-02": "2026-04-01T23:00:00Z", "2026-04-02T10:00:00+02:00": "2026-04-02T08:00:00Z", "released": "0001-01-01T00:00:00Z",
	} {
		if at, err := rules.ParseUntil(text, now, london); err != nil || at.Format(time.RFC3339) != want {
			t.Errorf("until %s is %s, %v, want %s", text, at.Format(time.RFC3339), err, want)
		}
	}
	for text, want := range map[string]string{"": "write a duration", "-2h": "write a duration", "soon": "write a duration", "0h": "write a duration", "2026-03-28": "is in the past"} {
		if at, err := rules.ParseUntil(text, now, london); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("until %q is %s, %v", text, at, err)
		}
	}
}
