package sandbox_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"usher/internal/rtb"
	"usher/internal/sandbox"
)

const (
	cannedFirst = "2014-03-10"
	cannedLast  = "2014-04-20"
)

// near reports whether two amounts differ by no more than the dust of binary
// fractions.
func near(a, b float64) bool { return math.Abs(a-b) < 1e-6*max(1, math.Abs(a)) }

// checkMetrics checks what always holds of a row.
func checkMetrics(t *testing.T, what string, m rtb.Metrics) {
	t.Helper()
	chain := []rtb.Count{m.Auctions, m.BidsPlaced, m.Won, m.Impressions, m.Clicks, m.UniqueClicks, 0}
	if !slices.IsSortedFunc(chain, func(a, b rtb.Count) int { return int(b - a) }) || m.Engagements > m.Impressions || m.UniqueEngagements > m.Engagements {
		t.Errorf("%s: the counts do not fall: %+v", what, m)
	}
	rate := func(part, whole rtb.Count) float64 {
		if whole == 0 {
			return 0
		}
		return float64(part) / float64(whole)
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

// TestCannedReportsAddUp follows every cent from the creatives to the account.
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
			var of []rtb.Metrics
			for _, creative := range detail.Creatives {
				checkMetrics(t, creative.CreativeCode+" on "+detail.ReportDate, creative.Metrics)
				of = append(of, creative.Metrics)
			}
			if len(of) < 2 || len(of) > 5 || detail.CampaignRow != days[i] || !same(sum(of...), sum(detail.Metrics)) {
				t.Errorf("%s on %s: its %d creatives do not add up to it: %+v, %+v", code, detail.ReportDate, len(of), sum(of...), detail.Metrics)
			}
		}
	}
	compareBilling(t, c, byDay)
}

// compareBilling holds billing and transactions to what the campaigns spent.
func compareBilling(t *testing.T, c *rtb.Client, byDay map[string]rtb.Metrics) {
	t.Helper()
	ctx := t.Context()
	billing, err := c.Reporting.Billing(ctx, "SANDBOX1", cannedFirst, cannedLast, "")
	must(t, err)
	inEuro, err := c.Reporting.Billing(ctx, "SANDBOX1", cannedFirst, cannedLast, "EUR")
	must(t, err)
	transactions, err := c.Reporting.Transactions(ctx, "SANDBOX1", cannedFirst, cannedLast)
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
		if !near(row.NetSpendInUSD, spent.NetMediaSpend) || !near(row.GrossInUSD, spent.GrossMediaSpend) || row.Impressions != spent.Impressions ||
			row.NetSpendInCcy != row.NetSpendInUSD || row.FXRate != 1 || row.CurrencyCode != "USD" || !near(charged[row.ReportDate], row.GrossInUSD) ||
			!near(row.ECPMNetInUSD, row.NetSpendInUSD*1000/float64(row.Impressions)) {
			t.Errorf("billing of %s is %+v, campaigns spent %+v, charged was %v", row.ReportDate, row, spent, charged[row.ReportDate])
		}
		euro := inEuro[i]
		if rate, err := c.Metadata.FXOn(ctx, "EUR", euro.ReportDate); err != nil || rate.FXRateToUSD != euro.FXRate || euro.CurrencyCode != "EUR" ||
			math.Abs(euro.GrossInCcy*euro.FXRate-row.GrossInUSD) > 0.001 {
			t.Errorf("billing of %s in EUR is %+v at %+v: %v", euro.ReportDate, euro, rate, err)
		}
	}
	if len(billing) != len(byDay) || len(charged) != len(byDay) {
		t.Errorf("%d days are billed and %d charged, want %d", len(billing), len(charged), len(byDay))
	}
}

// TestCannedReportsTellStories checks that rules have something to find.
func TestCannedReportsTellStories(t *testing.T) {
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
	clicks, impressions := map[string]rtb.Count{}, map[string]rtb.Count{}
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
		t.Error("another sandbox tells other stories")
	}
}

func ratio(part, whole rtb.Count) float64 { return float64(part) / float64(whole) }

// newCampaign makes a campaign with two creatives.
func newCampaign(t *testing.T, c *rtb.Client, code string) {
	t.Helper()
	_, err := c.Campaigns.Put(t.Context(), code, rtb.Campaign{
		Creatives:         []rtb.Creative{{Code: code + "-a", CreativeID: "1"}, {Code: code + "-b", CreativeID: "2"}},
		InventorySettings: &rtb.InventorySettings{},
		BiddingSettings: &rtb.BiddingSettings{
			BiddingStrategy: rtb.BiddingStrategy{Strategy: "CPMCappedBiddingStrategy", MaxBid: 2}, Budget: rtb.Budget{Daily: 100},
		},
	})
	must(t, err)
}

// today is the only day of a campaign's report, with its parts checked.
func today(t *testing.T, c *rtb.Client, code string, now time.Time) rtb.CampaignDetail {
	t.Helper()
	day := now.Format(time.DateOnly)
	rows, err := c.Reporting.Campaign(t.Context(), code, day, day)
	must(t, err)
	if len(rows) != 1 || rows[0].ReportDate != day {
		t.Fatalf("the report of %s is %+v", day, rows)
	}
	var of []rtb.Metrics
	for _, creative := range rows[0].Creatives {
		checkMetrics(t, creative.CreativeCode, creative.Metrics)
		of = append(of, creative.Metrics)
	}
	if !same(sum(of...), sum(rows[0].Metrics)) {
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
		t.Errorf("it does not grow: %+v, then %+v", first, second)
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

// compareLiveBilling goes on to the day after tomorrow and holds billing to the
// campaigns.
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
	billing, err := c.Reporting.Billing(ctx, "SANDBOX1", begun, yesterday, "")
	must(t, err)
	charges, err := c.Reporting.Transactions(ctx, "SANDBOX1", begun, now)
	must(t, err)
	for i, row := range billing {
		if !near(row.GrossInUSD, byDay[row.ReportDate]) || !near(-charges[i].AmountInUSD, row.GrossInUSD) {
			t.Errorf("billed %+v, charged %+v, spent %v", row, charges[i], byDay[row.ReportDate])
		}
	}
	if len(billing) != 2 || len(charges) != 2 {
		t.Errorf("%d days are billed and %d charged, want 2", len(billing), len(charges))
	}
	summary, err := c.Reporting.BillingSummary(ctx, "SANDBOX1")
	must(t, err)
	if summary.ReportDate != now || !near(summary.TodayGrossInUSD, byDay[now]) || !near(summary.MTDGrossInUSD, total) || !near(summary.YTDGrossInUSD, total) ||
		summary.AlltimeGrossInUSD <= total || summary.TodayNetInUSD >= summary.TodayGrossInUSD || summary.BalanceInUSD != summary.BalanceInCcy {
		t.Errorf("the summary is %+v, want %v today and %v this month", summary, byDay[now], total)
	}
}

// TestLiveReportsOutliveTheProcess updates a campaign, and starts again.
func TestLiveReportsOutliveTheProcess(t *testing.T) {
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
	_, err = c.Campaigns.Put(ctx, code, campaign)
	must(t, err)
	after := today(t, c, code, clock.now())
	if after.Impressions != before.Impressions || len(after.Creatives) != 2 || after.Creatives[1].ApprovalStatus != rtb.Inactive {
		t.Errorf("a creative that was taken out took its past along: %+v, then %+v", before, after)
	}
	o.Data = copyTorn(t, data, 0, 0)
	clock.advance(time.Minute)
	want := today(t, c, code, clock.now())
	if got := today(t, start(t, o).client(), code, clock.now()); !slices.Equal(got.Creatives, want.Creatives) || want.Impressions <= after.Impressions {
		t.Errorf("after a restart %+v, want %+v", got, want)
	}
}

func TestReportRefusals(t *testing.T) {
	t.Parallel()
	clock := newClock()
	p := start(t, sandbox.Options{Now: clock.now})
	c, ctx := p.client(), t.Context()
	day := clock.now().Format(time.DateOnly)
	for name, test := range map[string]struct {
		call func() error
		says string
	}{
		"billing of today": {func() error { _, err := c.Reporting.Billing(ctx, "SANDBOX1", "2014-03-10", day, ""); return err }, "past"},
		"unknown currency": {func() error {
			_, err := c.Reporting.Billing(ctx, "SANDBOX1", "2014-03-10", "2014-03-10", "XYZ")
			return err
		}, "currencyCode"},
		"end before start": {func() error { _, err := c.Reporting.Campaigns(ctx, "2014-03-11", "2014-03-10"); return err }, "endDate"},
		"no date": {func() error {
			_, err := c.Reporting.Transactions(ctx, "SANDBOX1", "2014-03-10", "2014-02-30")
			return err
		}, "YYYY-MM-DD"},
		"planning upwards":  {func() error { _, err := c.Planning.Domains(ctx, "2014-03-10", "2014-03-11"); return err }, "startDate"},
		"planning too long": {func() error { _, err := c.Planning.Geos(ctx, "2014-06-09", "2014-03-10"); return err }, "90"},
		"planning device": {func() error {
			_, err := c.Planning.DomainsByDevice(ctx, "2014-03-10", "2014-03-10", "WATCH")
			return err
		}, "WEARABLE"},
		"planning no date": {func() error { _, err := c.Planning.Domains(ctx, "today", "2014-03-11"); return err }, "startDate"},
		"an unknown campaign": {func() error {
			_, err := c.Reporting.Campaign(ctx, "SANDBOX1-no", "2014-03-10", "2014-03-10")
			return err
		}, "SANDBOX1-no"},
		"unknown advertiser": {func() error { _, err := c.Reporting.Billing(ctx, "NOBODY", "2014-03-10", "2014-03-10", ""); return err }, "NOBODY"},
		"unknown account": {func() error {
			_, err := c.Reporting.Transactions(ctx, "NOBODY", "2014-03-10", "2014-03-10")
			return err
		}, "NOBODY"},
		"unknown summary":     {func() error { _, err := c.Reporting.BillingSummary(ctx, "NOBODY"); return err }, "NOBODY"},
		"planning the future": {func() error { _, err := c.Planning.Domains(ctx, "2030-01-02", "2030-01-01"); return err }, "2030-01-01"},
	} {
		if err := test.call(); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v, want %q", name, err, test.says)
		}
	}
	token, err := c.Auth.Token(ctx, "sandbox", "sandbox")
	must(t, err)
	for path, says := range map[string]string{ // what our own client does not let through
		"/v3/planning/domains/2014-03-10/2014-03-11":           "startDate",
		"/v3/planning/geos/2014-06-09/2014-03-10":              "90",
		"/v3/planning/domains/2014-03-10/yesterday/MOBILE":     "endDate",
		"/v3/reporting/campaigns/10.03.2014/2014-03-11":        "startDate",
		"/v3/reporting/billing/SANDBOX1/2014-3-1/2014-03-10":   "startDate",
		"/v3/metadata/fx/EUR/March":                            "date",
		"/v3/metadata/geo/cities?countries=Liechtenstein":      "countries",
		"/v3/reporting/campaigns/SANDBOX1-spring/x/2014-03-10": "startDate",
	} {
		s := sample{}
		s.Request.Method, s.Request.Path = "GET", path
		if before, after, found := strings.Cut(path, "?countries="); found {
			s.Request.Path, s.Request.Query = before, map[string]string{"countries": after}
		}
		status, answer := answerOf(t, s.request(t, p.url, token))
		object, _ := answer.(map[string]any)
		if status != 400 || object["status"] != "fail" || !strings.Contains(fmt.Sprint(answer), says) {
			t.Errorf("%s: %d %v, want 400 with %s", path, status, answer, says)
		}
	}
}

func TestPlanningAddsUp(t *testing.T) {
	t.Parallel()
	c, ctx := start(t, sandbox.Options{}).client(), t.Context()
	domains, err := c.Planning.Domains(ctx, cannedLast, cannedFirst)
	must(t, err)
	var total, onDevices, inGeos rtb.Count
	of := map[string]rtb.Count{}
	for _, row := range domains {
		total += row.Impressions
		of[row.Domain] = row.Impressions
	}
	for _, device := range []string{"MOBILE", "DESKTOP", "SLATE", "CONSOLE", "TV", "WEARABLE"} {
		rows, err := c.Planning.DomainsByDevice(ctx, cannedLast, cannedFirst, device)
		must(t, err)
		for _, row := range rows {
			if row.DeviceType != device || row.MediaType == "" {
				t.Errorf("%s: %+v", device, row)
			}
			onDevices += row.Impressions
			of[row.Domain] -= row.Impressions
		}
	}
	geos, err := c.Planning.Geos(ctx, cannedLast, cannedFirst)
	must(t, err)
	for _, row := range geos {
		inGeos += row.Impressions
	}
	if total == 0 || onDevices != total || inGeos != total {
		t.Errorf("domains have %d, devices %d, places %d", total, onDevices, inGeos)
	}
	for domain, left := range of {
		if left != 0 {
			t.Errorf("the devices lack %d of %s", left, domain)
		}
	}
	week, err := c.Planning.Domains(ctx, "2014-03-16", "2014-03-10")
	must(t, err)
	day, err := c.Planning.Domains(ctx, "2014-03-10", "2014-03-10")
	must(t, err)
	if len(week) != len(day) || week[0].Impressions <= day[0].Impressions*3 {
		t.Errorf("a week has %+v, a day %+v", week[0], day[0])
	}
}
