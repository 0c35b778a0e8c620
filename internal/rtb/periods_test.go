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
		"billing":           {"startDate", func() error { _, err := c.Reporting.Billing(ctx, "A", "10.03.2014", "2014-03-10", ""); return err }},
		"transactions":      {"endDate", func() error { _, err := c.Reporting.Transactions(ctx, "A", "2014-03-10", "2014-02-30"); return err }},
		"campaigns":         {"startDate", func() error { _, err := c.Reporting.Campaigns(ctx, "", "2014-03-10"); return err }},
		"campaign":          {"endDate", func() error { _, err := c.Reporting.Campaign(ctx, "A-b", "2014-03-10", "2014-3-11"); return err }},
		"domains in order":  {"startDate", func() error { _, err := c.Planning.Domains(ctx, "2014-03-10", "2014-03-11"); return err }},
		"domains too long":  {"startDate", func() error { _, err := c.Planning.Domains(ctx, "2014-06-09", "2014-03-10"); return err }},
		"domains by device": {"endDate", func() error { _, err := c.Planning.DomainsByDevice(ctx, "2014-03-10", "x", "TV"); return err }},
		"geos":              {"startDate", func() error { _, err := c.Planning.Geos(ctx, "2015-03-10", "2014-03-10"); return err }},
		"rate":              {"date", func() error { _, err := c.Metadata.FXOn(ctx, "EUR", "today"); return err }},
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
	if _, err := c.Planning.Geos(t.Context(), "2014-06-08", "2014-03-10"); err != nil {
		t.Fatal(err)
	}
	if got := <-requests; got.request.URL.Path != "/v3/planning/geos/2014-06-08/2014-03-10" {
		t.Errorf("sent %s", got.request.URL.Path)
	}
}
