package rules_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/internal/rules"
	"usher/internal/rules/figures"
)

// relativeRow returns a row of a campaign, or of one of its creatives.
func relativeRow(date, campaign, creative string, impressions, clicks float64) figures.Row {
	row := viewed(date, impressions, clicks)
	row.Campaign, row.Creative = campaign, creative
	return row
}

// relativeDecision returns the decision of a rule on creative c1 of campaign A-x, by
// reports of 2026-05-06 to 2026-05-19.
func relativeDecision(t *testing.T, level, window, condition string, skip func(figures.Row) bool) usher.Decision {
	t.Helper()
	set := oneRule(t, level, condition, "min_data: {impressions: 10}, window: "+window)
	var rows []figures.Row
	for day := 6; day <= 19; day++ {
		date := fmt.Sprintf("2026-05-%02d", day)
		clicks := 1.0
		if day < 13 {
			clicks = 5
		}
		rows = append(rows,
			relativeRow(date, "A-x", "c1", 100, clicks), relativeRow(date, "A-x", "c2", 100, 9), relativeRow(date, "A-x", "", 200, 9+clicks),
			relativeRow(date, "A-y", "", 800, 90))
	}
	if skip != nil {
		rows = slices.DeleteFunc(rows, skip)
	}
	return onlyDecision(t, set, active("c1", reported(t, set, noon(), rows...)))
}

// TestRelativeMetrics compares metrics of the campaign, of the account and of other
// windows with values calculated by hand.
func TestRelativeMetrics(t *testing.T) {
	t.Parallel()
	for metric, want := range map[string]float64{
		"campaign.ctr": 0.05, "campaign.clicks": 70, "account.ctr": 0.1, "account.impressions": 7000,
		`over("last 14 days").ctr`: 0.03, `over("last 14 days").clicks`: 42, `over("yesterday").clicks`: 1,
		`over("last 7 days").ctr`: 0.01, `over("lifetime").impressions`: 1400,
	} {
		d := relativeDecision(t, "creative", "last 7 days", metric+" >= 0.0", nil)
		if got, known := d.Metrics[metric]; !known || got != want {
			t.Errorf("%s is %v (known: %v), want %v: %s", metric, got, known, want, d.Reason)
		}
	}
	for metric, want := range map[string]float64{"campaign.ctr": 0.05, "account.ctr": 0.1, `over("last 14 days").clicks`: 168} {
		if got := relativeDecision(t, "campaign", "last 7 days", metric+" >= 0.0", nil).Metrics[metric]; got != want {
			t.Errorf("%s of a campaign is %v, want %v", metric, got, want)
		}
	}
	d := relativeDecision(t, "creative", "last 7 days", `ctr < 0.5 * campaign.ctr && campaign.ctr < account.ctr && ctr < 0.5 * over("last 14 days").ctr`, nil)
	if d.Action != usher.Pause || !strings.Contains(d.Reason, `over("last 14 days").ctr 0.03`) || !strings.Contains(d.Reason, "account.ctr 0.1") {
		t.Errorf("%s: %s", d.Action, d.Reason)
	}
}

// TestRelativeMetricsWithHoles checks that a metric whose window lacks a day, or whose
// report was not read, is UNKNOWN.
func TestRelativeMetricsWithHoles(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		metric string
		skip   func(figures.Row) bool
		want   usher.Action
	}{
		"a day of the other window":   {`over("last 14 days").ctr`, func(r figures.Row) bool { return r.Date == "2026-05-08" }, usher.Unknown},
		"the campaign's report":       {"campaign.ctr", func(r figures.Row) bool { return r.Creative == "" }, usher.Unknown},
		"a day of the campaign":       {"campaign.ctr", func(r figures.Row) bool { return r.Creative == "" && r.Date == "2026-05-15" }, usher.Unknown},
		"the report of campaigns":     {"account.ctr", func(r figures.Row) bool { return r.Creative == "" }, usher.Unknown},
		"a day of all campaigns":      {"account.ctr", func(r figures.Row) bool { return r.Creative == "" && r.Date == "2026-05-15" }, usher.Unknown},
		"a day of one campaign":       {"account.ctr", func(r figures.Row) bool { return r.Campaign == "A-y" && r.Date == "2026-05-15" }, usher.Unknown},
		"days of one that has ended":  {`account.ctr > 0.05 && account.ctr`, func(r figures.Row) bool { return r.Campaign == "A-y" && r.Date > "2026-05-12" }, usher.None},
		"a day of it, a sum":          {"campaign.clicks - 59", func(r figures.Row) bool { return r.Creative == "" && r.Date == "2026-05-15" }, usher.Pause},
		"a day of the account, a sum": {"account.clicks - 690", func(r figures.Row) bool { return r.Campaign == "A-y" && r.Date == "2026-05-15" }, usher.Unknown},
		"enough of the account":       {"account.clicks - 609", func(r figures.Row) bool { return r.Campaign == "A-y" && r.Date == "2026-05-15" }, usher.Pause},
		"the account's first days":    {"account.ctr", func(r figures.Row) bool { return r.Date < "2026-05-14" }, usher.Unknown},
		"another campaign's creative": {"campaign.ctr", func(r figures.Row) bool { return r.Campaign == "A-y" }, usher.Pause},
	} {
		if d := relativeDecision(t, "creative", "last 7 days", c.metric+" > 0.001", c.skip); d.Action != c.want {
			t.Errorf("%s is missing: %s %s", name, d.Action, d.Reason)
		}
	}
}

// TestReasonsOfRelativeMetrics checks that the reason of an UNKNOWN metric names the
// window of the campaign or of the account that lacks something.
func TestReasonsOfRelativeMetrics(t *testing.T) {
	t.Parallel()
	for condition, want := range map[string]struct{ all, some, none string }{
		"won < 0.3 * campaign.won": {
			all:  "does not hold",
			some: "unknown: the campaign has 2 of 3 days of the last 3 days (2026-05-17 to 2026-05-19)",
			none: "unknown: the campaign has no row in the last 3 days (2026-05-17 to 2026-05-19)",
		},
		"won < 0.3 * account.won": {
			all:  "does not hold",
			some: "unknown: no won of the account in the last 3 days (2026-05-17 to 2026-05-19)",
			none: "unknown: no won of the account in the last 3 days (2026-05-17 to 2026-05-19)",
		},
	} {
		set := load(t, "account: A\ntimezone: UTC\nrules:\n  - {name: other, scope: {campaigns: [\"A-*\"]}, window: today, pause_when: clicks > 5}\n"+
			"  - {name: r, scope: {campaigns: [\"A-*\"], level: creative}, window: last 3 days, pause_when: "+condition+"}\n")
		for days, want := range map[int]string{3: want.all, 2: want.some, 0: want.none} {
			var rows []figures.Row
			for n := range 3 {
				date := fmt.Sprintf("2026-05-%d", 17+n)
				if rows = append(rows, relativeRow(date, "A-x", "c1", 9, 1)); n < days {
					rows = append(rows, relativeRow(date, "A-x", "", 9, 1))
				}
			}
			snapshot := active("c1", reported(t, set, noon(), rows...))
			snapshot.Due = []string{"r"}
			d := onlyDecision(t, set, snapshot)
			if !strings.Contains(d.Reason, want) {
				t.Errorf("%s with %d days: %s", condition, days, d.Reason)
			}
		}
	}
}

// TestMistakesInRelativeMetrics checks metrics that are written wrongly.
func TestMistakesInRelativeMetrics(t *testing.T) {
	testMistakes(t, map[string]mistake{
		"valid":             onWeak(`ctr < 0.5 * campaign.ctr && ctr < over("last 14 days").ctr`),
		"misspelt":          onWeak("campaign.crt > 0.1", `14:17: error: pause_when: unknown metric "campaign.crt" | did you mean "campaign.ctr"?`),
		"misspelt, over":    onWeak(`over("last 14 days").crt > 0.1`, `14:17: error: pause_when: unknown metric "crt" | did you mean "ctr"?`),
		"unknown window":    onWeak(`over("14 days").ctr > 0.1`, `14:17: error: pause_when: unknown window "14 days" | did you mean "last 14 days"?`),
		"over without ctr":  onWeak(`over("last 14 days") > 0.1`, `14:17: error: pause_when: over needs a metric | write over("last 14 days").ctr`),
		"over of no text":   onWeak(`over(14).ctr > 0.1`, `14:17: error: pause_when: over needs a window in quotes | write over("last 14 days").ctr`),
		"campaign alone":    onWeak("campaign > 0.1", `14:17: error: pause_when: "campaign" is not a metric | write campaign.ctr`),
		"no min_data":       {"    min_data: {impressions: 5000}\n    pause_when: ctr < 0.0005", "    pause_when: ctr_upper95 < 0.5 * campaign.ctr", []string{"13:17: error: pause_when: campaign.ctr is a ratio | min_data"}},
		"account's margin":  onWeak("account.mediaMargin > 5", `14:17: error: pause_when: unknown metric "account.mediaMargin" | `),
		"campaign, percent": onWeak("campaign.ctr < 1", "14:17: warning: pause_when: campaign.ctr < 1 always holds | 0.01"),
	})
}

// TestAccountOfEvent checks that the numbers of an event, which are of one campaign, are
// not taken for those of the account.
func TestAccountOfEvent(t *testing.T) {
	t.Parallel()
	set := oneRule(t, "campaign", "account.clicks > 5", "window: today")
	sums := rules.NewFigures(set, noon())
	decision := func(want usher.Action) {
		t.Helper()
		if d := onlyDecision(t, set, active("c1", sums)); d.Action != want {
			t.Errorf("%s: %s", d.Action, d.Reason)
		}
	}
	if err := sums.SetToday("A-x", map[string]float64{"clicks": 9}); err != nil {
		t.Fatal(err)
	}
	decision(usher.Unknown)
	if err := sums.Add(relativeRow("2026-05-20", "A-y", "", 9, 1)); err != nil {
		t.Fatal(err)
	}
	decision(usher.Pause)
}

// TestRank checks ranks among the creatives of a campaign: 1 is the highest, and equal
// values share the better rank.
func TestRank(t *testing.T) {
	t.Parallel()
	clicks := map[string]float64{"c1": 9, "c2": 5, "c3": 5, "c4": 1, "c5": 1, "c6": 0}
	for condition, want := range map[string]string{
		"rank(clicks) == 1":            "c1",
		"rank(clicks) == 2":            "c2 c3",
		"rank(clicks) == 4":            "c4 c5",
		"rank(ctr) > count() - 3":      "c4 c5 c6",
		"rank(ctr) > count() - 1":      "c6",
		"count() == 6":                 "c1 c2 c3 c4 c5 c6",
		"rank(cpc) >= 1":               "c1 c2 c3 c4 c5", // c6 has no clicks
		"rank(ctr) <= 2 && clicks > 5": "c1",
	} {
		set := oneRule(t, "creative", condition, "window: yesterday, min_data: {impressions: 1}")
		var rows []figures.Row
		var creatives []rules.Creative
		for code, n := range clicks {
			row := relativeRow("2026-05-19", "A-x", code, 100, n)
			row.Values[figures.GrossMediaSpend] = n * n
			rows = append(rows, row, relativeRow("2026-05-19", "A-y", "y"+code, 100, 50), relativeRow("2026-05-18", "A-x", "old"+code, 100, 50))
			creatives = append(creatives, rules.Creative{Campaign: "A-x", Code: code, Status: "ACTIVE"})
		}
		run, err := set.Decide(t.Context(), rules.Snapshot{Figures: reported(t, set, noon(), rows...), Creatives: creatives})
		if err != nil {
			t.Fatal(err)
		}
		var paused []string
		for d := range run.Decisions(func(a usher.Action) bool { return a == usher.Pause }) {
			paused = append(paused, d.Creative)
			if got := d.Metrics["rank(ctr)"]; condition == "rank(ctr) > count() - 1" && (got != 6 || d.Metrics["count()"] != 6 || d.Metrics["clicks"] != 0) {
				t.Errorf("the metrics are %v", d.Metrics)
			}
		}
		if got := strings.Join(paused, " "); got != want {
			t.Errorf("%s pauses %s, want %s", condition, got, want)
		}
	}
}

// TestRankOfCampaigns checks ranks among the campaigns in the scope of a rule.
func TestRankOfCampaigns(t *testing.T) {
	t.Parallel()
	for condition, want := range map[string]string{
		"rank(clicks) == 1":                     "A-a",
		"rank(cpc) <= 1":                        "A-a", // 9
		"rank(clicks) > count() - 2":            "A-c A-d",
		"count() == 4":                          "A-a A-b A-c A-d",
		"rank(clicks) <= 2 && account.won >= 0": "A-a A-b",
	} {
		set := load(t, "account: A\ntimezone: UTC\nrules:\n  - {name: r, scope: {campaigns: [\"A-*\"], exclude: [\"A-x\"]}, window: last 2 days, min_data: {impressions: 1, clicks: 1}, pause_when: '"+condition+"'}\n")
		var rows []figures.Row
		snapshot := rules.Snapshot{}
		for _, c := range []struct { // the first one has a row in another currency below
			campaign string
			n        float64
		}{{"A-a", 9}, {"A-b", 7}, {"A-c", 5}, {"A-d", 3}, {"A-x", 50}, {"A-hole", 8}} {
			campaign, n := c.campaign, c.n
			for _, date := range []string{"2026-05-18", "2026-05-19"} {
				row := relativeRow(date, campaign, "", 100, n)
				if row.Values[figures.GrossMediaSpend] = n * n; campaign != "A-hole" || date == "2026-05-19" {
					rows = append(rows, row)
				}
			}
			snapshot.Creatives = append(snapshot.Creatives, rules.Creative{Campaign: campaign, Code: "c" + campaign, Status: "ACTIVE"})
		}
		for _, mixed := range []bool{false, true} {
			if mixed {
				rows = in("EUR", in("USD", rows, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10), 0)
			}
			snapshot.Figures = reported(t, set, noon(), rows...)
			run, err := set.Decide(t.Context(), snapshot)
			if err != nil {
				t.Fatal(err)
			}
			var paused []string
			for d := range run.Decisions(func(a usher.Action) bool { return a == usher.Pause }) {
				paused = append(paused, d.Campaign)
			}
			expected := want
			if mixed && strings.Contains(condition, "cpc") {
				expected = ""
			}
			if got := strings.Join(paused, " "); got != expected {
				t.Errorf("%s, several currencies %t: pauses %s, want %s", condition, mixed, got, expected)
			}
		}
	}
}

// TestMistakesInRanks checks ranks that are written wrongly.
func TestMistakesInRanks(t *testing.T) {
	testMistakes(t, map[string]mistake{
		"valid":            onWeak("rank(ctr) > count() - 3"),
		"of campaigns":     onStop("rank(grossMediaSpend) > count() - 3"),
		"the best of them": onStop("rank(clicks) <= 3", "7:17: warning: pause_when: rank(clicks) <= 3 pauses the campaigns with the highest clicks, because 1 is the highest | write rank(clicks) > count() - 3"),
		"the last one":     onWeak("rank(ctr) == count() && clicks > 5"),
		"the third":        onWeak("rank(ctr) == 3 && clicks > 5"),
		"misspelt":         onWeak("rank(crt) > 3", `14:17: error: pause_when: unknown metric "crt" | did you mean "ctr"?`),
		"of a sum":         onWeak("rank(clicks + won) > 3", "14:17: error: pause_when: rank needs the name of a metric | write rank(ctr)"),
		"count of":         onWeak("rank(ctr) > count(ctr) - 3", "14:29: error: pause_when: count needs no metric | write count()"),
		"no min_data":      {"    min_data: {impressions: 5000}\n    pause_when: ctr < 0.0005", "    pause_when: rank(ctr) > 3", []string{"13:17: error: pause_when: rank(ctr) is a ratio | min_data"}},
		"always":           onWeak("rank(ctr) >= 1", "14:17: warning: pause_when: rank(ctr) >= 1 always holds | compare with a number"),
		"with resume":      onWeak("rank(ctr) > 5\n    resume_when: rank(ctr) < 3"),
	})
}
