package intake_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
	"usher/internal/intake"
	"usher/internal/outcomes"
	stored "usher/queues/outcomes"
	"usher/queues/queuetest"
)

// Numbers from outside are stored by a token that names that right, as an object or as a file.
func TestOutcomes(t *testing.T) {
	t.Parallel()
	b := queuetest.New(t)
	store := stored.New(b.Queue(t))
	d := openWith(t, b, intake.Options{Outcomes: func(ctx context.Context, table *exports.Table, o outcomes.Options) (stored.Report, error) {
		delivery, err := outcomes.Read(table, o, map[string][]string{"SANDBOX1-spring": nil})
		if err != nil {
			return stored.Report{}, err
		}
		return store.Put(ctx, delivery)
	}})
	token := d.add(t, intake.Grant{Name: "attribution", Kinds: []usher.Kind{usher.Outcomes}, Advertisers: []string{"SANDBOX1"}})
	other := d.add(t, intake.Grant{Name: "budgets", Kinds: []usher.Kind{usher.CampaignPause}})
	d.reload(t, other)
	const body = `{"complete": true, "rows": [{"date": "2026-03-01", "campaign": "SANDBOX1-spring", "installs": 41}, {"date": "2026-03-01", "campaign": "X", "installs": 1}]}`
	d.send(t, "POST", "/v1/outcomes", body).refused(t, http.StatusForbidden) // a token without kinds
	d.sendAs(t, other, "POST", "/v1/outcomes", body).refused(t, http.StatusForbidden)
	d.sendAs(t, token, "POST", "/v1/jobs/segment.add", queuetest.AddJob).refused(t, http.StatusForbidden)
	d.sendAs(t, token, "POST", "/v1/outcomes?advertiser=OTHER1", body).refused(t, http.StatusForbidden)
	for _, c := range []struct{ path, body, says string }{
		{"/v1/outcomes", body, `"stored":1,"restated":0,"unchanged":0,"refused":[{"row":2,"date":"2026-03-01","campaign":"X","why":"the account has no such campaign: this table does not make its day complete"}]`},
		{"/v1/outcomes", body, `"stored":0,"restated":0,"unchanged":1`},
		{"/v1/outcomes?complete=true&knownAt=2026-03-02T06:00:00Z", "date;campaign;installs\n2026-03-01;SANDBOX1-spring;40\n", `"knownAt":"2026-03-02T06:00:00Z","complete":true`},
	} {
		if r := d.sendAs(t, token, "POST", c.path, c.body); r.StatusCode != http.StatusOK || !strings.Contains(r.body, c.says) {
			t.Errorf("%s: %s, want %s", r.Status, r.body, c.says)
		}
	}
	for body, says := range map[string]string{
		`{"rows": [], "complet": true}`: "complet",
		"date,installs\n2026-03-01,3\n": "date and campaign",
		`{"rows": [{"date": "2026-03-01", "campaign": "SANDBOX1-spring", "cost per install": 4}]}`: "cost per install",
	} {
		if p := d.sendAs(t, token, "POST", "/v1/outcomes", body).refused(t, http.StatusBadRequest); !strings.Contains(p.Detail, says) {
			t.Errorf("%q, want %q", p.Detail, says)
		}
	}
}
