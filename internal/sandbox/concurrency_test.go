package sandbox_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"usher/internal/rtb"
	"usher/internal/sandbox"
)

// TestConcurrentClients runs 64 clients at once, while tokens expire and two
// logins compete for one campaign. Afterwards journal, members and statuses must
// agree.
func TestConcurrentClients(t *testing.T) {
	t.Parallel()
	p := start(t, sandbox.Options{Data: t.TempDir(), ApprovalDelay: -1})
	const clients, batches, size = 64, 4, 500
	p.order("/sandbox/users", `{"username":"other","password":"other","advertiser":"SANDBOX1"}`)
	shared := p.client()
	rival := p.clientAs("other", "other", "SANDBOX1")
	p.order("/sandbox/faults", `{"op":"segments.upload","status":401,"after":50,"times":5}`)

	var mu sync.Mutex
	verdicts := map[string]int{}
	count := func(err error) {
		mu.Lock()
		defer mu.Unlock()
		verdicts[verdict(err)]++
	}
	var group sync.WaitGroup
	for n := range clients {
		group.Go(func() {
			ctx, c := t.Context(), shared
			if n%2 == 1 {
				c = rival
			}
			for i := range batches {
				from := (n/2*batches + i) * size // two clients upload the same ids
				if err := c.Segments.Upload(ctx, "1", batchOf(from, from+size)); err != nil {
					t.Error(err)
				}
				count(c.Campaigns.Lock(ctx, "SANDBOX1-brand"))
				_, err := c.Campaigns.SetStatus(ctx, "SANDBOX1-brand", []string{rtb.Active, rtb.Inactive}[i%2])
				count(err)
				count(c.Campaigns.Unlock(ctx, "SANDBOX1-brand"))
				if in, err := c.Segments.Contains(ctx, "1", rtb.TypeIDFA, digestOf(from+size/2)); err != nil || !in {
					t.Errorf("contains says %v: %v", in, err)
				}
			}
		})
	}
	group.Wait()

	for v := range verdicts {
		if v != "ok" && v != "permanent refused E10060" && v != "permanent refused E10061" {
			t.Errorf("a call for the campaign returned %q", v)
		}
	}
	if got := p.fingerprint("segments/1").Count; got != clients/2*batches*size {
		t.Errorf("the segment holds %d, want %d", got, clients/2*batches*size)
	}
	checkOrder(t, p)
	c := p.client()
	must(t, c.Campaigns.Lock(t.Context(), "SANDBOX1-brand"))
}

// checkOrder checks by the journal, which is in the order of effects, that no status was set
// without the lock.
func checkOrder(t *testing.T, p *platform) {
	t.Helper()
	holder, last := "", ""
	entries := p.journal(0)
	for i, e := range entries {
		if e.Seq != int64(i+1) {
			t.Fatalf("entry %d has seq %d", i, e.Seq)
		}
		if !strings.Contains(e.Path, "SANDBOX1-brand") || e.User == "" {
			continue
		}
		want := 200
		switch {
		case holder != "" && holder != e.User, e.Op == "campaigns.set-status" && holder == "":
			want = 400
		case e.Op == "campaigns.lock":
			holder = e.User
		case e.Op == "campaigns.unlock":
			holder = ""
		default:
			last = e.Form["status"]
		}
		if e.Status != want {
			t.Fatalf("%s by %s, held by %q: %d, want %d", e.Op, e.User, holder, e.Status, want)
		}
	}
	statuses, err := p.client().Campaigns.Status(t.Context(), "SANDBOX1-brand")
	must(t, err)
	for _, s := range statuses {
		if last != "" && s.ApprovalStatus != last {
			t.Errorf("%s is %s, the last status set was %s", s.CreativeCode, s.ApprovalStatus, last)
		}
	}
}

// TestOneRenewalForManyCallers lets the token of 64 concurrent callers expire.
func TestOneRenewalForManyCallers(t *testing.T) {
	t.Parallel()
	clock := newClock()
	p := start(t, sandbox.Options{Now: clock.now, TokenTTL: time.Minute})
	c := p.client()
	_, err := c.Segments.List(t.Context())
	must(t, err)
	clock.advance(time.Hour)
	var group sync.WaitGroup
	for range 64 {
		group.Go(func() {
			if _, err := c.Segments.Get(t.Context(), "1"); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	logins := 0
	for _, e := range p.journal(0) {
		if e.Op == "auth.token" {
			logins++
		}
	}
	if logins != 2 {
		t.Errorf("%d logins, want 2", logins)
	}
}

func TestRealmsAndOwners(t *testing.T) {
	t.Parallel()
	p := start(t, sandbox.Options{TargetPost: "replace"})
	p.order("/sandbox/users", `{"username":"viewer","password":"v","advertiser":"SANDBOX1","realm":"VIEW"}`)
	p.order("/sandbox/users", `{"username":"stranger","password":"s","advertiser":"OTHER"}`)
	ctx := t.Context()
	viewer, stranger, owner := p.clientAs("viewer", "v", "SANDBOX1"), p.clientAs("stranger", "s", "OTHER"), p.client()
	if _, err := viewer.Segments.Get(ctx, "1"); err != nil {
		t.Errorf("a viewer cannot read: %v", err)
	}
	for who, err := range map[string]error{
		"a viewer locks":                viewer.Campaigns.Lock(ctx, "SANDBOX1-spring"),
		"a stranger locks":              stranger.Campaigns.Lock(ctx, "SANDBOX1-spring"),
		"a stranger uploads":            stranger.Segments.Upload(ctx, "1", batchOf(0, 1)),
		"a viewer uploads":              viewer.Segments.Upload(ctx, "1", batchOf(0, 1)),
		"a stranger reads":              errorOf(rtb.CreativesStatus.Do(ctx, stranger, rtb.CreativePath{CreativeCode: "spring-1"})),
		"a login to another advertiser": func() error { _, err := p.clientAs("stranger", "s", "SANDBOX1").Segments.List(ctx); return err }(),
	} {
		if got := verdict(err); got != "permanent forbidden AUTH003" {
			t.Errorf("%s: %s", who, got)
		}
	}
	if list, err := stranger.Campaigns.List(ctx); err != nil || len(list) != 0 {
		t.Errorf("a stranger's campaigns are %v: %v", list, err)
	}
	for want := range 3 {
		targeting, err := owner.Campaigns.AddMobileTargets(ctx, "SANDBOX1-spring", batchOf(0, want+1))
		must(t, err)
		if targeting.NumberOfIDs != rtb.Count(want+1) {
			t.Errorf("after %d ids the targeting is %+v", want+1, targeting)
		}
	}
	must(t, owner.Campaigns.ClearMobileTargets(ctx, "SANDBOX1-spring"))
	if _, err := owner.Campaigns.MobileTargets(ctx, "SANDBOX1-spring"); verdict(err) != "permanent not_found E10404" {
		t.Errorf("after clear the targeting is %v", err)
	}
}

// TestUpdateKeepsStatusAndSettings reads a campaign, changes it and sends it back.
func TestUpdateKeepsStatusAndSettings(t *testing.T) {
	t.Parallel()
	clock := newClock()
	p := start(t, sandbox.Options{Now: clock.now})
	c, ctx := p.client(), t.Context()
	must(t, c.Campaigns.Lock(ctx, "SANDBOX1-winter"))
	_, err := c.Creatives.SetStatus(ctx, "winter-2", rtb.Inactive)
	must(t, err)
	definition, err := c.Campaigns.Get(ctx, "SANDBOX1-winter")
	must(t, err)
	settings := string(definition.TargetingSettings)
	definition.Creatives[0].CreativeID = "asset-new"
	definition.Creatives = definition.Creatives[:3]
	err = errorOf(rtb.CampaignsPut.Do(ctx, c, rtb.CampaignDefinition{CampaignCode: "SANDBOX1-winter", Campaign: definition}))
	must(t, err)
	warnings, err := c.Campaigns.SetStatus(ctx, "SANDBOX1-winter", rtb.Active)
	must(t, err)
	if len(warnings) != 1 || warnings[0].Code != rtb.CodeStatusRefused || !strings.Contains(warnings[0].Description, "winter-1") {
		t.Errorf("the warnings are %+v", warnings)
	}
	again, err := c.Campaigns.Get(ctx, "SANDBOX1-winter")
	must(t, err)
	var got []string
	for _, cr := range again.Creatives {
		got = append(got, fmt.Sprint(cr.Code, " ", cr.Status))
	}
	if want := "winter-1 PENDING, winter-2 ACTIVE, winter-3 ACTIVE"; strings.Join(got, ", ") != want {
		t.Errorf("the creatives are %v, want %s", got, want)
	}
	if string(again.TargetingSettings) != settings {
		t.Errorf("the settings are %s, were %s", again.TargetingSettings, settings)
	}
	if err := errorOf(rtb.CreativesStatus.Do(ctx, c, rtb.CreativePath{CreativeCode: "winter-5"})); verdict(err) != "permanent not_found E10404" {
		t.Errorf("the removed creative is %v", err)
	}
}

// TestConcurrentAccounts lets 64 clients create accounts and pay concurrently.
func TestConcurrentAccounts(t *testing.T) {
	t.Parallel()
	p := start(t, sandbox.Options{Data: t.TempDir()})
	c, ctx := p.client(), t.Context()
	const clients = 64
	codes, references := make([]string, clients), make([]string, clients)
	var group sync.WaitGroup
	for n := range clients {
		group.Go(func() {
			user := fmt.Sprint("user-", n)
			err := errorOf(rtb.UsersPut.Do(ctx, c, rtb.UserDefinition{Username: user, Settings: rtb.UserSettings{Password: user}}))
			if err == nil {
				codes[n], err = result[string](rtb.AdvertisersCreate.Do(ctx, c, rtb.NewAdvertiser{Advertiser: someAdvertiser()}))
			}
			if err == nil {
				err = errorOf(rtb.AdvertisersLink.Do(ctx, c, rtb.LinkPath{AdvertiserCode: codes[n], Username: user, Realm: rtb.RealmView}))
			}
			if err == nil {
				references[n], err = result[string](rtb.PaymentsCreate.Do(ctx, c, rtb.Payment{
					AdvertiserCode: "SANDBOX1", CardNumber: "4111111111111111", CardCVV: "123", CardholderName: user,
					CardExpiryMonth: "12", CardExpiryYear: "2099", PaymentAmount: "50", PaymentCurrency: "USD",
				}))
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	mine, err := result[[]string](rtb.AdvertisersList.Do(ctx, c, rtb.Nothing{}))
	must(t, err)
	if len(mine) != clients+1 {
		t.Errorf("the caller has %d advertisers, want %d", len(mine), clients+1)
	}
	for n, code := range codes {
		users, err := result[[]string](rtb.AdvertisersUsers.Do(ctx, c, rtb.AdvertiserPath{AdvertiserCode: code}))
		if want := []string{"sandbox", fmt.Sprint("user-", n)}; err != nil || !slices.Equal(users, want) {
			t.Errorf("%s has the users %v, want %v: %v", code, users, want, err)
		}
	}
	slices.Sort(references)
	if distinct := slices.Compact(references); len(distinct) != clients || distinct[clients-1] != "PAY-00000064" {
		t.Errorf("the payments are %v", distinct)
	}
}
