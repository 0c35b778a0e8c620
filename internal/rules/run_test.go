package rules_test

import (
	"cmp"
	"fmt"
	"testing"
	"time"

	"usher"
	"usher/internal/rules"
	"usher/internal/rules/figures"
)

// noon is the time of a run.
func noon() time.Time { return time.Date(2026, 5, 20, 12, 0, 0, 0, time.UTC) }

// oneRule returns a set of the rule r on campaigns A-* with further keys.
func oneRule(t testing.TB, level, condition, keys string) *rules.Set {
	t.Helper()
	return load(t, fmt.Sprintf("account: A\ntimezone: UTC\nrules:\n  - {name: r, scope: {campaigns: [\"A-*\"], level: %s}, pause_when: %q, %s}\n", level, condition, keys))
}

// reported returns the figures of a run with report rows. A row without a campaign is one
// of A-x.
func reported(t testing.TB, set *rules.Set, at time.Time, rows ...figures.Row) *rules.Figures {
	t.Helper()
	sums := rules.NewFigures(set, at)
	for _, row := range rows {
		row.Campaign = cmp.Or(row.Campaign, "A-x")
		if err := sums.Add(row); err != nil {
			t.Fatal(err)
		}
	}
	return sums
}

// active returns the snapshot of a run on an ACTIVE creative of campaign A-x.
func active(creative string, sums *rules.Figures) rules.Snapshot {
	return rules.Snapshot{Figures: sums, Creatives: []rules.Creative{{Campaign: "A-x", Code: creative, Status: "ACTIVE"}}}
}

// decideAt returns the decision of a run on the ACTIVE creative c of campaign A-x, by its
// report rows.
func decideAt(t testing.TB, set *rules.Set, at time.Time, rows ...figures.Row) usher.Decision {
	t.Helper()
	return onlyDecision(t, set, active("c", reported(t, set, at, rows...)))
}

// decisions returns the decisions of a run by creative.
func decisions(t testing.TB, set *rules.Set, snapshot rules.Snapshot) map[string]usher.Decision {
	t.Helper()
	run, err := set.Decide(t.Context(), snapshot)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]usher.Decision{}
	for d := range run.Decisions(nil) {
		all[d.Creative] = d
	}
	return all
}

// onlyDecision returns the decision of a run on one creative.
func onlyDecision(t testing.TB, set *rules.Set, snapshot rules.Snapshot) usher.Decision {
	t.Helper()
	run, err := set.Decide(t.Context(), snapshot)
	if err != nil {
		t.Fatal(err)
	}
	var list []usher.Decision
	for d := range run.Decisions(nil) {
		list = append(list, d)
	}
	if len(list) != 1 {
		t.Fatalf("%d decisions: %+v", len(list), list)
	}
	return list[0]
}
