package sandbox_test

import (
	"math"
	"slices"
	"testing"

	"usher/internal/rtb"
	"usher/internal/sandbox"
)

const (
	cannedFirst = "2014-03-10"
	cannedLast  = "2014-04-20"
)

// near reports whether two amounts are equal except for rounding.
func near(a, b float64) bool { return math.Abs(a-b) < 1e-6*max(1, math.Abs(a)) }

// checkMetrics checks the relations of the figures of a row.
func checkMetrics(t *testing.T, what string, m rtb.Metrics) {
	t.Helper()
	chain := []float64{m.Auctions, m.BidsPlaced, m.Won, m.Impressions, m.Clicks, m.UniqueClicks, 0}
	if !slices.IsSortedFunc(chain, func(a, b float64) int { return int(b - a) }) || m.Engagements > m.Impressions || m.UniqueEngagements > m.Engagements {
		t.Errorf("%s: a later count of the funnel is larger than an earlier one: %+v", what, m)
	}
	rate := func(part, whole float64) float64 {
		if whole == 0 {
			return 0
		}
		return part / whole
	}
	if !near(m.WinRate, rate(m.Won, m.BidsPlaced)) || !near(m.DisplayRate, rate(m.Impressions, m.Won)) {
		t.Errorf("%s: the rates are not those of the counts: %+v", what, m)
	}
	if gross := m.NetMediaSpend * (1 + m.MediaMargin/100); math.Abs(gross-m.GrossMediaSpend) > 0.001 || m.CurrencyCode != "USD" {
		t.Errorf("%s: gross spend %v is not net %v with a margin of %v %%", what, m.GrossMediaSpend, m.NetMediaSpend, m.MediaMargin)
	}
}

// sum adds the counts and the money of rows.
func sum(rows ...rtb.Metrics) rtb.Metrics {
	var all rtb.Metrics
	for _, m := range rows {
		all.Auctions += m.Auctions
		all.BidsPlaced += m.BidsPlaced
		all.Won += m.Won
		all.Impressions += m.Impressions
		all.Clicks += m.Clicks
		all.UniqueClicks += m.UniqueClicks
		all.Engagements += m.Engagements
		all.UniqueEngagements += m.UniqueEngagements
		all.NetMediaSpend += m.NetMediaSpend
		all.GrossMediaSpend += m.GrossMediaSpend
		all.Budget += m.Budget
	}
	return all
}

// same reports whether sums are equal.
func same(a, b rtb.Metrics) bool {
	return a.Auctions == b.Auctions && a.BidsPlaced == b.BidsPlaced && a.Won == b.Won && a.Impressions == b.Impressions &&
		a.Clicks == b.Clicks && a.UniqueClicks == b.UniqueClicks && a.Engagements == b.Engagements && a.UniqueEngagements == b.UniqueEngagements &&
		near(a.NetMediaSpend, b.NetMediaSpend) && near(a.GrossMediaSpend, b.GrossMediaSpend) && near(a.Budget, b.Budget)
}

// TestCannedReportsAddUp checks that the spend of creatives, campaigns and billing agree.
func TestCannedReportsAddUp(t *testing.T) {
	t.Parallel()
	c, ctx := start(t, sandbox.Options{}).client(), t.Context()
	rows, err := c.Reporting.Campaigns(ctx, "2014-01-01", "2014-12-31")
	must(t, err)
	byDay, byCampaign := map[string]rtb.Metrics{}, map[string][]rtb.CampaignRow{}
	last := ""
	for _, row := range rows {
		if row.ReportDate < last || row.ReportDate < cannedFirst || row.ReportDate > cannedLast || row.AdvertiserCode != "SANDBOX1" {
			t.Errorf("row of %s after %s: %+v", row.ReportDate, last, row)
		}
		last = row.ReportDate
		checkMetrics(t, row.CampaignCode+" on "+row.ReportDate, row.Metrics)
		byDay[row.ReportDate] = sum(byDay[row.ReportDate], row.Metrics)
		byCampaign[row.CampaignCode] = append(byCampaign[row.CampaignCode], row)
	}
	if len(byDay) != 42 || len(byCampaign) < 8 {
		t.Errorf("%d days of %d campaigns, want 42 of at least 8", len(byDay), len(byCampaign))
	}
	for code, days := range byCampaign {
		details, err := c.Reporting.Campaign(ctx, code, cannedFirst, cannedLast)
		must(t, err)
		if len(details) != len(days) {
			t.Fatalf("%s has %d days, alone %d", code, len(days), len(details))
		}
		for i, detail := range details {
			var creatives []rtb.Metrics
			for _, creative := range detail.Creatives {
				checkMetrics(t, creative.CreativeCode+" on "+detail.ReportDate, creative.Metrics)
				creatives = append(creatives, creative.Metrics)
			}
			if len(creatives) < 2 || len(creatives) > 5 || detail.CampaignRow != days[i] || !same(sum(creatives...), sum(detail.Metrics)) {
				t.Errorf("%s on %s: its %d creatives do not add up to it: %+v, %+v", code, detail.ReportDate, len(creatives), sum(creatives...), detail.Metrics)
			}
		}
	}
	compareBilling(t, c, byDay)
}

// compareBilling compares billing and transactions with the campaigns' spend.
func compareBilling(t *testing.T, c *rtb.Client, byDay map[string]rtb.Metrics) {
	t.Helper()
	ctx := t.Context()
	billing, err := result[[]rtb.BillingRow](rtb.ReportingBilling.Do(ctx, c, rtb.BillingPeriod{AdvertiserCode: "SANDBOX1", StartDate: cannedFirst, EndDate: cannedLast, CurrencyCode: ""}))
	must(t, err)
	inEuro, err := result[[]rtb.BillingRow](rtb.ReportingBilling.Do(ctx, c, rtb.BillingPeriod{AdvertiserCode: "SANDBOX1", StartDate: cannedFirst, EndDate: cannedLast, CurrencyCode: "EUR"}))
	must(t, err)
	transactions, err := result[[]rtb.TransactionRow](rtb.ReportingTransactions.Do(ctx, c, rtb.AccountPeriod{AdvertiserCode: "SANDBOX1", StartDate: cannedFirst, EndDate: cannedLast}))
	must(t, err)
	charged, balance := map[string]float64{}, 0.0
	for _, row := range transactions {
		if balance += row.AmountInUSD; balance < 0 {
			t.Errorf("the account is at %v on %s", balance, row.TransactionDate)
		}
		if media := row.TransactionType == rtb.TransactionMedia; media != (row.AmountInUSD < 0) || row.AmountInUSD != row.AmountInCcy || row.TransactionReference == "" {
			t.Errorf("%+v", row)
		} else if media {
			charged[row.TransactionDate] -= row.AmountInUSD
		}
	}
	for i, row := range billing {
		spent := byDay[row.ReportDate]
		if !near(row.NetSpendInUSD, spent.NetMediaSpend) || !near(row.GrossInUSD, spent.GrossMediaSpend) || float64(row.Impressions) != spent.Impressions ||
			row.NetSpendInCcy != row.NetSpendInUSD || row.FXRate != 1 || row.CurrencyCode != "USD" || !near(charged[row.ReportDate], row.GrossInUSD) ||
			!near(row.ECPMNetInUSD, row.NetSpendInUSD*1000/float64(row.Impressions)) {
			t.Errorf("billing of %s is %+v, campaigns spent %+v, charged was %v", row.ReportDate, row, spent, charged[row.ReportDate])
		}
		euro := inEuro[i]
		if rate, err := result[rtb.FXRate](rtb.MetadataFXOn.Do(ctx, c, rtb.CurrencyDatePath{CurrencyCode: "EUR", Date: euro.ReportDate})); err != nil || rate.FXRateToUSD != euro.FXRate || euro.CurrencyCode != "EUR" ||
			math.Abs(euro.GrossInCcy*euro.FXRate-row.GrossInUSD) > 0.001 {
			t.Errorf("billing of %s in EUR is %+v at %+v: %v", euro.ReportDate, euro, rate, err)
		}
	}
	if len(billing) != len(byDay) || len(charged) != len(byDay) {
		t.Errorf("%d days are billed and %d charged, want %d", len(billing), len(charged), len(byDay))
	}
}

// TestCannedReportsDiffer checks that the reports have campaigns and creatives for which rules
// would act.
func TestCannedReportsDiffer(t *testing.T) {
	t.Parallel()
	c, ctx := start(t, sandbox.Options{}).client(), t.Context()
	rows, err := c.Reporting.Campaigns(ctx, cannedFirst, cannedLast)
	must(t, err)
	over, stalled, plausible := map[string]bool{}, map[string]bool{}, 0
	for _, row := range rows {
		switch used := row.GrossMediaSpend / row.Budget; {
		case used > 1.15:
			over[row.CampaignCode] = true
		case used < 0.05:
			stalled[row.CampaignCode] = true
		case used > 0.3:
			plausible++
		}
	}
	if len(over) < 2 || len(stalled) < 1 || plausible < len(rows)/2 {
		t.Errorf("over budget: %v, stalled: %v, plausible: %d of %d", over, stalled, plausible, len(rows))
	}
	details, err := c.Reporting.Campaign(ctx, "SANDBOX1-winter", cannedFirst, cannedLast)
	must(t, err)
	clicks, impressions := map[string]float64{}, map[string]float64{}
	for _, day := range details {
		for _, creative := range day.Creatives {
			clicks[creative.CreativeCode] += creative.Clicks
			impressions[creative.CreativeCode] += creative.Impressions
		}
	}
	if bad, good := ratio(clicks["winter-3"], impressions["winter-3"]), ratio(clicks["winter-1"], impressions["winter-1"]); bad*10 > good {
		t.Errorf("winter-3 is clicked %v of the time, winter-1 %v", bad, good)
	}
	again, err := start(t, sandbox.Options{}).client().Reporting.Campaigns(ctx, cannedFirst, cannedLast)
	must(t, err)
	if !slices.Equal(again, rows) {
		t.Error("two sandboxes have different canned reports")
	}
}

func ratio[N rtb.Count | float64](part, whole N) float64 { return float64(part) / float64(whole) }
