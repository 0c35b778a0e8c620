package sandbox_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"usher/internal/rtb"
	"usher/internal/sandbox"
)

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
		"billing of today": {func() error {
			return errorOf(rtb.ReportingBilling.Do(ctx, c, rtb.BillingPeriod{AdvertiserCode: "SANDBOX1", StartDate: "2014-03-10", EndDate: day, CurrencyCode: ""}))
		}, "past"},
		"unknown currency": {func() error {
			err := errorOf(rtb.ReportingBilling.Do(ctx, c, rtb.BillingPeriod{AdvertiserCode: "SANDBOX1", StartDate: "2014-03-10", EndDate: "2014-03-10", CurrencyCode: "XYZ"}))
			return err
		}, "currencyCode"},
		"end before start": {func() error { _, err := c.Reporting.Campaigns(ctx, "2014-03-11", "2014-03-10"); return err }, "endDate"},
		"no date": {func() error {
			err := errorOf(rtb.ReportingTransactions.Do(ctx, c, rtb.AccountPeriod{AdvertiserCode: "SANDBOX1", StartDate: "2014-03-10", EndDate: "2014-02-30"}))
			return err
		}, "YYYY-MM-DD"},
		"planning upwards": {func() error {
			return errorOf(rtb.PlanningDomains.Do(ctx, c, rtb.PlanningPeriod{StartDate: "2014-03-10", EndDate: "2014-03-11"}))
		}, "startDate"},
		"planning too long": {func() error {
			return errorOf(rtb.PlanningGeos.Do(ctx, c, rtb.PlanningPeriod{StartDate: "2014-06-09", EndDate: "2014-03-10"}))
		}, "90"},
		"planning device": {func() error {
			err := errorOf(rtb.PlanningDomainsByDevice.Do(ctx, c, rtb.PlanningDevicePeriod{StartDate: "2014-03-10", EndDate: "2014-03-10", Device: "WATCH"}))
			return err
		}, "WEARABLE"},
		"planning no date": {func() error {
			return errorOf(rtb.PlanningDomains.Do(ctx, c, rtb.PlanningPeriod{StartDate: "today", EndDate: "2014-03-11"}))
		}, "startDate"},
		"an unknown campaign": {func() error {
			_, err := c.Reporting.Campaign(ctx, "SANDBOX1-no", "2014-03-10", "2014-03-10")
			return err
		}, "SANDBOX1-no"},
		"unknown advertiser": {func() error {
			return errorOf(rtb.ReportingBilling.Do(ctx, c, rtb.BillingPeriod{AdvertiserCode: "NOBODY", StartDate: "2014-03-10", EndDate: "2014-03-10", CurrencyCode: ""}))
		}, "NOBODY"},
		"unknown account": {func() error {
			err := errorOf(rtb.ReportingTransactions.Do(ctx, c, rtb.AccountPeriod{AdvertiserCode: "NOBODY", StartDate: "2014-03-10", EndDate: "2014-03-10"}))
			return err
		}, "NOBODY"},
		"unknown summary": {func() error {
			return errorOf(rtb.ReportingBillingSummary.Do(ctx, c, rtb.BillingPath{AdvertiserCode: "NOBODY"}))
		}, "NOBODY"},
		"planning the future": {func() error {
			return errorOf(rtb.PlanningDomains.Do(ctx, c, rtb.PlanningPeriod{StartDate: "2030-01-02", EndDate: "2030-01-01"}))
		}, "2030-01-01"},
	} {
		if err := test.call(); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v, want %q", name, err, test.says)
		}
	}
	token, err := c.Auth.Token(ctx, "sandbox", "sandbox")
	must(t, err)
	for path, says := range map[string]string{ // the client would refuse these
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
	domains, err := result[[]rtb.DomainRow](rtb.PlanningDomains.Do(ctx, c, rtb.PlanningPeriod{StartDate: cannedLast, EndDate: cannedFirst}))
	must(t, err)
	var total, onDevices, inGeos rtb.Count
	byDomain := map[string]rtb.Count{}
	for _, row := range domains {
		total += row.Impressions
		byDomain[row.Domain] = row.Impressions
	}
	for _, device := range []string{"MOBILE", "DESKTOP", "SLATE", "CONSOLE", "TV", "WEARABLE"} {
		rows, err := result[[]rtb.DomainDeviceRow](rtb.PlanningDomainsByDevice.Do(ctx, c, rtb.PlanningDevicePeriod{StartDate: cannedLast, EndDate: cannedFirst, Device: device}))
		must(t, err)
		for _, row := range rows {
			if row.DeviceType != device || row.MediaType == "" {
				t.Errorf("%s: %+v", device, row)
			}
			onDevices += row.Impressions
			byDomain[row.Domain] -= row.Impressions
		}
	}
	geos, err := result[[]rtb.GeoRow](rtb.PlanningGeos.Do(ctx, c, rtb.PlanningPeriod{StartDate: cannedLast, EndDate: cannedFirst}))
	must(t, err)
	for _, row := range geos {
		inGeos += row.Impressions
	}
	if total == 0 || onDevices != total || inGeos != total {
		t.Errorf("domains have %d, devices %d, places %d", total, onDevices, inGeos)
	}
	for domain, left := range byDomain {
		if left != 0 {
			t.Errorf("the devices lack %d of %s", left, domain)
		}
	}
	week, err := result[[]rtb.DomainRow](rtb.PlanningDomains.Do(ctx, c, rtb.PlanningPeriod{StartDate: "2014-03-16", EndDate: "2014-03-10"}))
	must(t, err)
	day, err := result[[]rtb.DomainRow](rtb.PlanningDomains.Do(ctx, c, rtb.PlanningPeriod{StartDate: "2014-03-10", EndDate: "2014-03-10"}))
	must(t, err)
	if len(week) != len(day) || week[0].Impressions <= day[0].Impressions*3 {
		t.Errorf("a week has %+v, a day %+v", week[0], day[0])
	}
}
