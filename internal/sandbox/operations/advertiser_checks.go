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
	"usher/internal/sandbox/envelope"
	"usher/internal/sandbox/metadata"
)

// checkAdvertiser checks a model and normalizes its domain.
func checkAdvertiser(m *rtb.AdvertiserModel) error {
	domain, err := hostname(m.Domain)
	address, addressErr := mail.ParseAddress(m.CorrespondenceEmailAddress)
	switch {
	case strings.TrimSpace(m.Name) == "":
		return envelope.Invalid("name", "is required")
	case m.Status != "" && m.Status != rtb.Active && m.Status != rtb.Inactive:
		return envelope.Invalid("status", "must be ACTIVE or INACTIVE")
	case m.Domain == "":
		return envelope.Invalid("domain", "is required")
	case err != nil:
		return envelope.Invalid("domain", "must be a domain such as example.com")
	case m.CurrencyCode != "" && !knownCurrency(m.CurrencyCode):
		return envelope.Invalid("currencyCode", currencyRule)
	case m.CorrespondenceEmailAddress == "":
		return envelope.Invalid("correspondenceEmailAddress", "is required")
	case addressErr != nil || address.Address != m.CorrespondenceEmailAddress:
		return envelope.Invalid("correspondenceEmailAddress", "must be an e-mail address such as billing@example.com")
	}
	m.Domain = domain
	if err := checkMargins(m.Margins); err != nil {
		return err
	}
	return checkAttribution(m.AttributionSettings)
}

func checkMargins(m rtb.Margins) error {
	if m.MediaMargin == nil {
		return envelope.Invalid("margins.mediaMargin", "is required")
	}
	for _, f := range []struct {
		field string
		value *float64
	}{
		{"mediaMargin", m.MediaMargin}, {"advertisingChargeCpm", m.AdvertisingChargeCPM},
		{"contextualChargeCpm", m.ContextualChargeCPM}, {"brandSafetyChargeCpm", m.BrandSafetyChargeCPM},
	} {
		if f.value != nil && *f.value < 0 {
			return envelope.Invalid("margins."+f.field, "must not be negative")
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
			return envelope.Invalid(field+".windowInHours", "must not be negative")
		case a.value.Percentage != nil && (*a.value.Percentage < 0 || *a.value.Percentage > 100):
			return envelope.Invalid(field+".percentage", "must be 0 to 100")
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
	_, found := metadata.First(metadata.Currencies(), func(c rtb.Currency) bool { return c.Code == code })
	return found
}
