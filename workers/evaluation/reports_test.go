package evaluation_test

import (
	"errors"
	"slices"
	"testing"

	"usher/internal/rules/figures"
	"usher/internal/sandbox"
	"usher/workers/evaluation"
	"usher/workers/internal/workertest"
)

// ReadReports makes one call for all campaigns, and one for each campaign with
// rules on creatives.
func TestReadReports(t *testing.T) {
	t.Parallel()
	b := workertest.NewBench(t, sandbox.Options{})
	needs := []figures.Need{
		{Level: figures.CampaignLevel, From: "2014-04-01", To: "2014-04-02"},
		{Level: figures.CreativeLevel, From: "2014-04-01", To: "2014-04-01"},
	}
	var days, creatives []figures.Row
	err := evaluation.ReadReports(t.Context(), b.Worker.Platform("", false), needs, []string{"SANDBOX1-spring", "SANDBOX1-winter", "SANDBOX1-gone"}, func(row figures.Row) error {
		if row.Creative == "" {
			days = append(days, row)
		} else {
			creatives = append(creatives, row)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(days) != 2*9 || len(creatives) != 2+5 {
		t.Errorf("%d rows of campaigns and %d of creatives", len(days), len(creatives))
	}
	b.WantCalls(t, "reporting.campaigns", 1)
	b.WantCalls(t, "reporting.campaign", 3)
	campaign := slices.IndexFunc(days, func(r figures.Row) bool { return r.Campaign == "SANDBOX1-winter" && r.Date == "2014-04-01" })
	var sum [figures.Fields]float64
	for _, row := range creatives {
		if row.Campaign == "SANDBOX1-winter" {
			for f := range sum {
				sum[f] += row.Values[f]
			}
		}
	}
	for _, f := range []figures.Field{figures.Auctions, figures.Impressions, figures.Clicks, figures.UniqueEngagements} {
		if sum[f] != days[campaign].Values[f] || sum[f] == 0 {
			t.Errorf("%s: the creatives have %v, their campaign %v", f, sum[f], days[campaign].Values[f])
		}
	}
}

func TestReadReportsStopsAtAnError(t *testing.T) {
	t.Parallel()
	b := workertest.NewBench(t, sandbox.Options{})
	enough := errors.New("enough")
	err := evaluation.ReadReports(t.Context(), b.Worker.Platform("", false),
		[]figures.Need{{Level: figures.CreativeLevel, From: "2014-04-01", To: "2014-04-01"}}, []string{"SANDBOX1-spring", "SANDBOX1-winter"},
		func(figures.Row) error { return enough })
	if !errors.Is(err, enough) {
		t.Errorf("ReadReports returned %v", err)
	}
}

func TestReadCreatives(t *testing.T) {
	t.Parallel()
	b := workertest.NewBench(t, sandbox.Options{})
	list, err := evaluation.ReadCreatives(t.Context(), b.Worker.Platform("", false), []string{"SANDBOX1-spring", "SANDBOX1-gone", "SANDBOX1-video"})
	if err != nil || len(list) != 2+5 || list[0].Status != "ACTIVE" || list[0].LatestUpdate == "" {
		t.Errorf("creatives are %+v, %v", list, err)
	}
}
