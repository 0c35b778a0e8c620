package rtb

// Country is a country of ISO 3166-1.
type Country struct {
	CountryCode string `json:"countryCode" help:"two letters"`
	CountryName string `json:"countryName"`
	RegionName  string `json:"regionName"`
}

// State is a state of the USA.
type State struct {
	StateCode string `json:"stateCode" help:"ISO 3166-2: US-CA"`
	StateName string `json:"stateName"`
}

// City is a city. Several cities may have the same name.
type City struct {
	City        string `json:"city"`
	CountryCode string `json:"countryCode" help:"ISO 3166-1, two letters"`
}

// ZIPCode is a ZIP code of the USA.
type ZIPCode struct {
	ZIPCode     string `json:"zipCode"     help:"five digits"`
	PrimaryCity string `json:"primaryCity"`
	State       string `json:"state"`
}

// DMACode is a designated market area of the USA.
type DMACode struct {
	DMACode   Count  `json:"dmaCode"`
	DMARegion string `json:"dmaRegion"`
}

// Category is an IAB content category.
type Category struct {
	ID       Count  `json:"id"`
	Name     string `json:"name"`
	ParentID Count  `json:"parentId,omitempty" help:"of the category above; 0: none"`
}

// Site is a publisher's site.
type Site struct {
	ID        Count   `json:"id"`
	Site      string  `json:"site"`
	Weight    float64 `json:"weight"`
	Visits    Count   `json:"visits"`
	LastVisit string  `json:"lastVisit" help:"YYYY-MM-DDTHH:MM:SS.mmm, no zone"`
}

// Currency is a currency of ISO 4217.
type Currency struct {
	Code string `json:"code" help:"three letters"`
	Name string `json:"name"`
}

// FXRate is the value of a unit of a currency in USD.
type FXRate struct {
	CurrencyCode string  `json:"currencyCode"`
	CurrencyName string  `json:"currencyName"`
	FXRateToUSD  float64 `json:"fxRateToUSD"`
	RateDate     string  `json:"rateDate"     help:"YYYY-MM-DDTHH:MM:SS.mmm, no zone"`
}

// OperatingSystem is an operating system or a version of one.
type OperatingSystem struct {
	OSName         string `json:"osName"`
	OSFamily       string `json:"osFamily"`
	OSMajorVersion string `json:"osMajorVersion,omitempty"`
	OSMinorVersion string `json:"osMinorVersion,omitempty"`
}

// Browser is a browser or a version of one.
type Browser struct {
	BrowserName         string `json:"browserName"`
	BrowserFamily       string `json:"browserFamily"`
	BrowserMajorVersion string `json:"browserMajorVersion,omitempty"`
	BrowserMinorVersion string `json:"browserMinorVersion,omitempty"`
}

// Device is a device or a version of one.
type Device struct {
	DeviceName         string `json:"deviceName"`
	DeviceFamily       string `json:"deviceFamily"`
	DeviceMajorVersion string `json:"deviceMajorVersion,omitempty"`
	DeviceMinorVersion string `json:"deviceMinorVersion,omitempty"`
}

// Combination is a device with the operating systems that run on it.
type Combination struct {
	Device           DeviceName         `json:"device"`
	OperatingSystems []SystemOfBrowsers `json:"operatingSystems"`
}

// DeviceName names a device in a Combination.
type DeviceName struct {
	DeviceName   string `json:"deviceName"`
	DeviceFamily string `json:"deviceFamily"`
}

// SystemOfBrowsers is an operating system with the browsers that run on it.
type SystemOfBrowsers struct {
	OperatingSystem SystemName `json:"operatingSystem"`
	Browsers        []Browser  `json:"browsers"`
}

// SystemName names an operating system in a Combination.
type SystemName struct {
	OSName   string `json:"osName"`
	OSFamily string `json:"osFamily"`
}

// Language is a language of ISO 639-1.
type Language struct {
	Code string `json:"code" help:"two letters"`
	Name string `json:"name"`
}

// ThirdPartySegment is an audience segment of a data vendor.
type ThirdPartySegment struct {
	SegmentCode   string `json:"segmentCode"`
	SegmentVendor string `json:"segmentVendor"`
	SegmentName   string `json:"segmentName"`
}

// MobileOperator is an operator of a mobile network.
type MobileOperator struct {
	Name string `json:"name"`
}

// CitiesFilter selects the countries of the cities.
type CitiesFilter struct {
	Countries string `query:"countries,optional" help:"country codes, separated by commas; default: all countries, over 400,000 records"`
}

// ZIPCodePath identifies a ZIP code.
type ZIPCodePath struct {
	ZIPCodeID string `path:"zipCodeId" help:"a ZIP code of five digits"`
}

// DMACodePath identifies a designated market area.
type DMACodePath struct {
	DMACodeID string `path:"dmaCodeId" help:"a number"`
}

// CategoryPath identifies a category.
type CategoryPath struct {
	CategoryID string `path:"categoryId" help:"a number"`
}

// SitePath identifies a site of a category.
type SitePath struct {
	CategoryID string `path:"categoryId" help:"a number"`
	Site       string `path:"site"       help:"a site's URL"`
}

// CurrencyPath identifies a currency.
type CurrencyPath struct {
	CurrencyCode string `path:"currencyCode" help:"a currency code of ISO 4217, such as EUR"`
}

// CurrencyDatePath identifies a currency and a day in the past.
type CurrencyDatePath struct {
	CurrencyCode string `path:"currencyCode" help:"a currency code of ISO 4217, such as EUR"`
	Date         string `path:"date"         help:"YYYY-MM-DD"`
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
	MetadataCountries = get[Nothing, CountriesAnswer]("metadata.countries", "/v3/metadata/geo/countries", "List the countries",
		"List the countries with their regions.")
	MetadataStates = get[Nothing, StatesAnswer]("metadata.states", "/v3/metadata/geo/states", "List the states of the USA",
		"List the states of the USA.")
	MetadataCities = get[CitiesFilter, CitiesAnswer]("metadata.cities", "/v3/metadata/geo/cities", "List the cities, of all countries or some",
		"List the cities of some countries, given by their two-letter codes. Without a country it lists all cities, over 400,000 records: keep the answer.")
	MetadataZIPCodes = get[Nothing, ZIPCodesAnswer]("metadata.zip-codes", "/v3/metadata/geo/zipCodes", "List the ZIP codes of the USA",
		"List the ZIP codes of the USA: tens of thousands of records.")
	MetadataZIPCode = get[ZIPCodePath, ZIPCodeAnswer]("metadata.zip-code", "/v3/metadata/geo/zipCodes/{zipCodeId}", "Read a ZIP code",
		"Read a ZIP code. An unknown ZIP code is not_found.", 404)
	MetadataDMACodes = get[Nothing, DMACodesAnswer]("metadata.dma-codes", "/v3/metadata/geo/dmaCodes", "List the designated market areas of the USA",
		"List the designated market areas of the USA.")
	MetadataDMACode = get[DMACodePath, DMACodeAnswer]("metadata.dma-code", "/v3/metadata/geo/dmaCodes/{dmaCodeId}", "Read a designated market area",
		"Read a designated market area by its number. An unknown number is not_found.", 404)
	MetadataCategories = get[Nothing, CategoriesAnswer]("metadata.categories", "/v3/metadata/categories", "List the IAB content categories",
		"List the IAB content categories. The list is flat; parentId is the id of the category above.")
	MetadataCategory = get[CategoryPath, CategoryAnswer]("metadata.category", "/v3/metadata/categories/{categoryId}", "Read an IAB content category",
		"Read a category by its number. An unknown number is not_found.", 404)
	MetadataSites = get[CategoryPath, SitesAnswer]("metadata.sites", "/v3/metadata/sites/{categoryId}", "List the publisher sites of a category",
		"List the publisher sites of a category, given by its number. An unknown number is not_found.", 404)
	MetadataSite = get[SitePath, SiteAnswer]("metadata.site", "/v3/metadata/sites/{categoryId}/{site}", "Read a publisher site of a category",
		"Read a publisher site of a category by its URL. A site of another category is not_found.", 404)
	MetadataCurrencies = get[Nothing, CurrenciesAnswer]("metadata.currencies", "/v3/metadata/currencies", "List the currencies",
		"List the currencies.")
	MetadataFX = get[CurrencyPath, FXRateAnswer]("metadata.fx", "/v3/metadata/fx/{currencyCode}", "Read the latest rate of a currency to USD",
		"Read today's exchange rate of a currency, in USD per unit. An unknown currency is not_found.", 404)
	MetadataFXOn = get[CurrencyDatePath, FXRateAnswer]("metadata.fx-on", "/v3/metadata/fx/{currencyCode}/{date}", "Read the rate of a currency to USD on a past day",
		"Read the exchange rate of a currency on a day in the past (YYYY-MM-DD), in USD per unit. Today and later days are refused.", 400, 404)
	MetadataOSes = get[Nothing, OSesAnswer]("metadata.oses", "/v3/metadata/os", "List the operating systems",
		"List the operating systems and their versions.")
	MetadataBrowsers = get[Nothing, BrowsersAnswer]("metadata.browsers", "/v3/metadata/browsers", "List the browsers",
		"List the browsers and their versions.")
	MetadataDevices = get[Nothing, DevicesAnswer]("metadata.devices", "/v3/metadata/devices", "List the devices",
		"List the devices.")
	MetadataCombinations = get[Nothing, CombinationsAnswer]("metadata.combinations", "/v3/metadata/device-os-browser", "List the devices with their operating systems and browsers",
		"List the devices with the operating systems that run on them, and the browsers that run on each operating system.")
	MetadataLanguages = get[Nothing, LanguagesAnswer]("metadata.languages", "/v3/metadata/languages", "List the languages",
		"List the languages.")
	MetadataThirdPartySegments = get[Nothing, ThirdPartySegmentsAnswer]("metadata.third-party-segments", "/v3/metadata/segments/thirdparty", "List the third-party segments",
		"List the segments of data vendors.")
	MetadataMobileOperators = get[Nothing, MobileOperatorsAnswer]("metadata.mobile-operators", "/v3/metadata/mobileOperators", "List the mobile operators",
		"List the operators of mobile networks.")
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
