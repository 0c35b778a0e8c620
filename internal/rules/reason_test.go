package rules_test

import (
	"strings"
	"testing"

	"usher/internal/rules/figures"
)

// TestDigits checks that two numbers of a reason that differ do not look alike.
func TestDigits(t *testing.T) {
	t.Parallel()
	for condition, want := range map[string]string{
		"grossMediaSpend >= 123.0869":              "(123.0868 is not >= 123.0869)",
		"grossMediaSpend >= 123.086":               "(123.087 >= 123.086)",
		"grossMediaSpend >= 123":                   "(123.09 >= 123)",
		"grossMediaSpend > 123.08679999":           "(123.0868 > 123.08679999)",
		"clicks > 5 || grossMediaSpend > 123.0869": "(clicks 0, grossMediaSpend 123.0868)",
		"clicks > 5 || 123.09 < grossMediaSpend":   "(clicks 0, grossMediaSpend 123.087)",
		"grossMediaSpend - 123.0868 >= 0.0000001":  "(0 is not >= 0.0000001)",
	} {
		r := figures.Row{Date: "2026-05-19"}
		r.Values[figures.GrossMediaSpend] = 123.0868
		d := decideAt(t, oneRule(t, "campaign", condition, "window: yesterday"), noon(), r)
		if !strings.Contains(d.Reason, want) {
			t.Errorf("%s: %s, want %s", condition, d.Reason, want)
		}
	}
	r := figures.Row{Date: "2026-05-19"}
	r.Values[figures.GrossMediaSpend] = 700.4149
	d := decideAt(t, oneRule(t, "campaign", "ctr < 0.1", "window: yesterday, min_data: {grossMediaSpend: 700.415}"), noon(), r)
	if want := "unknown: 700.4149 grossMediaSpend in yesterday, and min_data requires 700.415"; !strings.Contains(d.Reason, want) {
		t.Errorf("%s, want %s", d.Reason, want)
	}
}
