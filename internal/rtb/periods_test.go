package rtb_test

import (
	"errors"
	"net/http"
	"testing"

	"usher"
	"usher/internal/rtb"
)

// refusing is a transport that fails the test when a request is sent.
type refusing struct{ t *testing.T }

func (n refusing) RoundTrip(r *http.Request) (*http.Response, error) {
	n.t.Errorf("%s %s was sent", r.Method, r.URL.Path)
	return nil, errors.New("no request expected")
}

func TestPeriodsAreCheckedBeforeSending(t *testing.T) {
	t.Parallel()
	c := rtb.New(rtb.Options{BaseURL: "http://platform.invalid", Advertiser: "SANDBOX1", Tokens: tokens("t"), HTTP: &http.Client{Transport: refusing{t}}})
	ctx := t.Context()
	for name, test := range map[string]struct {
		field string
		call  func() error
	}{
		"billing": {"startDate", func() error {
			return errorOf(rtb.ReportingBilling.Do(ctx, c, rtb.BillingPeriod{AdvertiserCode: "A", StartDate: "10.03.2014", EndDate: "2014-03-10", CurrencyCode: ""}))
		}},
		"transactions": {"endDate", func() error {
			return errorOf(rtb.ReportingTransactions.Do(ctx, c, rtb.AccountPeriod{AdvertiserCode: "A", StartDate: "2014-03-10", EndDate: "2014-02-30"}))
		}},
		"campaigns": {"startDate", func() error { _, err := c.Reporting.Campaigns(ctx, "", "2014-03-10"); return err }},
		"campaign":  {"endDate", func() error { _, err := c.Reporting.Campaign(ctx, "A-b", "2014-03-10", "2014-3-11"); return err }},
		"domains in order": {"startDate", func() error {
			return errorOf(rtb.PlanningDomains.Do(ctx, c, rtb.PlanningPeriod{StartDate: "2014-03-10", EndDate: "2014-03-11"}))
		}},
		"domains too long": {"startDate", func() error {
			return errorOf(rtb.PlanningDomains.Do(ctx, c, rtb.PlanningPeriod{StartDate: "2014-06-09", EndDate: "2014-03-10"}))
		}},
		"domains by device": {"endDate", func() error {
			return errorOf(rtb.PlanningDomainsByDevice.Do(ctx, c, rtb.PlanningDevicePeriod{StartDate: "2014-03-10", EndDate: "x", Device: "TV"}))
		}},
		"geos": {"startDate", func() error {
			return errorOf(rtb.PlanningGeos.Do(ctx, c, rtb.PlanningPeriod{StartDate: "2015-03-10", EndDate: "2014-03-10"}))
		}},
		"rate": {"date", func() error {
			return errorOf(rtb.MetadataFXOn.Do(ctx, c, rtb.CurrencyDatePath{CurrencyCode: "EUR", Date: "today"}))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := test.call()
			var input *rtb.InputError
			var permanent *usher.Permanent
			if !errors.As(err, &input) || input.Field != test.field || !errors.As(err, &permanent) || permanent.Class != usher.InvalidJob {
				t.Errorf("%v, want an InputError of %s", err, test.field)
			}
		})
	}
}

func TestPlanningAllowsNinetyDays(t *testing.T) {
	t.Parallel()
	base, requests := record(t, []byte(`{"status":"success","data":{"reports":[]}}`))
	c := rtb.New(rtb.Options{BaseURL: base, Advertiser: "SANDBOX1", Tokens: tokens("t")})
	if err := errorOf(rtb.PlanningGeos.Do(t.Context(), c, rtb.PlanningPeriod{StartDate: "2014-06-08", EndDate: "2014-03-10"})); err != nil {
		t.Fatal(err)
	}
	if got := <-requests; got.request.URL.Path != "/v3/planning/geos/2014-06-08/2014-03-10" {
		t.Errorf("sent %s", got.request.URL.Path)
	}
}
