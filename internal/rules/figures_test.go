package rules_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"usher"
	"usher/internal/rules"
	"usher/internal/rules/backtest"
	"usher/internal/rules/figures"
)

// value returns the value of a metric in a rule with a window, at a time.
func value(t *testing.T, zone, window, more, metric string, at time.Time, rows ...figures.Row) (float64, bool) {
	t.Helper()
	set := load(t, "account: A\ntimezone: "+zone+"\nrules:\n  - {name: r, scope: {campaigns: [\"A-*\"]}, window: "+window+", min_days: 1, min_data: {auctions: 1}, pause_when: "+metric+" >= 0.0"+more+"}\n")
	rows = slices.Clone(rows)
	for i := range rows {
		rows[i].Values[figures.Auctions] = 1
	}
	d := decideAt(t, set, at, rows...)
	v, known := d.Metrics[metric]
	return v, known
}

func spent(date string, gross, budget float64) figures.Row {
	r := figures.Row{Date: date}
	r.Values[figures.GrossMediaSpend], r.Values[figures.Budget], r.Values[figures.LifetimeBudget], r.Values[figures.MediaMargin] = gross, budget, 10*budget, gross/10
	return r
}

func viewed(date string, impressions, clicks float64) figures.Row {
	r := figures.Row{Date: date}
	r.Values[figures.Impressions], r.Values[figures.Clicks] = impressions, clicks
	return r
}

// TestMetrics compares metrics with values calculated by hand.
func TestMetrics(t *testing.T) {
	t.Parallel()
	noon := noon()
	week := []figures.Row{spent("2026-05-12", 5, 10), spent("2026-05-13", 30, 100), spent("2026-05-19", 60, 200), spent("2026-05-20", 40, 160)}
	views := []figures.Row{viewed("2026-05-18", 1000, 1), viewed("2026-05-19", 9000, 99), viewed("2026-05-11", 100, 10)}
	for name, c := range map[string]struct {
		window, metric string
		rows           []figures.Row
		want           float64
	}{
		"sum of a week":                      {"last 7 days", "grossMediaSpend", week, 90},
		"summed, then divided":               {"last 7 days", "ctr", views, 0.01},
		"the week before":                    {"last 7 days", "previous.ctr", views, 0.1},
		"yesterday":                          {"yesterday", "grossMediaSpend", week, 60},
		"the day before":                     {"today", "previous.grossMediaSpend", week, 60},
		"the newest row's":                   {"last 7 days", "lifetimeBudget", week, 2000},
		"margin of the newest":               {"last 7 days", "mediaMargin", week, 6},
		"all days":                           {"lifetime", "grossMediaSpend", week, 135},
		"all days against what they may":     {"today", "lifetimeUsed", week, 135.0 / 1600},
		"budget used":                        {"last 7 days", "budgetUsed", week, 0.3},
		"pacing of half a day":               {"today", "pacing", week, 0.5},
		"pacing of whole days":               {"last 7 days", "pacing", week, 0.3},
		"an hour of half a day":              {"today", "spendRate", week, 40.0 / 12},
		"an hour of two days":                {"last 7 days", "spendRate", week, 90.0 / 48},
		"ahead without a schedule":           {"today", "projectedSpend", week, 40},
		"nothing ahead of what is over":      {"last 7 days", "projectedSpend", week, 90},
		"a day's projection until it is due": {"today, schedule: \"0 * * * *\"", "projectedSpend", week, 40 + 40.0/12},
		"and its lag":                        {"today, schedule: \"0 * * * *\", report_lag: 30m", "projectedSpend", week, 40 + 40.0/12*1.5},
		"nor that of a lifetime":             {"lifetime, schedule: \"0 7 1 * *\"", "projectedSpend", week, 135 + 135.0/84*12},
		"but not beyond the day":             {"today, schedule: \"0 1 * * *\"", "projectedSpend", week, 80},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, known := value(t, "UTC", c.window, "", c.metric, noon, c.rows...); !known || math.Abs(got-c.want) > 1e-9 {
				t.Errorf("%s of %s is %v, %v, not %v", c.metric, c.window, got, known, c.want)
			}
		})
	}
}

// TestClockChanges checks that days on which the clocks change have 23 or 25 hours,
// and that the running day is that of the zone.
func TestClockChanges(t *testing.T) {
	t.Parallel()
	london, err := time.LoadLocation("Europe/London")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		at   time.Time
		date string
		want float64
	}{
		"23 hours":          {time.Date(2026, 3, 29, 23, 59, 59, 999_999_999, london), "2026-03-29", 23},
		"25 hours":          {time.Date(2026, 10, 25, 23, 59, 59, 999_999_999, london), "2026-10-25", 25},
		"half past a gap":   {time.Date(2026, 3, 29, 1, 30, 0, 0, time.UTC), "2026-03-29", 1.5},
		"today begins late": {time.Date(2026, 7, 1, 23, 30, 0, 0, time.UTC), "2026-07-02", 0.5},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got, known := value(t, "Europe/London", "today", "", "spendRate", c.at, spent(c.date, 100, 100)); !known || math.Abs(got-100/c.want) > 1e-9 {
				t.Errorf("spend an hour is %v, not that of %v hours", got, c.want)
			}
		})
	}
}

// TestNeeds checks that there is one period a level, whatever the windows are.
func TestNeeds(t *testing.T) {
	t.Parallel()
	set := load(t, budgets)
	at, _ := set.EndOf("2014-04-01")
	needs := rules.NewFigures(set, at).Needs()
	want := []figures.Need{{Level: figures.CampaignLevel, From: "2014-04-01", To: "2014-04-01"}, {Level: figures.CreativeLevel, From: "2014-03-25", To: "2014-03-31"}}
	if len(needs) != 2 || needs[0] != want[0] || needs[1] != want[1] {
		t.Errorf("needs are %v, not %v", needs, want)
	}
	back, err := backtest.Needs(set, "2014-03-17", "2014-04-20")
	want = []figures.Need{{Level: figures.CampaignLevel, From: "2014-03-17", To: "2014-04-20"}, {Level: figures.CreativeLevel, From: "2014-03-10", To: "2014-04-20"}}
	if err != nil || len(back) != 2 || back[0] != want[0] || back[1] != want[1] {
		t.Errorf("a backtest needs %v, %v, not %v", back, err, want)
	}
}

// TestSetToday checks that figures of an event replace those of today, and that a
// metric without figures is UNKNOWN.
func TestSetToday(t *testing.T) {
	t.Parallel()
	set := load(t, budgets)
	at := noon()
	for name, c := range map[string]struct {
		values map[string]float64
		want   usher.Action
	}{
		"spent":         {map[string]float64{"grossMediaSpend": 96, "budget": 100}, usher.Held}, // one of one is over 20 %
		"not yet":       {map[string]float64{"grossMediaSpend": 90, "budget": 100}, usher.None},
		"without a key": {map[string]float64{"grossMediaSpend": 96}, usher.Unknown},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sums := rules.NewFigures(set, at)
			if err := sums.SetToday("SANDBOX1-x", c.values); err != nil {
				t.Fatal(err)
			}
			snapshot := rules.Snapshot{Figures: sums, Due: []string{"stop-at-daily-budget"}, Creatives: []rules.Creative{{Campaign: "SANDBOX1-x", Code: "c", Status: "ACTIVE"}}}
			if d := onlyDecision(t, set, snapshot); d.Action != c.want {
				t.Errorf("decided %s: %s", d.Action, d.Reason)
			}
			snapshot.Sizes = map[string]int{"stop-at-daily-budget": 10}
			if d := onlyDecision(t, set, snapshot); c.want == usher.Held && d.Action != usher.Pause {
				t.Errorf("one of ten: decided %s: %s", d.Action, d.Reason)
			}
		})
	}
	if err := rules.NewFigures(set, at).SetToday("SANDBOX1-x", map[string]float64{"grosMediaSpend": 1}); err == nil || err.Error() != `metric "grosMediaSpend" is not a field of the report; did you mean "grossMediaSpend"?` {
		t.Errorf("a name that is not a field: %v", err)
	}
}

// TestWilson compares the bounds with the centre and the half-width of Wilson's formula,
// calculated with 40 digits.
func TestWilson(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ clicks, impressions, lower, upper float64 }{
		{10, 100, 0.05522914, 0.1743657},
		{0, 10, 0, 0.2775328},
		{1, 2, 0.0945312, 0.9054688},
		{10, 10, 0.7224672, 1},
		{0, 5000, 0, 0.000767702},
	} {
		for metric, want := range map[string]float64{"ctr_lower95": c.lower, "ctr_upper95": c.upper} {
			got, known := value(t, "UTC", "yesterday", "", metric, time.Date(2026, 5, 21, 12, 0, 0, 0, time.UTC), viewed("2026-05-20", c.impressions, c.clicks))
			if !known || math.Abs(got-want) > 1e-6 {
				t.Errorf("%s of %v clicks in %v impressions is %v, want %v", metric, c.clicks, c.impressions, got, want)
			}
		}
	}
	for name, row := range map[string]figures.Row{"no impressions": viewed("2026-05-20", 0, 0), "more clicks": viewed("2026-05-20", 5, 6)} {
		if got, known := value(t, "UTC", "yesterday", "", "ctr_upper95", time.Date(2026, 5, 21, 12, 0, 0, 0, time.UTC), row); known {
			t.Errorf("%s: ctr_upper95 is %v, not UNKNOWN", name, got)
		}
	}
}
