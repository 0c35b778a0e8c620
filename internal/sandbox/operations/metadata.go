package operations

import (
	"hash/fnv"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"usher/internal/rtb"
)

// findCities lists the cities of all countries, or of those in the filter.
func (s *State) findCities(_ *Call, in rtb.CitiesFilter) (rtb.CitiesAnswer, error) {
	if in.Countries == "" {
		return rtb.CitiesAnswer{Cities: cities()}, nil
	}
	var wanted []string
	for code := range strings.SplitSeq(strings.ToUpper(in.Countries), ",") {
		code = strings.TrimSpace(code)
		if !slices.ContainsFunc(countries(), func(country rtb.Country) bool { return country.CountryCode == code }) {
			return rtb.CitiesAnswer{}, Invalid("countries", "must be two-letter country codes, delimited by commas: one is unknown")
		}
		wanted = append(wanted, code)
	}
	found := []rtb.City{}
	for _, city := range cities() {
		if slices.Contains(wanted, city.CountryCode) {
			found = append(found, city)
		}
	}
	return rtb.CitiesAnswer{Cities: found}, nil
}

func (s *State) zipCode(_ *Call, in rtb.ZIPCodePath) (rtb.ZIPCodeAnswer, error) {
	code, err := findRecord(zipCodes(), "ZIP code", in.ZIPCodeID, func(z rtb.ZIPCode) bool { return z.ZIPCode == in.ZIPCodeID })
	return rtb.ZIPCodeAnswer{ZIPCode: code}, err
}

func (s *State) dmaCode(_ *Call, in rtb.DMACodePath) (rtb.DMACodeAnswer, error) {
	number := parseCount(in.DMACodeID)
	code, err := findRecord(dmaCodes(), "DMA code", in.DMACodeID, func(d rtb.DMACode) bool { return d.DMACode == number })
	return rtb.DMACodeAnswer{DMACode: code}, err
}

func (s *State) category(_ *Call, in rtb.CategoryPath) (rtb.CategoryAnswer, error) {
	category, err := findCategory(in.CategoryID)
	return rtb.CategoryAnswer{Category: category}, err
}

// findCategory returns the category with the id in a path.
func findCategory(id string) (rtb.Category, error) {
	number := parseCount(id)
	return findRecord(categories(), "category", id, func(c rtb.Category) bool { return c.ID == number })
}

// parseCount parses a number in a path. Text that is not a number is 0, which is no id.
func parseCount(text string) rtb.Count {
	n, _ := strconv.ParseInt(text, 10, 64)
	return rtb.Count(n)
}

func (s *State) sites(c *Call, in rtb.CategoryPath) (rtb.SitesAnswer, error) {
	category, err := findCategory(in.CategoryID)
	if err != nil {
		return rtb.SitesAnswer{}, err
	}
	return rtb.SitesAnswer{Sites: sitesOf(category, c.Now)}, nil
}

func (s *State) site(c *Call, in rtb.SitePath) (rtb.SiteAnswer, error) {
	category, err := findCategory(in.CategoryID)
	if err != nil {
		return rtb.SiteAnswer{}, err
	}
	host := siteHost(in.Site)
	site, err := findRecord(sitesOf(category, c.Now), "site", in.Site, func(site rtb.Site) bool { return site.Site == host })
	return rtb.SiteAnswer{Site: site}, err
}

// sitesOf returns the publishers' sites of a category. A sub-category has the sites of its
// parent, with other weights. Weights and visits are generated.
func sitesOf(category rtb.Category, now time.Time) []rtb.Site {
	top := category.ID
	if category.ParentID != 0 {
		top = category.ParentID
	}
	list := []rtb.Site{}
	for _, site := range publisherSites() {
		if site.Category != top {
			continue
		}
		h := mix(site.Site, category.Name)
		list = append(list, rtb.Site{
			ID: site.ID, Site: site.Site, Weight: float64(h%100+1) / 100, Visits: rtb.Count(10_000 + h/100%990_000),
			LastVisit: formatTime(now.Add(-time.Duration(h%3600) * time.Second)),
		})
	}
	return list
}

// siteHost returns the host of a site, which may be given as a URL.
func siteHost(site string) string {
	if !strings.Contains(site, "://") {
		site = "http://" + site
	}
	u, err := url.Parse(site)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
}

// mix returns a hash of texts, from which figures are generated. It is the same in every
// run.
func mix(texts ...string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(strings.Join(texts, "\n"))) // never fails
	sum := h.Sum64()
	sum ^= sum >> 33 // so that texts with different last letters have very different hashes
	sum *= 0xff51afd7ed558ccd
	sum ^= sum >> 33
	return sum
}

func (s *State) fx(c *Call, in rtb.CurrencyPath) (rtb.FXRateAnswer, error) {
	return fxRate(in.CurrencyCode, dayOf(c.Now))
}

func (s *State) fxOn(c *Call, in rtb.CurrencyDatePath) (rtb.FXRateAnswer, error) {
	if err := checkDate("date", in.Date); err != nil {
		return rtb.FXRateAnswer{}, err
	}
	if in.Date >= dayOf(c.Now) {
		return rtb.FXRateAnswer{}, Invalid("date", "must be in the past")
	}
	return fxRate(in.CurrencyCode, in.Date)
}

func fxRate(code, day string) (rtb.FXRateAnswer, error) {
	rate, found := usdRate(code, day)
	if !found {
		return rtb.FXRateAnswer{}, Unknown("rate of", code)
	}
	currency, err := findRecord(currencies(), "currency", code, func(c rtb.Currency) bool { return c.Code == code })
	return rtb.FXRateAnswer{FXRate: rtb.FXRate{
		CurrencyCode: code, CurrencyName: currency.Name, FXRateToUSD: rate, RateDate: day + "T00:00:00.000",
	}}, err
}

// combinations lists the devices, each with the operating systems that run on it, and each
// system with the browsers that run on it. The systems have no versions.
func combinations() rtb.CombinationsAnswer {
	list := []rtb.Combination{}
	for _, device := range devices() {
		combination := rtb.Combination{Device: rtb.DeviceName{DeviceName: device.DeviceName, DeviceFamily: device.DeviceFamily}}
		for _, pair := range deviceSystems() {
			if pair.Device == device.DeviceFamily {
				combination.OperatingSystems = append(combination.OperatingSystems, systemsOf(pair)...)
			}
		}
		list = append(list, combination)
	}
	return rtb.CombinationsAnswer{Devices: list}
}

// systemsOf returns the systems of a family with their browsers.
func systemsOf(pair deviceSystem) []rtb.SystemOfBrowsers {
	var list []rtb.SystemOfBrowsers
	for _, system := range operatingSystems() {
		if system.OSFamily != pair.System || system.OSMajorVersion != "" {
			continue
		}
		entry := rtb.SystemOfBrowsers{OperatingSystem: rtb.SystemName{OSName: system.OSName, OSFamily: system.OSFamily}}
		for _, browser := range browsers() {
			if slices.Contains(pair.Browsers, browser.BrowserFamily) {
				entry.Browsers = append(entry.Browsers, browser)
			}
		}
		list = append(list, entry)
	}
	return list
}
