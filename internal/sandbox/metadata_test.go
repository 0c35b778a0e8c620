package sandbox_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/internal/sandbox"
)

func checkNotFound(t *testing.T, what string, err error) {
	t.Helper()
	var no *usher.Permanent
	if !errors.As(err, &no) || no.Class != usher.NotFound {
		t.Errorf("%s: %v, want not_found", what, err)
	}
}

// distinct returns the records of a list by key. It checks that there are at least
// so many, that none is empty, and that no key repeats.
func distinct[R any](t *testing.T, what string, list []R, err error, least int, key func(R) string) map[string]R {
	t.Helper()
	must(t, err)
	seen := map[string]R{}
	for _, record := range list {
		k := key(record)
		if _, twice := seen[k]; twice || strings.Trim(k, "\x00 ") == "" {
			t.Fatalf("%s: %+v appears twice, or is empty", what, record)
		}
		seen[k] = record
	}
	if len(list) < least {
		t.Errorf("%s: %d records, want %d", what, len(list), least)
	}
	return seen
}

func TestMetadataPlaces(t *testing.T) {
	t.Parallel()
	c, ctx := start(t, sandbox.Options{}).client(), t.Context()

	list, err := result[[]rtb.Country](rtb.MetadataCountries.Do(ctx, c, rtb.Nothing{}))
	countries := distinct(t, "countries", list, err, 249, func(r rtb.Country) string { return r.CountryCode })
	for code, want := range map[string]string{"US": "Americas", "DE": "Europe", "JP": "Asia", "KE": "Africa", "NZ": "Oceania", "AQ": "Antarctica"} {
		if countries[code].RegionName != want {
			t.Errorf("%s lies in %q, want %s", code, countries[code].RegionName, want)
		}
	}
	states, err := result[[]rtb.State](rtb.MetadataStates.Do(ctx, c, rtb.Nothing{}))
	if got := distinct(t, "states", states, err, 51, func(r rtb.State) string { return r.StateCode }); got["US-NY"].StateName != "New York" {
		t.Errorf("US-NY is %+v", got["US-NY"])
	}
	cities, err := result[[]rtb.City](rtb.MetadataCities.Do(ctx, c, rtb.CitiesFilter{}))
	distinct(t, "cities", cities, err, 3_000, func(r rtb.City) string {
		if _, found := countries[r.CountryCode]; !found || r.City == "" {
			t.Fatalf("%+v has no place", r)
		}
		return r.CountryCode + "\x00" + r.City
	})
	some, err := result[[]rtb.City](rtb.MetadataCities.Do(ctx, c, rtb.CitiesFilter{Countries: "LI,fr"}))
	must(t, err)
	want := 0
	for _, city := range cities {
		if city.CountryCode == "LI" || city.CountryCode == "FR" {
			want++
		}
	}
	if len(some) != want || want < 20 {
		t.Errorf("LI and FR have %d cities, want %d", len(some), want)
	}
	if err := errorOf(rtb.MetadataCities.Do(ctx, c, rtb.CitiesFilter{Countries: "LI,XX"})); err == nil || !strings.Contains(err.Error(), "countries") {
		t.Errorf("cities of XX: %v", err)
	}
	zips, err := result[[]rtb.ZIPCode](rtb.MetadataZIPCodes.Do(ctx, c, rtb.Nothing{}))
	distinct(t, "ZIP codes", zips, err, 900, func(r rtb.ZIPCode) string {
		if len(r.ZIPCode) != 5 || len(r.State) != 2 || r.PrimaryCity == "" {
			t.Fatalf("%+v has no place", r)
		}
		return r.ZIPCode
	})
	last, err := result[rtb.ZIPCode](rtb.MetadataZIPCode.Do(ctx, c, rtb.ZIPCodePath{ZIPCodeID: zips[len(zips)-1].ZIPCode}))
	must(t, err)
	if last != zips[len(zips)-1] {
		t.Errorf("the last ZIP code is %+v", last)
	}
	dmas, err := result[[]rtb.DMACode](rtb.MetadataDMACodes.Do(ctx, c, rtb.Nothing{}))
	if len(distinct(t, "DMA codes", dmas, err, 210, func(r rtb.DMACode) string { return fmt.Sprint(r.DMACode) })) != 210 {
		t.Errorf("%d DMA codes, want 210", len(dmas))
	}
	err = errorOf(rtb.MetadataZIPCode.Do(ctx, c, rtb.ZIPCodePath{ZIPCodeID: "00000"}))
	checkNotFound(t, "ZIP code 00000", err)
	err = errorOf(rtb.MetadataDMACode.Do(ctx, c, rtb.DMACodePath{DMACodeID: "five"}))
	checkNotFound(t, "DMA code five", err)
}

func TestMetadataCategories(t *testing.T) {
	t.Parallel()
	c, ctx := start(t, sandbox.Options{}).client(), t.Context()
	list, err := result[[]rtb.Category](rtb.MetadataCategories.Do(ctx, c, rtb.Nothing{}))
	all := distinct(t, "categories", list, err, 392, func(r rtb.Category) string { return fmt.Sprint(r.ID) })
	tops := 0
	for _, category := range list {
		if category.ParentID == 0 {
			tops++
		} else if all[fmt.Sprint(category.ParentID)].Name == "" {
			t.Errorf("%+v has no parent", category)
		}
	}
	if tops != 26 {
		t.Errorf("%d categories have no parent, want 26", tops)
	}
	sites, err := result[[]rtb.Site](rtb.MetadataSites.Do(ctx, c, rtb.CategoryPath{CategoryID: "101"}))
	must(t, err)
	if len(sites) == 0 {
		t.Fatal("category 101 has no sites")
	}
	for _, form := range []string{sites[0].Site, "http://" + sites[0].Site + "/", "https://www." + sites[0].Site + "/a?b=c"} {
		if site, err := result[rtb.Site](rtb.MetadataSite.Do(ctx, c, rtb.SitePath{CategoryID: "101", Site: form})); err != nil || site.ID != sites[0].ID {
			t.Errorf("site %s is %+v: %v", form, site, err)
		}
	}
	err = errorOf(rtb.MetadataCategory.Do(ctx, c, rtb.CategoryPath{CategoryID: "99999"}))
	checkNotFound(t, "category 99999", err)
	err = errorOf(rtb.MetadataSites.Do(ctx, c, rtb.CategoryPath{CategoryID: "x"}))
	checkNotFound(t, "sites of x", err)
	err = errorOf(rtb.MetadataSite.Do(ctx, c, rtb.SitePath{CategoryID: "1", Site: "unknown.invalid"}))
	checkNotFound(t, "an unknown site", err)
}

func TestMetadataLists(t *testing.T) {
	t.Parallel()
	c, ctx := start(t, sandbox.Options{}).client(), t.Context()
	currencies, err := result[[]rtb.Currency](rtb.MetadataCurrencies.Do(ctx, c, rtb.Nothing{}))
	distinct(t, "currencies", currencies, err, 150, func(r rtb.Currency) string { return r.Code })
	languages, err := result[[]rtb.Language](rtb.MetadataLanguages.Do(ctx, c, rtb.Nothing{}))
	distinct(t, "languages", languages, err, 180, func(r rtb.Language) string { return r.Code })
	systems, err := result[[]rtb.OperatingSystem](rtb.MetadataOSes.Do(ctx, c, rtb.Nothing{}))
	distinct(t, "systems", systems, err, 50, func(r rtb.OperatingSystem) string { return r.OSName })
	browsers, err := result[[]rtb.Browser](rtb.MetadataBrowsers.Do(ctx, c, rtb.Nothing{}))
	distinct(t, "browsers", browsers, err, 50, func(r rtb.Browser) string { return r.BrowserName })
	devices, err := result[[]rtb.Device](rtb.MetadataDevices.Do(ctx, c, rtb.Nothing{}))
	distinct(t, "devices", devices, err, 50, func(r rtb.Device) string { return r.DeviceName })
	segments, err := result[[]rtb.ThirdPartySegment](rtb.MetadataThirdPartySegments.Do(ctx, c, rtb.Nothing{}))
	distinct(t, "third-party segments", segments, err, 300, func(r rtb.ThirdPartySegment) string { return r.SegmentCode })
	operators, err := result[[]rtb.MobileOperator](rtb.MetadataMobileOperators.Do(ctx, c, rtb.Nothing{}))
	distinct(t, "mobile operators", operators, err, 300, func(r rtb.MobileOperator) string { return r.Name })
	combinations, err := result[[]rtb.Combination](rtb.MetadataCombinations.Do(ctx, c, rtb.Nothing{}))
	distinct(t, "combinations", combinations, err, len(devices), func(r rtb.Combination) string { return r.Device.DeviceName })
	for _, combination := range combinations {
		if len(combination.OperatingSystems) == 0 || len(combination.OperatingSystems[0].Browsers) == 0 {
			t.Errorf("nothing runs on %s", combination.Device.DeviceName)
		}
	}
}

func TestFXRates(t *testing.T) {
	t.Parallel()
	clock := newClock()
	c, ctx := start(t, sandbox.Options{Now: clock.now}).client(), t.Context()
	for day := time.Date(2014, 3, 10, 0, 0, 0, 0, time.UTC); day.Before(time.Date(2014, 4, 21, 0, 0, 0, 0, time.UTC)); day = day.AddDate(0, 0, 1) {
		rate, err := result[rtb.FXRate](rtb.MetadataFXOn.Do(ctx, c, rtb.CurrencyDatePath{CurrencyCode: "EUR", Date: day.Format(time.DateOnly)}))
		must(t, err)
		if rate.FXRateToUSD < 1.37 || rate.FXRateToUSD > 1.40 || rate.CurrencyName != "Euro" || !strings.HasPrefix(rate.RateDate, day.Format(time.DateOnly)) {
			t.Errorf("on %s: %+v", day, rate)
		}
	}
	for code, bounds := range map[string][2]float64{"USD": {1, 1}, "GBP": {1.1, 1.5}, "JPY": {0.005, 0.01}} {
		if rate, err := result[rtb.FXRate](rtb.MetadataFX.Do(ctx, c, rtb.CurrencyPath{CurrencyCode: code})); err != nil || rate.FXRateToUSD < bounds[0] || rate.FXRateToUSD > bounds[1] {
			t.Errorf("%s is %+v: %v", code, rate, err)
		}
	}
	err := errorOf(rtb.MetadataFX.Do(ctx, c, rtb.CurrencyPath{CurrencyCode: "XXX"}))
	checkNotFound(t, "XXX", err)
	err = errorOf(rtb.MetadataFXOn.Do(ctx, c, rtb.CurrencyDatePath{CurrencyCode: "EUR", Date: "2000-01-01"}))
	checkNotFound(t, "before the table", err)
	if err := errorOf(rtb.MetadataFXOn.Do(ctx, c, rtb.CurrencyDatePath{CurrencyCode: "EUR", Date: clock.now().Format(time.DateOnly)})); err == nil || !strings.Contains(err.Error(), "past") {
		t.Errorf("today's historical rate: %v", err)
	}
	if err := errorOf(rtb.MetadataFXOn.Do(ctx, c, rtb.CurrencyDatePath{CurrencyCode: "EUR", Date: "10.3.2014"})); err == nil || !strings.Contains(err.Error(), "YYYY-MM-DD") {
		t.Errorf("a bad date: %v", err)
	}
}

// TestFaultsOfLists checks that faults work on long lists.
func TestFaultsOfLists(t *testing.T) {
	t.Parallel()
	p := start(t, sandbox.Options{})
	c, ctx := p.client(), t.Context()
	p.order("/sandbox/faults", `{"op":"metadata.dma-codes","kind":"warnings","body":[{"code":"W1","description":"mind"}]}`)
	answer, warnings, err := rtb.MetadataDMACodes.Do(ctx, c, rtb.Nothing{})
	must(t, err)
	if len(answer.DMACodes) != 210 || len(warnings) != 1 {
		t.Errorf("%d DMA codes and warnings %v", len(answer.DMACodes), warnings)
	}
	p.order("/sandbox/faults", `{"op":"metadata.dma-codes","kind":"broken_json"}`)
	var down *usher.Unavailable
	if err := errorOf(rtb.MetadataDMACodes.Do(ctx, c, rtb.Nothing{})); !errors.As(err, &down) {
		t.Errorf("broken JSON: %v", err)
	}
	var raw struct{ Data json.RawMessage }
	if status := p.ask("GET", "/v3/metadata/geo/cities", "", &raw); status != 401 {
		t.Errorf("without a token: %d", status)
	}
}

// TestRatesHaveCurrencies reads the whole table of rates.
func TestRatesHaveCurrencies(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("operations/tables/rates.json")
	must(t, err)
	var days []struct {
		Day string             `json:"day"`
		USD map[string]float64 `json:"usd"`
	}
	must(t, json.Unmarshal(text, &days))
	list, err := result[[]rtb.Currency](rtb.MetadataCurrencies.Do(t.Context(), start(t, sandbox.Options{}).client(), rtb.Nothing{}))
	names := distinct(t, "currencies", list, err, 150, func(r rtb.Currency) string { return r.Code })
	for i, day := range days {
		if i > 0 && day.Day <= days[i-1].Day {
			t.Errorf("%s follows %s", day.Day, days[i-1].Day)
		}
		for code, rate := range day.USD {
			if names[code].Name == "" || rate <= 0 || rate > 10 {
				t.Errorf("%s is worth %v USD on %s", code, rate, day.Day)
			}
		}
	}
	if len(days) < 28 || days[0].Day > "2013-01-01" {
		t.Errorf("there are %d days, from %s", len(days), days[0].Day)
	}
}
