package sandbox_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"usher/internal/rtb"
	"usher/internal/sandbox"
)

func someAdvertiser() rtb.AdvertiserModel {
	return rtb.AdvertiserModel{
		Name: "Sport socks", Domain: "Socks.Example.com", CorrespondenceEmailAddress: "billing@socks.example.com",
		Margins: rtb.Margins{MediaMargin: new(0.0)},
	}
}

// TestCreateAccount creates an account in the order of the interface: a token, a
// user, an advertiser, a link. Then the user works in it.
func TestCreateAccount(t *testing.T) {
	t.Parallel()
	p := start(t, sandbox.Options{})
	c, ctx := p.client(), t.Context()
	must(t, c.Users.Put(ctx, "ada", rtb.UserSettings{Password: "first", ReportingCurrency: "EUR"}))
	code, err := c.Advertisers.Create(ctx, someAdvertiser())
	must(t, err)
	must(t, c.Advertisers.Link(ctx, code, "ada", ""))

	ada := p.clientAs("ada", "first", code)
	id, err := ada.Segments.Create(ctx, rtb.Segment{Name: "hers", Type: rtb.TypeIDFA})
	must(t, err)
	if _, err := c.Segments.Get(ctx, id); err != nil {
		t.Errorf("the creator of the advertiser does not reach its segment: %v", err)
	}
	user, err := c.Users.Get(ctx, "ada")
	must(t, err)
	if user.ReportingCurrency != "EUR" || !slices.Equal(user.Connections, []rtb.Connection{{Advertiser: code, Realm: rtb.RealmAdmin}}) {
		t.Errorf("the user is %+v", user)
	}
	mine, err := c.Advertisers.List(ctx)
	must(t, err)
	hers, err := ada.Advertisers.List(ctx)
	must(t, err)
	if !slices.Equal(mine, []string{code, "SANDBOX1"}) || !slices.Equal(hers, []string{code}) {
		t.Errorf("the advertisers are %v and %v", mine, hers)
	}
	connections, err := ada.Advertisers.Connections(ctx, code)
	must(t, err)
	if want := []rtb.UserConnection{{Username: "ada", Realm: "ADMIN"}, {Username: "sandbox", Realm: "ADMIN"}}; !slices.Equal(connections, want) {
		t.Errorf("the connections are %+v, want %+v", connections, want)
	}
	for who, err := range map[string]error{
		"a user deletes itself":           ada.Users.Delete(ctx, "ada"),
		"a user reads its creator":        func() error { _, err := ada.Users.Get(ctx, "sandbox"); return err }(),
		"a user edits its creator":        ada.Users.Put(ctx, "sandbox", rtb.UserSettings{Password: "mine now"}),
		"a user reads another advertiser": func() error { _, err := ada.Advertisers.Get(ctx, "SANDBOX1"); return err }(),
		"a user links itself elsewhere":   ada.Advertisers.Link(ctx, "SANDBOX1", "ada", ""),
	} {
		if got := verdict(err); got != "permanent forbidden AUTH003" {
			t.Errorf("%s: %s", who, got)
		}
	}
}

func TestDeactivatedUsers(t *testing.T) {
	t.Parallel()
	p := start(t, sandbox.Options{})
	c, ctx := p.client(), t.Context()
	must(t, c.Users.Put(ctx, "ada", rtb.UserSettings{Password: "first"}))
	must(t, c.Advertisers.Link(ctx, "SANDBOX1", "ada", rtb.RealmView))
	ada := p.clientAs("ada", "first", "SANDBOX1")
	_, err := ada.Segments.List(ctx)
	must(t, err)

	must(t, c.Users.Put(ctx, "ada", rtb.UserSettings{Password: "second"}))
	if _, err := p.clientAs("ada", "first", "SANDBOX1").Segments.List(ctx); verdict(err) != "unauthorized" {
		t.Errorf("the old password: %v", err)
	}
	must(t, c.Advertisers.Unlink(ctx, "SANDBOX1", "ada"))
	if _, err := ada.Segments.List(ctx); verdict(err) != "permanent forbidden AUTH003" {
		t.Errorf("unlinked: %v", err)
	}
	must(t, c.Advertisers.Link(ctx, "SANDBOX1", "ada", rtb.RealmView))
	must(t, c.Users.Delete(ctx, "ada"))
	if _, err := ada.Segments.List(ctx); verdict(err) != "unauthorized" {
		t.Errorf("deactivated: %v", err)
	}
	for name, err := range map[string]error{
		"delete again": c.Users.Delete(ctx, "ada"),
		"read":         func() error { _, err := c.Users.Get(ctx, "ada"); return err }(),
		"link":         c.Advertisers.Link(ctx, "SANDBOX1", "ada", ""),
		"unlink":       c.Advertisers.Unlink(ctx, "SANDBOX1", "ada"),
	} {
		if got := verdict(err); got != "permanent not_found E10404" {
			t.Errorf("%s: %s", name, got)
		}
	}
	if err := c.Users.Put(ctx, "ada", rtb.UserSettings{}); verdict(err) != "permanent refused E10001" {
		t.Errorf("a deactivated user comes back without a password: %v", err)
	}
	must(t, c.Users.Put(ctx, "ada", rtb.UserSettings{Password: "third"}))
	user, err := c.Users.Get(ctx, "ada")
	must(t, err)
	if len(user.Connections) != 0 || user.ReportingCurrency != "USD" {
		t.Errorf("created again the user is %+v", user)
	}
}

func TestAdvertiserDefaults(t *testing.T) {
	t.Parallel()
	p := start(t, sandbox.Options{})
	c, ctx := p.client(), t.Context()
	model := someAdvertiser()
	model.AttributionSettings = &rtb.AttributionSettings{PostView: &rtb.Attribution{Percentage: new(0.0)}}
	code, err := c.Advertisers.Create(ctx, model)
	must(t, err)
	a, err := c.Advertisers.Get(ctx, code)
	must(t, err)
	if a.Code != code || a.Status != rtb.Active || a.CurrencyCode != "USD" || *a.Margins.MediaMargin != 0 || *a.Margins.ContextualChargeCPM != 0 {
		t.Errorf("the advertiser is %+v", a)
	}
	s := a.AttributionSettings
	if *s.PostClick.WindowInHours != 720 || *s.PostClick.Percentage != 10 || *s.PostEngagement.WindowInHours != 72 ||
		*s.PostView.WindowInHours != 72 || *s.PostView.Percentage != 0 {
		t.Errorf("attribution is %+v %+v %+v", s.PostClick, s.PostEngagement, s.PostView)
	}
	model.AttributionSettings, model.CurrencyCode = nil, "EUR"
	must(t, c.Advertisers.Update(ctx, code, model))
	if a, err = c.Advertisers.Get(ctx, code); err != nil || *a.AttributionSettings.PostView.Percentage != 10 || a.CurrencyCode != "EUR" {
		t.Errorf("a replacement kept a setting that it leaves out: %+v %v", a, err)
	}
	must(t, c.Advertisers.Delete(ctx, code))
	if a, err = c.Advertisers.Get(ctx, code); err != nil || a.Status != rtb.Inactive {
		t.Errorf("deactivated it is %+v: %v", a, err)
	}
}

// TestAgencies checks that the AGENCYADMIN of an advertiser has access to those below it.
func TestAgencies(t *testing.T) {
	t.Parallel()
	p := start(t, sandbox.Options{})
	c, ctx := p.client(), t.Context()
	must(t, c.Users.Put(ctx, "agent", rtb.UserSettings{Password: "a"}))
	must(t, c.Advertisers.Link(ctx, "SANDBOX1", "agent", rtb.RealmAgencyAdmin))
	code, err := c.Advertisers.Create(ctx, someAdvertiser())
	must(t, err)
	agent := p.clientAs("agent", "a", code)
	if _, err := agent.Segments.Create(ctx, rtb.Segment{Name: "s", Type: "VIEW"}); err != nil {
		t.Errorf("the AGENCYADMIN cannot work below the agency: %v", err)
	}
	for _, name := range []string{code, "SANDBOX1"} {
		connections, err := agent.Advertisers.Connections(ctx, name)
		must(t, err)
		listed := slices.ContainsFunc(connections, func(u rtb.UserConnection) bool { return u.Username == "agent" })
		if listed != (name == "SANDBOX1") {
			t.Errorf("the connections of %s are %+v", name, connections)
		}
	}
}

// TestViewMayOnlyRead calls every operation in the realm VIEW.
func TestViewMayOnlyRead(t *testing.T) {
	t.Parallel()
	p := start(t, sandbox.Options{})
	c := p.client()
	prepare(t, c)
	must(t, c.Campaigns.Unlock(t.Context(), "SANDBOX1-spring"))
	viewer := p.clientAs("ada", "ada's", "SANDBOX1")
	token, err := rtb.New(rtb.Options{BaseURL: p.url, Advertiser: "SANDBOX1"}).Auth.Token(t.Context(), "ada", "ada's")
	must(t, err)
	before, err := viewer.Campaigns.Get(t.Context(), "SANDBOX1-spring")
	must(t, err)
	for _, op := range rtb.Operations() {
		s := readSample(t, op.Name)
		want := http.StatusOK
		if op.Method != http.MethodGet {
			want = http.StatusForbidden
		}
		response, err := http.DefaultClient.Do(s.request(t, p.url, token))
		must(t, err)
		must(t, response.Body.Close()) // the body is not read, because some lists are long
		if response.StatusCode != want {
			t.Errorf("%s: %d, want %d", op.Name, response.StatusCode, want)
		}
	}
	if after, err := viewer.Campaigns.Get(t.Context(), "SANDBOX1-spring"); err != nil || after.LastModificationTime != before.LastModificationTime {
		t.Errorf("a viewer changed the campaign: %v", err)
	}
}

func TestBlocklist(t *testing.T) {
	t.Parallel()
	p := start(t, sandbox.Options{})
	c, ctx := p.client(), t.Context()
	for _, domain := range []string{"example.co.uk", "EXAMPLE.com", "example.com", "bücher.de", "blog.github.io"} {
		if err := c.Advertisers.Block(ctx, "SANDBOX1", domain); err != nil {
			t.Errorf("%s: %v", domain, err)
		}
	}
	list, err := c.Advertisers.Blocklist(ctx, "SANDBOX1")
	must(t, err)
	if want := []string{"blog.github.io", "example.co.uk", "example.com", "xn--bcher-kva.de"}; !slices.Equal(list, want) {
		t.Errorf("the list is %v, want %v", list, want)
	}
	for _, domain := range []string{"www.example.co.uk", "www.example.com", "co.uk", "com", "localhost", "127.0.0.1", "a_b.com", "example.com.", "github.io", "x.nosuchtld", "a b.com", "-.com", strings.Repeat("a", 64) + ".com"} {
		if err := c.Advertisers.Block(ctx, "SANDBOX1", domain); verdict(err) != "permanent refused E10001" {
			t.Errorf("%s: %v", domain, err)
		}
	}
	must(t, c.Advertisers.Unblock(ctx, "SANDBOX1", "Example.com"))
	if err := c.Advertisers.Unblock(ctx, "SANDBOX1", "example.com"); verdict(err) != "permanent not_found E10404" {
		t.Errorf("removed twice: %v", err)
	}
	if _, err := c.Advertisers.Blocklist(ctx, "NOBODY"); verdict(err) != "permanent not_found E10404" {
		t.Errorf("of an unknown advertiser: %v", err)
	}
}

// TestAccountsSurviveAKill opens a copy of the files of a killed process.
func TestAccountsSurviveAKill(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := start(t, sandbox.Options{Data: data})
	c, ctx := p.client(), t.Context()
	prepare(t, c)
	code, err := c.Advertisers.Create(ctx, someAdvertiser())
	must(t, err)
	gif := readSample(t, "creatives.push").Request.File.Content
	asset, _, err := c.Creatives.Push(ctx, rtb.File{Name: "a.gif", Content: strings.NewReader(gif), Size: int64(len(gif))})
	must(t, err)

	again := start(t, sandbox.Options{Data: copyTorn(t, data, 0, 0)})
	d := again.client()
	if a, err := d.Advertisers.Get(ctx, code); err != nil || a.Name != "Sport socks" {
		t.Errorf("the advertiser is %+v: %v", a, err)
	}
	if user, err := d.Users.Get(ctx, "ada"); err != nil || len(user.Connections) != 1 || user.ReportingCurrency != "EUR" {
		t.Errorf("the user is %+v: %v", user, err)
	}
	if list, err := d.Advertisers.Blocklist(ctx, "SANDBOX1"); err != nil || !slices.Equal(list, []string{"example.co.uk"}) {
		t.Errorf("the blocklist is %v: %v", list, err)
	}
	if slot, err := d.SSP.Adslot(ctx, "news", "news-top"); err != nil || slot.Width != 728 {
		t.Errorf("the adslot is %+v: %v", slot, err)
	}
	next, _, err := d.Creatives.Push(ctx, rtb.File{Name: "b.gif", Content: strings.NewReader(gif), Size: int64(len(gif))})
	if err != nil || next.ID == asset.ID {
		t.Errorf("the next asset is %+v after %+v: %v", next, asset, err)
	}
}
