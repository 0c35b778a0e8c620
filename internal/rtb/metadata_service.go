package rtb

import (
	"context"
	"strings"
)

// MetadataService looks up the values that targeting accepts.
type MetadataService service

// Countries lists the countries with their regions.
//
// GET /v3/metadata/geo/countries
func (s *MetadataService) Countries(ctx context.Context) ([]Country, error) {
	answer, _, err := MetadataCountries.Do(ctx, s.client, Nothing{})
	return answer.Countries, err
}

// States lists the states of the USA.
//
// GET /v3/metadata/geo/states
func (s *MetadataService) States(ctx context.Context) ([]State, error) {
	answer, _, err := MetadataStates.Do(ctx, s.client, Nothing{})
	return answer.States, err
}

// Cities lists the cities of some countries, given by their two-letter codes. Without
// a country it lists all cities, over 400,000 records: keep the answer.
//
// GET /v3/metadata/geo/cities
func (s *MetadataService) Cities(ctx context.Context, countries ...string) ([]City, error) {
	answer, _, err := MetadataCities.Do(ctx, s.client, CitiesFilter{strings.Join(countries, ",")})
	return answer.Cities, err
}

// ZIPCodes lists the ZIP codes of the USA: tens of thousands of records.
//
// GET /v3/metadata/geo/zipCodes
func (s *MetadataService) ZIPCodes(ctx context.Context) ([]ZIPCode, error) {
	answer, _, err := MetadataZIPCodes.Do(ctx, s.client, Nothing{})
	return answer.ZIPCodes, err
}

// ZIPCode reads a ZIP code. An unknown ZIP code is not_found.
//
// GET /v3/metadata/geo/zipCodes/{zipCodeId}
func (s *MetadataService) ZIPCode(ctx context.Context, code string) (ZIPCode, error) {
	answer, _, err := MetadataZIPCode.Do(ctx, s.client, ZIPCodePath{code})
	return answer.ZIPCode, err
}

// DMACodes lists the designated market areas of the USA.
//
// GET /v3/metadata/geo/dmaCodes
func (s *MetadataService) DMACodes(ctx context.Context) ([]DMACode, error) {
	answer, _, err := MetadataDMACodes.Do(ctx, s.client, Nothing{})
	return answer.DMACodes, err
}

// DMACode reads a designated market area by its number. An unknown number is
// not_found.
//
// GET /v3/metadata/geo/dmaCodes/{dmaCodeId}
func (s *MetadataService) DMACode(ctx context.Context, code string) (DMACode, error) {
	answer, _, err := MetadataDMACode.Do(ctx, s.client, DMACodePath{code})
	return answer.DMACode, err
}

// Categories lists the IAB content categories. The list is flat; parentId is the id of
// the category above.
//
// GET /v3/metadata/categories
func (s *MetadataService) Categories(ctx context.Context) ([]Category, error) {
	answer, _, err := MetadataCategories.Do(ctx, s.client, Nothing{})
	return answer.Categories, err
}

// Category reads a category by its number. An unknown number is not_found.
//
// GET /v3/metadata/categories/{categoryId}
func (s *MetadataService) Category(ctx context.Context, id string) (Category, error) {
	answer, _, err := MetadataCategory.Do(ctx, s.client, CategoryPath{id})
	return answer.Category, err
}

// Sites lists the publisher sites of a category, given by its number. An unknown
// number is not_found.
//
// GET /v3/metadata/sites/{categoryId}
func (s *MetadataService) Sites(ctx context.Context, category string) ([]Site, error) {
	answer, _, err := MetadataSites.Do(ctx, s.client, CategoryPath{category})
	return answer.Sites, err
}

// Site reads a publisher site of a category by its URL. A site of another category is
// not_found.
//
// GET /v3/metadata/sites/{categoryId}/{site}
func (s *MetadataService) Site(ctx context.Context, category, site string) (Site, error) {
	answer, _, err := MetadataSite.Do(ctx, s.client, SitePath{category, site})
	return answer.Site, err
}

// Currencies lists the currencies.
//
// GET /v3/metadata/currencies
func (s *MetadataService) Currencies(ctx context.Context) ([]Currency, error) {
	answer, _, err := MetadataCurrencies.Do(ctx, s.client, Nothing{})
	return answer.Currencies, err
}

// FX reads today's exchange rate of a currency, in USD per unit. An unknown currency
// is not_found.
//
// GET /v3/metadata/fx/{currencyCode}
func (s *MetadataService) FX(ctx context.Context, currency string) (FXRate, error) {
	answer, _, err := MetadataFX.Do(ctx, s.client, CurrencyPath{currency})
	return answer.FXRate, err
}

// FXOn reads the exchange rate of a currency on a day in the past (YYYY-MM-DD), in USD
// per unit. Today and later days are refused.
//
// GET /v3/metadata/fx/{currencyCode}/{date}
func (s *MetadataService) FXOn(ctx context.Context, currency, date string) (FXRate, error) {
	answer, _, err := MetadataFXOn.Do(ctx, s.client, CurrencyDatePath{currency, date})
	return answer.FXRate, err
}

// OSes lists the operating systems and their versions.
//
// GET /v3/metadata/os
func (s *MetadataService) OSes(ctx context.Context) ([]OperatingSystem, error) {
	answer, _, err := MetadataOSes.Do(ctx, s.client, Nothing{})
	return answer.OSes, err
}

// Browsers lists the browsers and their versions.
//
// GET /v3/metadata/browsers
func (s *MetadataService) Browsers(ctx context.Context) ([]Browser, error) {
	answer, _, err := MetadataBrowsers.Do(ctx, s.client, Nothing{})
	return answer.Browsers, err
}

// Devices lists the devices.
//
// GET /v3/metadata/devices
func (s *MetadataService) Devices(ctx context.Context) ([]Device, error) {
	answer, _, err := MetadataDevices.Do(ctx, s.client, Nothing{})
	return answer.Devices, err
}

// Combinations lists the devices with the operating systems that run on them, and the
// browsers that run on each operating system.
//
// GET /v3/metadata/device-os-browser
func (s *MetadataService) Combinations(ctx context.Context) ([]Combination, error) {
	answer, _, err := MetadataCombinations.Do(ctx, s.client, Nothing{})
	return answer.Devices, err
}

// Languages lists the languages.
//
// GET /v3/metadata/languages
func (s *MetadataService) Languages(ctx context.Context) ([]Language, error) {
	answer, _, err := MetadataLanguages.Do(ctx, s.client, Nothing{})
	return answer.Languages, err
}

// ThirdPartySegments lists the segments of data vendors.
//
// GET /v3/metadata/segments/thirdparty
func (s *MetadataService) ThirdPartySegments(ctx context.Context) ([]ThirdPartySegment, error) {
	answer, _, err := MetadataThirdPartySegments.Do(ctx, s.client, Nothing{})
	return answer.Segments, err
}

// MobileOperators lists the operators of mobile networks.
//
// GET /v3/metadata/mobileOperators
func (s *MetadataService) MobileOperators(ctx context.Context) ([]MobileOperator, error) {
	answer, _, err := MetadataMobileOperators.Do(ctx, s.client, Nothing{})
	return answer.MobileOperators, err
}
