package evaluation_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
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
	unnamed, err := evaluation.ReadReports(t.Context(), b.Worker.Platform("", false), needs, []string{"SANDBOX1-spring", "SANDBOX1-winter", "SANDBOX1-gone"}, func(row figures.Row) error {
		if row.Creative == "" {
			days = append(days, row)
		} else {
			creatives = append(creatives, row)
		}
		return nil
	})
	if err != nil || unnamed != 0 {
		t.Fatal(unnamed, err)
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

// A day of which a report has several rows counts once. Numbers in which they differ are
// unknown.
func TestReadReportsMergesRowsOfADay(t *testing.T) {
	t.Parallel()
	b := workertest.NewBench(t, sandbox.Options{})
	const row = `{"reportDate":"2014-04-01","campaignCode":"A-%s","currencyCode":%q,"impressions":%d,"grossMediaSpend":5`
	day := func(campaign, currency string, impressions int, more string) string {
		return fmt.Sprintf(row, campaign, currency, impressions) + more + "}"
	}
	creatives := func(impressions ...int) string {
		text := `,"creatives":[{"creativeCode":"c","impressions":7}`
		for _, n := range impressions {
			text += fmt.Sprintf(`,{"creativeCode":"c","impressions":%d}`, n)
		}
		return text + "]"
	}
	for name, c := range map[string]struct {
		rows        []string
		impressions float64 // of the campaign, or of its creative; NaN: unknown
		spend       float64
	}{
		"the same row":        {[]string{day("a", "EUR", 3, ""), day("a", "EUR", 3, "")}, 3, 5},
		"three times":         {[]string{day("a", "EUR", 3, ""), day("a", "EUR", 3, ""), day("a", "EUR", 3, "")}, 3, 5},
		"corrected":           {[]string{day("a", "EUR", 3, ""), day("a", "EUR", 4, "")}, math.NaN(), 5},
		"corrected and again": {[]string{day("a", "EUR", 3, ""), day("a", "EUR", 4, ""), day("a", "EUR", 3, "")}, math.NaN(), 5},
		"another currency":    {[]string{day("a", "EUR", 3, ""), day("a", "USD", 3, "")}, 3, math.NaN()},
		"a creative":          {[]string{day("b", "EUR", 3, creatives(7))}, 7, math.NaN()},
		"a creative's day":    {[]string{day("b", "EUR", 3, creatives()), day("b", "EUR", 3, creatives())}, 7, math.NaN()},
		"a creative's number": {[]string{day("b", "EUR", 3, creatives(8))}, math.NaN(), math.NaN()},
	} {
		t.Run(name, func(t *testing.T) {
			op, need, campaigns := "reporting.campaigns", figures.Need{Level: figures.CampaignLevel, From: "2014-04-01", To: "2014-04-01"}, []string(nil)
			if strings.Contains(c.rows[0], "creatives") {
				op, need.Level, campaigns = "reporting.campaign", figures.CreativeLevel, []string{"A-b"}
			}
			b.Fault(op, "status", map[string]any{"status": 200, "body": json.RawMessage(`{"status":"success","data":{"reports":[` + strings.Join(c.rows, ",") + `]}}`)})
			var got []figures.Row
			_, err := evaluation.ReadReports(t.Context(), b.Worker.Platform("", false), []figures.Need{need}, campaigns, func(row figures.Row) error {
				got = append(got, row)
				return nil
			})
			if err != nil || len(got) != 1 {
				t.Fatalf("rows are %+v, %v", got, err)
			}
			same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
			if v := got[0].Values; !same(v[figures.Impressions], c.impressions) || !same(v[figures.GrossMediaSpend], c.spend) {
				t.Errorf("impressions are %g, and the spend is %g", v[figures.Impressions], v[figures.GrossMediaSpend])
			}
		})
	}
}

// A row without the code of its campaign or creative is counted and left out: it is no row of the
// campaign or the account.
func TestReadReportsLeavesOutRowsWithoutCodes(t *testing.T) {
	t.Parallel()
	b := workertest.NewBench(t, sandbox.Options{})
	for op, c := range map[string]struct {
		level figures.Level
		rows  string
	}{
		"reporting.campaigns": {figures.CampaignLevel, `{"reportDate":"2014-04-01","campaignCode":"A-b","impressions":7},{"reportDate":"2014-04-01","campaignCode":null,"impressions":40},{"reportDate":"2014-04-01","impressions":2}`},
		"reporting.campaign":  {figures.CreativeLevel, `{"reportDate":"2014-04-01","campaignCode":"A-b","impressions":3,"creatives":[{"creativeCode":null,"impressions":40},{"creativeCode":"c","impressions":7},{"creativeCode":"","impressions":2}]}`},
	} {
		b.Fault(op, "status", map[string]any{"status": 200, "body": json.RawMessage(`{"status":"success","data":{"reports":[` + c.rows + `]}}`)})
		var got []figures.Row
		unnamed, err := evaluation.ReadReports(t.Context(), b.Worker.Platform("", false), []figures.Need{{Level: c.level, From: "2014-04-01", To: "2014-04-01"}}, []string{"A-b"}, func(row figures.Row) error {
			got = append(got, row)
			return nil
		})
		if err != nil || unnamed != 2 || len(got) != 1 || got[0].Campaign != "A-b" || got[0].Values[figures.Impressions] != 7 {
			t.Errorf("%s: %d rows without a code, rows %+v, %v", op, unnamed, got, err)
		}
	}
}

func TestReadReportsStopsAtAnError(t *testing.T) {
	t.Parallel()
	b := workertest.NewBench(t, sandbox.Options{})
	enough := errors.New("enough")
	_, err := evaluation.ReadReports(t.Context(), b.Worker.Platform("", false),
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
