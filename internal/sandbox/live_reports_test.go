package sandbox_test

import (
	"slices"
	"testing"
	"time"

	"usher/internal/rtb"
	"usher/internal/sandbox"
)

// newCampaign creates a campaign with two creatives.
func newCampaign(t *testing.T, c *rtb.Client, code string) {
	t.Helper()
	err := errorOf(rtb.CampaignsPut.Do(t.Context(), c, rtb.CampaignDefinition{CampaignCode: code, Campaign: rtb.Campaign{
		Creatives:         []rtb.Creative{{Code: code + "-a", CreativeID: "1"}, {Code: code + "-b", CreativeID: "2"}},
		InventorySettings: &rtb.InventorySettings{},
		BiddingSettings: &rtb.BiddingSettings{
			BiddingStrategy: rtb.BiddingStrategy{Strategy: "CPMCappedBiddingStrategy", MaxBid: 2}, Budget: rtb.Budget{Daily: 100},
		},
	}}))
	must(t, err)
}

// today returns today's row of a campaign's report, and checks that its creatives
// add up.
func today(t *testing.T, c *rtb.Client, code string, now time.Time) rtb.CampaignDetail {
	t.Helper()
	day := now.Format(time.DateOnly)
	rows, err := c.Reporting.Campaign(t.Context(), code, day, day)
	must(t, err)
	if len(rows) != 1 || rows[0].ReportDate != day {
		t.Fatalf("the report of %s is %+v", day, rows)
	}
	var creatives []rtb.Metrics
	for _, creative := range rows[0].Creatives {
		checkMetrics(t, creative.CreativeCode, creative.Metrics)
		creatives = append(creatives, creative.Metrics)
	}
	if !same(sum(creatives...), sum(rows[0].Metrics)) {
		t.Errorf("the creatives do not add up: %+v", rows[0])
	}
	return rows[0]
}

func TestLiveReportsFollowTheCreatives(t *testing.T) {
	t.Parallel()
	clock := newClock()
	c, ctx := start(t, sandbox.Options{Now: clock.now, ApprovalDelay: time.Minute, TokenTTL: 1000 * time.Hour}).client(), t.Context()
	const code = "SANDBOX1-live"
	newCampaign(t, c, code)
	clock.advance(30 * time.Second)
	if row := today(t, c, code, clock.now()); row.Impressions != 0 || row.Status != rtb.Inactive || row.Creatives[0].ApprovalStatus != rtb.Pending {
		t.Errorf("before approval it served: %+v", row)
	}
	clock.advance(time.Hour)
	first := today(t, c, code, clock.now())
	clock.advance(time.Second)
	second := today(t, c, code, clock.now())
	if first.Impressions == 0 || second.Impressions <= first.Impressions || second.Auctions <= first.Auctions || second.Status != rtb.Active {
		t.Errorf("the figures do not grow: %+v, then %+v", first, second)
	}

	must(t, c.Campaigns.Lock(ctx, code))
	_, err := c.Creatives.SetStatus(ctx, code+"-a", rtb.Inactive)
	must(t, err)
	paused := today(t, c, code, clock.now())
	clock.advance(time.Hour)
	later := today(t, c, code, clock.now())
	a, b := later.Creatives[0], later.Creatives[1]
	if a.Impressions != paused.Creatives[0].Impressions || a.ApprovalStatus != rtb.Inactive || b.Impressions <= paused.Creatives[1].Impressions {
		t.Errorf("after a pause of -a: %+v, then %+v", paused, later)
	}
	must(t, c.Campaigns.Lock(ctx, code))
	_, err = c.Campaigns.SetStatus(ctx, code, rtb.Inactive)
	must(t, err)
	stopped := today(t, c, code, clock.now())
	clock.advance(time.Hour)
	if still := today(t, c, code, clock.now()); sum(still.Metrics) != sum(stopped.Metrics) || still.Status != rtb.Inactive {
		t.Errorf("paused, it went from %+v to %+v", stopped, still)
	}
	must(t, c.Campaigns.Lock(ctx, code))
	_, err = c.Campaigns.SetStatus(ctx, code, rtb.Active)
	must(t, err)
	clock.advance(time.Minute)
	if again := today(t, c, code, clock.now()); again.Impressions <= stopped.Impressions {
		t.Errorf("resumed, it went from %+v to %+v", stopped, again)
	}
	compareLiveBilling(t, c, clock)
}

// compareLiveBilling compares billing with the reports of campaigns, two days later.
func compareLiveBilling(t *testing.T, c *rtb.Client, clock *clock) {
	t.Helper()
	ctx := t.Context()
	begun := clock.now().Format(time.DateOnly)
	clock.advance(48 * time.Hour)
	now := clock.now().Format(time.DateOnly)
	yesterday := clock.now().AddDate(0, 0, -1).Format(time.DateOnly)
	rows, err := c.Reporting.Campaigns(ctx, begun, now)
	must(t, err)
	byDay := map[string]float64{}
	total := 0.0
	for _, row := range rows {
		byDay[row.ReportDate] += row.GrossMediaSpend
		total += row.GrossMediaSpend
		if used := row.GrossMediaSpend / row.Budget; row.ReportDate == yesterday && (used < 0.7 || used > 1.3) {
			t.Errorf("%s spent %v of its budget", row.CampaignCode, used)
		}
	}
	if len(byDay) != 3 {
		t.Fatalf("days: %v, want 3", byDay)
	}
	billing, err := result[[]rtb.BillingRow](rtb.ReportingBilling.Do(ctx, c, rtb.BillingPeriod{AdvertiserCode: "SANDBOX1", StartDate: begun, EndDate: yesterday, CurrencyCode: ""}))
	must(t, err)
	charges, err := result[[]rtb.TransactionRow](rtb.ReportingTransactions.Do(ctx, c, rtb.AccountPeriod{AdvertiserCode: "SANDBOX1", StartDate: begun, EndDate: now}))
	must(t, err)
	for i, row := range billing {
		if !near(row.GrossInUSD, byDay[row.ReportDate]) || !near(-charges[i].AmountInUSD, row.GrossInUSD) {
			t.Errorf("billed %+v, charged %+v, spent %v", row, charges[i], byDay[row.ReportDate])
		}
	}
	if len(billing) != 2 || len(charges) != 2 {
		t.Errorf("%d days are billed and %d charged, want 2", len(billing), len(charges))
	}
	summary, err := result[rtb.BillingSummary](rtb.ReportingBillingSummary.Do(ctx, c, rtb.BillingPath{AdvertiserCode: "SANDBOX1"}))
	must(t, err)
	if summary.ReportDate != now || !near(summary.TodayGrossInUSD, byDay[now]) || !near(summary.MTDGrossInUSD, total) || !near(summary.YTDGrossInUSD, total) ||
		summary.AlltimeGrossInUSD <= total || summary.TodayNetInUSD >= summary.TodayGrossInUSD || summary.BalanceInUSD != summary.BalanceInCcy {
		t.Errorf("the summary is %+v, want %v today and %v this month", summary, byDay[now], total)
	}
}

// TestLiveReportsSurviveAKill updates a campaign and opens a copy of the files.
func TestLiveReportsSurviveAKill(t *testing.T) {
	t.Parallel()
	clock, data := newClock(), t.TempDir()
	o := sandbox.Options{Now: clock.now, ApprovalDelay: -1, Data: data}
	c, ctx := start(t, o).client(), t.Context()
	const code = "SANDBOX1-live"
	newCampaign(t, c, code)
	clock.advance(10 * time.Minute)
	must(t, c.Campaigns.Lock(ctx, code))
	campaign, err := c.Campaigns.Get(ctx, code)
	must(t, err)
	campaign.Creatives = campaign.Creatives[:1]
	before := today(t, c, code, clock.now())
	err = errorOf(rtb.CampaignsPut.Do(ctx, c, rtb.CampaignDefinition{CampaignCode: code, Campaign: campaign}))
	must(t, err)
	after := today(t, c, code, clock.now())
	if after.Impressions != before.Impressions || len(after.Creatives) != 2 || after.Creatives[1].ApprovalStatus != rtb.Inactive {
		t.Errorf("the figures of a removed creative are gone: %+v, then %+v", before, after)
	}
	o.Data = copyTorn(t, data, 0, 0)
	clock.advance(time.Minute)
	want := today(t, c, code, clock.now())
	if got := today(t, start(t, o).client(), code, clock.now()); !slices.Equal(got.Creatives, want.Creatives) || want.Impressions <= after.Impressions {
		t.Errorf("after a restart %+v, want %+v", got, want)
	}
}
