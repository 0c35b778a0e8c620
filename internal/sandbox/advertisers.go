package sandbox

import (
	"fmt"
	"maps"
	"net/mail"
	"slices"
	"strings"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"

	"usher/internal/rtb"
)

const currencyRule = "must be a currency code of ISO 4217, such as USD"

// knownCurrency reports whether code is one of the currencies' lookup.
func knownCurrency(code string) bool {
	_, found := first(currencies(), func(c rtb.Currency) bool { return c.Code == code })
	return found
}

func (w *world) createAdvertiser(c *call, in rtb.NewAdvertiser) (rtb.AdvertiserCode, error) {
	model := in.Advertiser
	if model.Code != "" {
		return rtb.AdvertiserCode{}, invalid("code", "is generated and must not be sent")
	}
	if err := checkAdvertiser(&model); err != nil {
		return rtb.AdvertiserCode{}, err
	}
	number, counted := w.next("advertiser")
	for w.advertisers.has(fmt.Sprintf("ADV%d", number)) {
		number++
		counted = w.counters.put("advertiser", number)
	}
	model.Code = fmt.Sprintf("ADV%d", number)
	maker := w.users.rows[c.user]
	maker.Links = maps.Clone(maker.Links)
	if maker.Links == nil { // who reaches its advertiser as AGENCYADMIN of a parent may have lost all links of its own
		maker.Links = map[string]string{}
	}
	maker.Links[model.Code] = rtb.RealmAdmin
	return rtb.AdvertiserCode{Code: model.Code}, w.commit(nil, counted,
		w.advertisers.put(model.Code, advertiser{Model: withDefaults(model), Parent: c.advertiser}), w.users.put(c.user, maker))
}

// checkAdvertiser checks a model; its domain is put into the usual form.
func checkAdvertiser(m *rtb.AdvertiserModel) error {
	domain, err := hostname(m.Domain)
	address, addressErr := mail.ParseAddress(m.CorrespondenceEmailAddress)
	switch {
	case strings.TrimSpace(m.Name) == "":
		return invalid("name", "is required")
	case m.Status != "" && m.Status != rtb.Active && m.Status != rtb.Inactive:
		return invalid("status", "must be ACTIVE or INACTIVE")
	case m.Domain == "":
		return invalid("domain", "is required")
	case err != nil:
		return invalid("domain", "must be a domain such as example.com")
	case m.CurrencyCode != "" && !knownCurrency(m.CurrencyCode):
		return invalid("currencyCode", currencyRule)
	case m.CorrespondenceEmailAddress == "":
		return invalid("correspondenceEmailAddress", "is required")
	case addressErr != nil || address.Address != m.CorrespondenceEmailAddress:
		return invalid("correspondenceEmailAddress", "must be an e-mail address such as billing@example.com")
	}
	m.Domain = domain
	if err := checkMargins(m.Margins); err != nil {
		return err
	}
	return checkAttribution(m.AttributionSettings)
}

func checkMargins(m rtb.Margins) error {
	if m.MediaMargin == nil {
		return invalid("margins.mediaMargin", "is required")
	}
	for _, f := range []struct {
		field string
		value *float64
	}{
		{"mediaMargin", m.MediaMargin}, {"advertisingChargeCpm", m.AdvertisingChargeCPM},
		{"contextualChargeCpm", m.ContextualChargeCPM}, {"brandSafetyChargeCpm", m.BrandSafetyChargeCPM},
	} {
		if f.value != nil && *f.value < 0 {
			return invalid("margins."+f.field, "must not be negative")
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
			return invalid(field+".windowInHours", "must not be negative")
		case a.value.Percentage != nil && (*a.value.Percentage < 0 || *a.value.Percentage > 100):
			return invalid(field+".percentage", "must be 0 to 100")
		}
	}
	return nil
}

// withDefaults fills in what a model leaves out.
func withDefaults(m rtb.AdvertiserModel) rtb.AdvertiserModel {
	for text, or := range map[*string]string{&m.Status: rtb.Active, &m.CurrencyCode: defaultCurrency} {
		if *text == "" {
			*text = or
		}
	}
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

// hostname is a domain of at least two levels in lower-case ASCII.
func hostname(domain string) (string, error) {
	ascii, err := idna.Lookup.ToASCII(domain)
	if err != nil {
		return "", err
	}
	if again, err := idna.Lookup.ToASCII(ascii); err != nil || again != ascii { // it takes broken UTF-8 for a letter
		return "", fmt.Errorf("read domain %q: it is none", ascii)
	}
	long := func(label string) bool { return len(label) > 63 }
	if strings.Trim(ascii, "0123456789.") == "" || len(ascii) > 253 || slices.ContainsFunc(strings.Split(ascii, "."), long) {
		return "", fmt.Errorf("read domain %q: it is none", ascii)
	}
	_, err = publicsuffix.EffectiveTLDPlusOne(ascii)
	return ascii, err
}

// ownAdvertiser finds an advertiser that the caller may reach.
func (w *world) ownAdvertiser(c *call, code string) (advertiser, error) {
	row, found := w.advertisers.rows[code]
	if !found {
		return advertiser{}, unknown("advertiser", code)
	}
	return row, w.reach(c, code)
}

func (w *world) listAdvertisers(c *call, _ rtb.Nothing) (rtb.AdvertisersAnswer, error) {
	return rtb.AdvertisersAnswer{Advertisers: w.reachable(c.user)}, nil
}

func (w *world) getAdvertiser(c *call, in rtb.AdvertiserPath) (rtb.AdvertiserAnswer, error) {
	row, err := w.ownAdvertiser(c, in.AdvertiserCode)
	if err != nil {
		return rtb.AdvertiserAnswer{}, err
	}
	m := row.Model
	return rtb.AdvertiserAnswer{Advertiser: rtb.Advertiser{
		Code: m.Code, Name: m.Name, Status: m.Status, CurrencyCode: m.CurrencyCode,
		Margins: m.Margins, AttributionSettings: m.AttributionSettings,
	}}, nil
}

func (w *world) updateAdvertiser(c *call, in rtb.AdvertiserUpdate) (rtb.Nothing, error) {
	row, err := w.ownAdvertiser(c, in.AdvertiserCode)
	if err != nil {
		return rtb.Nothing{}, err
	}
	model := in.Advertiser
	if model.Code != "" && model.Code != in.AdvertiserCode {
		return rtb.Nothing{}, invalid("code", "must be that of the path, it never changes")
	}
	if err := checkAdvertiser(&model); err != nil {
		return rtb.Nothing{}, err
	}
	model.Code = in.AdvertiserCode
	row.Model = withDefaults(model)
	return rtb.Nothing{}, w.commit(nil, w.advertisers.put(in.AdvertiserCode, row))
}

func (w *world) deleteAdvertiser(c *call, in rtb.AdvertiserPath) (rtb.Nothing, error) {
	row, err := w.ownAdvertiser(c, in.AdvertiserCode)
	if err != nil {
		return rtb.Nothing{}, err
	}
	row.Model.Status = rtb.Inactive
	return rtb.Nothing{}, w.commit(nil, w.advertisers.put(in.AdvertiserCode, row))
}
