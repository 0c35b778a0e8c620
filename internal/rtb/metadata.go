package rtb

// CitiesFilter selects the countries of the cities.
type CitiesFilter struct {
	Countries string `query:"countries,optional"` // country codes, separated by commas; default: all countries, over 400,000 records
}

// ZIPCodePath identifies a ZIP code.
type ZIPCodePath struct {
	ZIPCodeID string `path:"zipCodeId"` // a ZIP code of five digits
}

// DMACodePath identifies a designated market area.
type DMACodePath struct {
	DMACodeID string `path:"dmaCodeId"` // a number
}

// CategoryPath identifies a category.
type CategoryPath struct {
	CategoryID string `path:"categoryId"` // a number
}

// SitePath identifies a site of a category.
type SitePath struct {
	CategoryID string `path:"categoryId"` // a number
	Site       string `path:"site"`       // a site's URL
}

// CurrencyPath identifies a currency.
type CurrencyPath struct {
	CurrencyCode string `path:"currencyCode"` // a currency code of ISO 4217, such as EUR
}

// CurrencyDatePath identifies a currency and a day in the past.
type CurrencyDatePath struct {
	CurrencyCode string `path:"currencyCode"` // a currency code of ISO 4217, such as EUR
	Date         string `path:"date"`         // YYYY-MM-DD
}

// CountriesAnswer has countries.
type CountriesAnswer struct {
	Countries []Country `json:"countries"`
}

// StatesAnswer has states. Their key is countries, as in the interface.
type StatesAnswer struct {
	States []State `json:"countries"`
}

// CitiesAnswer has cities.
type CitiesAnswer struct {
	Cities []City `json:"cities"`
}

// ZIPCodesAnswer has ZIP codes.
type ZIPCodesAnswer struct {
	ZIPCodes []ZIPCode `json:"zipCodes"`
}

// ZIPCodeAnswer has a ZIP code.
type ZIPCodeAnswer struct {
	ZIPCode ZIPCode `json:"zipCode"`
}

// DMACodesAnswer has designated market areas.
type DMACodesAnswer struct {
	DMACodes []DMACode `json:"dmaCodes"`
}

// DMACodeAnswer has a designated market area.
type DMACodeAnswer struct {
	DMACode DMACode `json:"dmaCode"`
}

// CategoriesAnswer has categories.
type CategoriesAnswer struct {
	Categories []Category `json:"categories"`
}

// CategoryAnswer has a category.
type CategoryAnswer struct {
	Category Category `json:"category"`
}

// SitesAnswer has sites.
type SitesAnswer struct {
	Sites []Site `json:"sites"`
}

// SiteAnswer has a site.
type SiteAnswer struct {
	Site Site `json:"site"`
}

// CurrenciesAnswer has currencies.
type CurrenciesAnswer struct {
	Currencies []Currency `json:"currencies"`
}

// FXRateAnswer has a rate.
type FXRateAnswer struct {
	FXRate FXRate `json:"fxRate"`
}

// OSesAnswer has operating systems.
type OSesAnswer struct {
	OSes []OperatingSystem `json:"oses"`
}

// BrowsersAnswer has browsers.
type BrowsersAnswer struct {
	Browsers []Browser `json:"browsers"`
}

// DevicesAnswer has devices.
type DevicesAnswer struct {
	Devices []Device `json:"devices"`
}

// CombinationsAnswer has combinations. Their key is devices.
type CombinationsAnswer struct {
	Devices []Combination `json:"devices"`
}

// LanguagesAnswer has languages.
type LanguagesAnswer struct {
	Languages []Language `json:"languages"`
}

// ThirdPartySegmentsAnswer has segments of data vendors.
type ThirdPartySegmentsAnswer struct {
	Segments []ThirdPartySegment `json:"segments"`
}

// MobileOperatorsAnswer has mobile operators.
type MobileOperatorsAnswer struct {
	MobileOperators []MobileOperator `json:"mobileOperators"`
}

// The lookups of the values that targeting accepts.
var (
	MetadataCountries          = get[Nothing, CountriesAnswer]("metadata.countries", "/v3/metadata/geo/countries", "List the countries")
	MetadataStates             = get[Nothing, StatesAnswer]("metadata.states", "/v3/metadata/geo/states", "List the states of the USA")
	MetadataCities             = get[CitiesFilter, CitiesAnswer]("metadata.cities", "/v3/metadata/geo/cities", "List the cities, of all countries or some")
	MetadataZIPCodes           = get[Nothing, ZIPCodesAnswer]("metadata.zip-codes", "/v3/metadata/geo/zipCodes", "List the ZIP codes of the USA")
	MetadataZIPCode            = get[ZIPCodePath, ZIPCodeAnswer]("metadata.zip-code", "/v3/metadata/geo/zipCodes/{zipCodeId}", "Read a ZIP code", 404)
	MetadataDMACodes           = get[Nothing, DMACodesAnswer]("metadata.dma-codes", "/v3/metadata/geo/dmaCodes", "List the designated market areas of the USA")
	MetadataDMACode            = get[DMACodePath, DMACodeAnswer]("metadata.dma-code", "/v3/metadata/geo/dmaCodes/{dmaCodeId}", "Read a designated market area", 404)
	MetadataCategories         = get[Nothing, CategoriesAnswer]("metadata.categories", "/v3/metadata/categories", "List the IAB content categories")
	MetadataCategory           = get[CategoryPath, CategoryAnswer]("metadata.category", "/v3/metadata/categories/{categoryId}", "Read an IAB content category", 404)
	MetadataSites              = get[CategoryPath, SitesAnswer]("metadata.sites", "/v3/metadata/sites/{categoryId}", "List the publisher sites of a category", 404)
	MetadataSite               = get[SitePath, SiteAnswer]("metadata.site", "/v3/metadata/sites/{categoryId}/{site}", "Read a publisher site of a category", 404)
	MetadataCurrencies         = get[Nothing, CurrenciesAnswer]("metadata.currencies", "/v3/metadata/currencies", "List the currencies")
	MetadataFX                 = get[CurrencyPath, FXRateAnswer]("metadata.fx", "/v3/metadata/fx/{currencyCode}", "Read the latest rate of a currency to USD", 404)
	MetadataFXOn               = get[CurrencyDatePath, FXRateAnswer]("metadata.fx-on", "/v3/metadata/fx/{currencyCode}/{date}", "Read the rate of a currency to USD on a past day", 400, 404)
	MetadataOSes               = get[Nothing, OSesAnswer]("metadata.oses", "/v3/metadata/os", "List the operating systems")
	MetadataBrowsers           = get[Nothing, BrowsersAnswer]("metadata.browsers", "/v3/metadata/browsers", "List the browsers")
	MetadataDevices            = get[Nothing, DevicesAnswer]("metadata.devices", "/v3/metadata/devices", "List the devices")
	MetadataCombinations       = get[Nothing, CombinationsAnswer]("metadata.combinations", "/v3/metadata/device-os-browser", "List the devices with their operating systems and browsers")
	MetadataLanguages          = get[Nothing, LanguagesAnswer]("metadata.languages", "/v3/metadata/languages", "List the languages")
	MetadataThirdPartySegments = get[Nothing, ThirdPartySegmentsAnswer]("metadata.third-party-segments", "/v3/metadata/segments/thirdparty", "List the third-party segments")
	MetadataMobileOperators    = get[Nothing, MobileOperatorsAnswer]("metadata.mobile-operators", "/v3/metadata/mobileOperators", "List the mobile operators")
)

func metadataOperations() []Operation {
	return []Operation{
		MetadataCountries.Operation, MetadataStates.Operation, MetadataCities.Operation, MetadataZIPCodes.Operation, MetadataZIPCode.Operation,
		MetadataDMACodes.Operation, MetadataDMACode.Operation, MetadataCategories.Operation, MetadataCategory.Operation,
		MetadataSites.Operation, MetadataSite.Operation, MetadataCurrencies.Operation, MetadataFX.Operation, MetadataFXOn.Operation,
		MetadataOSes.Operation, MetadataBrowsers.Operation, MetadataDevices.Operation, MetadataCombinations.Operation,
		MetadataLanguages.Operation, MetadataThirdPartySegments.Operation, MetadataMobileOperators.Operation,
	}
}
