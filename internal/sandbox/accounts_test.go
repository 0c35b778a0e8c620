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
	must(t, errorOf(rtb.UsersPut.Do(ctx, c, rtb.UserDefinition{Username: "ada", Settings: rtb.UserSettings{Password: "first", ReportingCurrency: "EUR"}})))
	code, err := result[string](rtb.AdvertisersCreate.Do(ctx, c, rtb.NewAdvertiser{Advertiser: someAdvertiser()}))
	must(t, err)
	must(t, errorOf(rtb.AdvertisersLink.Do(ctx, c, rtb.LinkPath{AdvertiserCode: code, Username: "ada", Realm: ""})))

	ada := p.clientAs("ada", "first", code)
	id, err := result[string](rtb.SegmentsCreate.Do(ctx, ada, rtb.NewSegment{Segment: rtb.Segment{Name: "hers", Type: rtb.TypeIDFA}}))
	must(t, err)
	if _, err := c.Segments.Get(ctx, id); err != nil {
		t.Errorf("the creator of the advertiser does not reach its segment: %v", err)
	}
	user, err := result[rtb.User](rtb.UsersGet.Do(ctx, c, rtb.UserPath{Username: "ada"}))
	must(t, err)
	if user.ReportingCurrency != "EUR" || !slices.Equal(user.Connections, []rtb.Connection{{Advertiser: code, Realm: rtb.RealmAdmin}}) {
		t.Errorf("the user is %+v", user)
	}
	mine, err := result[[]string](rtb.AdvertisersList.Do(ctx, c, rtb.Nothing{}))
	must(t, err)
	hers, err := result[[]string](rtb.AdvertisersList.Do(ctx, ada, rtb.Nothing{}))
	must(t, err)
	if !slices.Equal(mine, []string{code, "SANDBOX1"}) || !slices.Equal(hers, []string{code}) {
		t.Errorf("the advertisers are %v and %v", mine, hers)
	}
	connections, err := result[[]rtb.UserConnection](rtb.AdvertisersConnections.Do(ctx, ada, rtb.AdvertiserPath{AdvertiserCode: code}))
	must(t, err)
	if want := []rtb.UserConnection{{Username: "ada", Realm: "ADMIN"}, {Username: "sandbox", Realm: "ADMIN"}}; !slices.Equal(connections, want) {
		t.Errorf("the connections are %+v, want %+v", connections, want)
	}
	for who, err := range map[string]error{
		"a user deletes itself":           errorOf(rtb.UsersDelete.Do(ctx, ada, rtb.UserPath{Username: "ada"})),
		"a user reads its creator":        errorOf(rtb.UsersGet.Do(ctx, ada, rtb.UserPath{Username: "sandbox"})),
		"a user edits its creator":        errorOf(rtb.UsersPut.Do(ctx, ada, rtb.UserDefinition{Username: "sandbox", Settings: rtb.UserSettings{Password: "mine now"}})),
		"a user reads another advertiser": errorOf(rtb.AdvertisersGet.Do(ctx, ada, rtb.AdvertiserPath{AdvertiserCode: "SANDBOX1"})),
		"a user links itself elsewhere":   errorOf(rtb.AdvertisersLink.Do(ctx, ada, rtb.LinkPath{AdvertiserCode: "SANDBOX1", Username: "ada", Realm: ""})),
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
	must(t, errorOf(rtb.UsersPut.Do(ctx, c, rtb.UserDefinition{Username: "ada", Settings: rtb.UserSettings{Password: "first"}})))
	must(t, errorOf(rtb.AdvertisersLink.Do(ctx, c, rtb.LinkPath{AdvertiserCode: "SANDBOX1", Username: "ada", Realm: rtb.RealmView})))
	ada := p.clientAs("ada", "first", "SANDBOX1")
	_, err := ada.Segments.List(ctx)
	must(t, err)

	must(t, errorOf(rtb.UsersPut.Do(ctx, c, rtb.UserDefinition{Username: "ada", Settings: rtb.UserSettings{Password: "second"}})))
	if _, err := p.clientAs("ada", "first", "SANDBOX1").Segments.List(ctx); verdict(err) != "unauthorized" {
		t.Errorf("the old password: %v", err)
	}
	must(t, errorOf(rtb.AdvertisersUnlink.Do(ctx, c, rtb.LinkedUserPath{AdvertiserCode: "SANDBOX1", Username: "ada"})))
	if _, err := ada.Segments.List(ctx); verdict(err) != "permanent forbidden AUTH003" {
		t.Errorf("unlinked: %v", err)
	}
	must(t, errorOf(rtb.AdvertisersLink.Do(ctx, c, rtb.LinkPath{AdvertiserCode: "SANDBOX1", Username: "ada", Realm: rtb.RealmView})))
	must(t, errorOf(rtb.UsersDelete.Do(ctx, c, rtb.UserPath{Username: "ada"})))
	if _, err := ada.Segments.List(ctx); verdict(err) != "unauthorized" {
		t.Errorf("deactivated: %v", err)
	}
	for name, err := range map[string]error{
		"delete again": errorOf(rtb.UsersDelete.Do(ctx, c, rtb.UserPath{Username: "ada"})),
		"read":         errorOf(rtb.UsersGet.Do(ctx, c, rtb.UserPath{Username: "ada"})),
		"link":         errorOf(rtb.AdvertisersLink.Do(ctx, c, rtb.LinkPath{AdvertiserCode: "SANDBOX1", Username: "ada", Realm: ""})),
		"unlink":       errorOf(rtb.AdvertisersUnlink.Do(ctx, c, rtb.LinkedUserPath{AdvertiserCode: "SANDBOX1", Username: "ada"})),
	} {
		if got := verdict(err); got != "permanent not_found E10404" {
			t.Errorf("%s: %s", name, got)
		}
	}
	if err := errorOf(rtb.UsersPut.Do(ctx, c, rtb.UserDefinition{Username: "ada", Settings: rtb.UserSettings{}})); verdict(err) != "permanent refused E10001" {
		t.Errorf("a deactivated user comes back without a password: %v", err)
	}
	must(t, errorOf(rtb.UsersPut.Do(ctx, c, rtb.UserDefinition{Username: "ada", Settings: rtb.UserSettings{Password: "third"}})))
	user, err := result[rtb.User](rtb.UsersGet.Do(ctx, c, rtb.UserPath{Username: "ada"}))
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
	code, err := result[string](rtb.AdvertisersCreate.Do(ctx, c, rtb.NewAdvertiser{Advertiser: model}))
	must(t, err)
	a, err := result[rtb.Advertiser](rtb.AdvertisersGet.Do(ctx, c, rtb.AdvertiserPath{AdvertiserCode: code}))
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
	must(t, errorOf(rtb.AdvertisersUpdate.Do(ctx, c, rtb.AdvertiserUpdate{AdvertiserCode: code, Advertiser: model})))
	if a, err = result[rtb.Advertiser](rtb.AdvertisersGet.Do(ctx, c, rtb.AdvertiserPath{AdvertiserCode: code})); err != nil || *a.AttributionSettings.PostView.Percentage != 10 || a.CurrencyCode != "EUR" {
		t.Errorf("a replacement kept a setting that it leaves out: %+v %v", a, err)
	}
	must(t, errorOf(rtb.AdvertisersDelete.Do(ctx, c, rtb.AdvertiserPath{AdvertiserCode: code})))
	if a, err = result[rtb.Advertiser](rtb.AdvertisersGet.Do(ctx, c, rtb.AdvertiserPath{AdvertiserCode: code})); err != nil || a.Status != rtb.Inactive {
		t.Errorf("deactivated it is %+v: %v", a, err)
	}
}

// TestAgencies checks that the AGENCYADMIN of an advertiser has access to those below it.
func TestAgencies(t *testing.T) {
	t.Parallel()
	p := start(t, sandbox.Options{})
	c, ctx := p.client(), t.Context()
	must(t, errorOf(rtb.UsersPut.Do(ctx, c, rtb.UserDefinition{Username: "agent", Settings: rtb.UserSettings{Password: "a"}})))
	must(t, errorOf(rtb.AdvertisersLink.Do(ctx, c, rtb.LinkPath{AdvertiserCode: "SANDBOX1", Username: "agent", Realm: rtb.RealmAgencyAdmin})))
	code, err := result[string](rtb.AdvertisersCreate.Do(ctx, c, rtb.NewAdvertiser{Advertiser: someAdvertiser()}))
	must(t, err)
	agent := p.clientAs("agent", "a", code)
	if err := errorOf(rtb.SegmentsCreate.Do(ctx, agent, rtb.NewSegment{Segment: rtb.Segment{Name: "s", Type: "VIEW"}})); err != nil {
		t.Errorf("the AGENCYADMIN cannot work below the agency: %v", err)
	}
	for _, name := range []string{code, "SANDBOX1"} {
		connections, err := result[[]rtb.UserConnection](rtb.AdvertisersConnections.Do(ctx, agent, rtb.AdvertiserPath{AdvertiserCode: name}))
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
		if err := errorOf(rtb.AdvertisersBlock.Do(ctx, c, rtb.BlockedPath{AdvertiserCode: "SANDBOX1", Domain: domain})); err != nil {
			t.Errorf("%s: %v", domain, err)
		}
	}
	list, err := result[[]string](rtb.AdvertisersBlocklist.Do(ctx, c, rtb.AdvertiserPath{AdvertiserCode: "SANDBOX1"}))
	must(t, err)
	if want := []string{"blog.github.io", "example.co.uk", "example.com", "xn--bcher-kva.de"}; !slices.Equal(list, want) {
		t.Errorf("the list is %v, want %v", list, want)
	}
	for _, domain := range []string{"www.example.co.uk", "www.example.com", "co.uk", "com", "localhost", "127.0.0.1", "a_b.com", "example.com.", "github.io", "x.nosuchtld", "a b.com", "-.com", strings.Repeat("a", 64) + ".com"} {
		if err := errorOf(rtb.AdvertisersBlock.Do(ctx, c, rtb.BlockedPath{AdvertiserCode: "SANDBOX1", Domain: domain})); verdict(err) != "permanent refused E10001" {
			t.Errorf("%s: %v", domain, err)
		}
	}
	must(t, errorOf(rtb.AdvertisersUnblock.Do(ctx, c, rtb.BlockedPath{AdvertiserCode: "SANDBOX1", Domain: "Example.com"})))
	if err := errorOf(rtb.AdvertisersUnblock.Do(ctx, c, rtb.BlockedPath{AdvertiserCode: "SANDBOX1", Domain: "example.com"})); verdict(err) != "permanent not_found E10404" {
		t.Errorf("removed twice: %v", err)
	}
	if err := errorOf(rtb.AdvertisersBlocklist.Do(ctx, c, rtb.AdvertiserPath{AdvertiserCode: "NOBODY"})); verdict(err) != "permanent not_found E10404" {
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
	code, err := result[string](rtb.AdvertisersCreate.Do(ctx, c, rtb.NewAdvertiser{Advertiser: someAdvertiser()}))
	must(t, err)
	gif := readSample(t, "creatives.push").Request.File.Content
	asset, _, err := rtb.CreativesPush.Do(ctx, c, rtb.CreativePush{Creative: rtb.File{Name: "a.gif", Content: strings.NewReader(gif), Size: int64(len(gif))}})
	must(t, err)

	again := start(t, sandbox.Options{Data: copyTorn(t, data, 0, 0)})
	d := again.client()
	if a, err := result[rtb.Advertiser](rtb.AdvertisersGet.Do(ctx, d, rtb.AdvertiserPath{AdvertiserCode: code})); err != nil || a.Name != "Sport socks" {
		t.Errorf("the advertiser is %+v: %v", a, err)
	}
	if user, err := result[rtb.User](rtb.UsersGet.Do(ctx, d, rtb.UserPath{Username: "ada"})); err != nil || len(user.Connections) != 1 || user.ReportingCurrency != "EUR" {
		t.Errorf("the user is %+v: %v", user, err)
	}
	if list, err := result[[]string](rtb.AdvertisersBlocklist.Do(ctx, d, rtb.AdvertiserPath{AdvertiserCode: "SANDBOX1"})); err != nil || !slices.Equal(list, []string{"example.co.uk"}) {
		t.Errorf("the blocklist is %v: %v", list, err)
	}
	if slot, err := result[rtb.Adslot](rtb.SSPAdslot.Do(ctx, d, rtb.AdslotPath{PublisherID: "news", AdslotID: "news-top"})); err != nil || slot.Width != 728 {
		t.Errorf("the adslot is %+v: %v", slot, err)
	}
	next, _, err := rtb.CreativesPush.Do(ctx, d, rtb.CreativePush{Creative: rtb.File{Name: "b.gif", Content: strings.NewReader(gif), Size: int64(len(gif))}})
	if err != nil || next.ID == asset.ID {
		t.Errorf("the next asset is %+v after %+v: %v", next, asset, err)
	}
}
