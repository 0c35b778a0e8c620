package operations

import (
	"cmp"
	"fmt"
	"net/mail"
	"slices"
	"strings"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"

	"usher/internal/rtb"
)

func (s *State) createAdvertiser(c *Call, in rtb.NewAdvertiser) (rtb.AdvertiserCode, error) {
	model := in.Advertiser
	if model.Code != "" {
		return rtb.AdvertiserCode{}, Invalid("code", "is generated and must not be sent")
	}
	if err := checkAdvertiser(&model); err != nil {
		return rtb.AdvertiserCode{}, err
	}
	number, counted := s.next("advertiser")
	for s.advertisers.Has(fmt.Sprintf("ADV%d", number)) {
		number++
		counted = s.counters.Put("advertiser", number)
	}
	model.Code = fmt.Sprintf("ADV%d", number)
	maker := s.users.Row(c.User).withLink(model.Code, rtb.RealmAdmin)
	return rtb.AdvertiserCode{Code: model.Code}, s.store.Commit(counted,
		s.advertisers.Put(model.Code, advertiser{Model: withDefaults(model), Parent: c.Advertiser}), s.users.Put(c.User, maker))
}

// findAdvertiser returns an advertiser, or an error if it does not exist or the caller has no
// access to it.
func (s *State) findAdvertiser(c *Call, code string) (advertiser, error) {
	row, found := s.advertisers.Get(code)
	if !found {
		return advertiser{}, Unknown("advertiser", code)
	}
	return row, s.authorize(c, code)
}

func (s *State) listAdvertisers(c *Call, _ rtb.Nothing) (rtb.AdvertisersAnswer, error) {
	return rtb.AdvertisersAnswer{Advertisers: s.reachable(c.User)}, nil
}

func (s *State) getAdvertiser(c *Call, in rtb.AdvertiserPath) (rtb.AdvertiserAnswer, error) {
	row, err := s.findAdvertiser(c, in.AdvertiserCode)
	if err != nil {
		return rtb.AdvertiserAnswer{}, err
	}
	m := row.Model
	return rtb.AdvertiserAnswer{Advertiser: rtb.Advertiser{
		Code: m.Code, Name: m.Name, Status: m.Status, CurrencyCode: m.CurrencyCode,
		Margins: m.Margins, AttributionSettings: m.AttributionSettings,
	}}, nil
}

func (s *State) updateAdvertiser(c *Call, in rtb.AdvertiserUpdate) (rtb.Nothing, error) {
	row, err := s.findAdvertiser(c, in.AdvertiserCode)
	if err != nil {
		return rtb.Nothing{}, err
	}
	model := in.Advertiser
	if model.Code != "" && model.Code != in.AdvertiserCode {
		return rtb.Nothing{}, Invalid("code", "must be the code in the path, because it cannot change")
	}
	if err := checkAdvertiser(&model); err != nil {
		return rtb.Nothing{}, err
	}
	model.Code = in.AdvertiserCode
	row.Model = withDefaults(model)
	return rtb.Nothing{}, s.store.Commit(s.advertisers.Put(in.AdvertiserCode, row))
}

func (s *State) deleteAdvertiser(c *Call, in rtb.AdvertiserPath) (rtb.Nothing, error) {
	row, err := s.findAdvertiser(c, in.AdvertiserCode)
	if err != nil {
		return rtb.Nothing{}, err
	}
	row.Model.Status = rtb.Inactive
	return rtb.Nothing{}, s.store.Commit(s.advertisers.Put(in.AdvertiserCode, row))
}

// privateDomain returns a top-level private domain, which is one level below a
// public suffix, in lower-case ASCII.
func privateDomain(domain string) (string, error) {
	ascii, err := hostname(domain)
	if err != nil {
		return "", Invalid("domain", "must be a domain such as example.co.uk")
	}
	suffix, listed := publicsuffix.PublicSuffix(ascii)
	top, err := publicsuffix.EffectiveTLDPlusOne(ascii)
	switch {
	case err != nil || !listed && !strings.Contains(suffix, "."):
		return "", Invalid("domain", "must lie below a public suffix such as com or co.uk")
	case top != ascii:
		return "", Invalid("domain", "must be a top-level private domain, not a sub-domain: use "+top)
	}
	return ascii, nil
}

func blockKey(advertiser, domain string) string { return advertiser + "/" + domain }

func (s *State) blocklist(c *Call, in rtb.AdvertiserPath) (rtb.BlocklistAnswer, error) {
	_, err := s.findAdvertiser(c, in.AdvertiserCode)
	list := []string{}
	for _, row := range s.blocked.All() {
		if row.Advertiser == in.AdvertiserCode {
			list = append(list, row.Domain)
		}
	}
	slices.Sort(list)
	return rtb.BlocklistAnswer{Blocklist: list}, err
}

func (s *State) blockDomain(c *Call, in rtb.BlockedPath) (rtb.Nothing, error) {
	domain, err := s.blockable(c, in)
	if err != nil {
		return rtb.Nothing{}, err
	}
	row := blockedDomain{in.AdvertiserCode, domain}
	return rtb.Nothing{}, s.store.Commit(s.blocked.Put(blockKey(in.AdvertiserCode, domain), row))
}

func (s *State) unblockDomain(c *Call, in rtb.BlockedPath) (rtb.Nothing, error) {
	domain, err := s.blockable(c, in)
	if err != nil {
		return rtb.Nothing{}, err
	}
	key := blockKey(in.AdvertiserCode, domain)
	if !s.blocked.Has(key) {
		return rtb.Nothing{}, Unknown("blocked domain", domain)
	}
	return rtb.Nothing{}, s.store.Commit(s.blocked.Drop(key))
}

// blockable checks the advertiser and returns the normalized domain.
func (s *State) blockable(c *Call, in rtb.BlockedPath) (string, error) {
	if _, err := s.findAdvertiser(c, in.AdvertiserCode); err != nil {
		return "", err
	}
	return privateDomain(in.Domain)
}

// checkAdvertiser checks a model and normalizes its domain.
func checkAdvertiser(m *rtb.AdvertiserModel) error {
	domain, err := hostname(m.Domain)
	address, addressErr := mail.ParseAddress(m.CorrespondenceEmailAddress)
	switch {
	case strings.TrimSpace(m.Name) == "":
		return Invalid("name", "is required")
	case m.Status != "" && m.Status != rtb.Active && m.Status != rtb.Inactive:
		return Invalid("status", "must be ACTIVE or INACTIVE")
	case m.Domain == "":
		return Invalid("domain", "is required")
	case err != nil:
		return Invalid("domain", "must be a domain such as example.com")
	case m.CurrencyCode != "" && !knownCurrency(m.CurrencyCode):
		return Invalid("currencyCode", currencyRule)
	case m.CorrespondenceEmailAddress == "":
		return Invalid("correspondenceEmailAddress", "is required")
	case addressErr != nil || address.Address != m.CorrespondenceEmailAddress:
		return Invalid("correspondenceEmailAddress", "must be an e-mail address such as billing@example.com")
	}
	m.Domain = domain
	if err := checkMargins(m.Margins); err != nil {
		return err
	}
	return checkAttribution(m.AttributionSettings)
}

func checkMargins(m rtb.Margins) error {
	if m.MediaMargin == nil {
		return Invalid("margins.mediaMargin", "is required")
	}
	for _, f := range []struct {
		field string
		value *float64
	}{
		{"mediaMargin", m.MediaMargin}, {"advertisingChargeCpm", m.AdvertisingChargeCPM},
		{"contextualChargeCpm", m.ContextualChargeCPM}, {"brandSafetyChargeCpm", m.BrandSafetyChargeCPM},
	} {
		if f.value != nil && *f.value < 0 {
			return Invalid("margins."+f.field, "must not be negative")
		}
	}
	return nil
}

func checkAttribution(s *rtb.AttributionSettings) error {
	if s == nil {
		return nil
	}
	for _, a := range []struct {
		field string
		value *rtb.Attribution
	}{{"postClick", s.PostClick}, {"postEngagement", s.PostEngagement}, {"postView", s.PostView}} {
		field := "attributionSettings." + a.field
		switch {
		case a.value == nil:
		case a.value.WindowInHours != nil && *a.value.WindowInHours < 0:
			return Invalid(field+".windowInHours", "must not be negative")
		case a.value.Percentage != nil && (*a.value.Percentage < 0 || *a.value.Percentage > 100):
			return Invalid(field+".percentage", "must be 0 to 100")
		}
	}
	return nil
}

// withDefaults returns the model with defaults for missing fields.
func withDefaults(m rtb.AdvertiserModel) rtb.AdvertiserModel {
	m.Status, m.CurrencyCode = cmp.Or(m.Status, rtb.Active), cmp.Or(m.CurrencyCode, defaultCurrency)
	for _, charge := range []**float64{&m.Margins.AdvertisingChargeCPM, &m.Margins.ContextualChargeCPM, &m.Margins.BrandSafetyChargeCPM} {
		if *charge == nil {
			*charge = new(0.0)
		}
	}
	var settings rtb.AttributionSettings
	if m.AttributionSettings != nil {
		settings = *m.AttributionSettings
	}
	m.AttributionSettings = &rtb.AttributionSettings{
		PostClick:      attribution(settings.PostClick, 720),
		PostEngagement: attribution(settings.PostEngagement, 72),
		PostView:       attribution(settings.PostView, 72),
	}
	return m
}

func attribution(given *rtb.Attribution, hours float64) *rtb.Attribution {
	full := rtb.Attribution{WindowInHours: new(hours), Percentage: new(10.0)}
	if given != nil && given.WindowInHours != nil {
		full.WindowInHours = given.WindowInHours
	}
	if given != nil && given.Percentage != nil {
		full.Percentage = given.Percentage
	}
	return &full
}

// hostname returns a domain in lower-case ASCII. It returns an error unless the domain has
// at least two levels.
func hostname(domain string) (string, error) {
	ascii, err := idna.Lookup.ToASCII(domain)
	if err != nil {
		return "", err
	}
	if again, err := idna.Lookup.ToASCII(ascii); err != nil || again != ascii { // idna accepts invalid UTF-8 as a letter
		return "", fmt.Errorf("read domain %q: it is not a domain", ascii)
	}
	long := func(label string) bool { return len(label) > 63 }
	if strings.Trim(ascii, "0123456789.") == "" || len(ascii) > 253 || slices.ContainsFunc(strings.Split(ascii, "."), long) {
		return "", fmt.Errorf("read domain %q: it is not a domain", ascii)
	}
	_, err = publicsuffix.EffectiveTLDPlusOne(ascii)
	return ascii, err
}

const currencyRule = "must be a currency code of ISO 4217, such as USD"

// knownCurrency reports whether code is in the table of currencies.
func knownCurrency(code string) bool {
	return slices.ContainsFunc(currencies(), func(c rtb.Currency) bool { return c.Code == code })
}
