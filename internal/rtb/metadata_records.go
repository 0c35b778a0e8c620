package rtb

// Country is a country of ISO 3166-1.
type Country struct {
	CountryCode string `json:"countryCode"` // two letters
	CountryName string `json:"countryName"`
	RegionName  string `json:"regionName"`
}

// State is a state of the USA.
type State struct {
	StateCode string `json:"stateCode"` // ISO 3166-2: US-CA
	StateName string `json:"stateName"`
}

// City is a city. Several cities may have the same name.
type City struct {
	City        string `json:"city"`
	CountryCode string `json:"countryCode"` // ISO 3166-1, two letters
}

// ZIPCode is a ZIP code of the USA.
type ZIPCode struct {
	ZIPCode     string `json:"zipCode"` // five digits
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
	ParentID Count  `json:"parentId,omitempty"` // of the category above; 0: none
}

// Site is a publisher's site.
type Site struct {
	ID        Count   `json:"id"`
	Site      string  `json:"site"`
	Weight    float64 `json:"weight"`
	Visits    Count   `json:"visits"`
	LastVisit string  `json:"lastVisit"` // YYYY-MM-DDTHH:MM:SS.mmm, no zone
}

// Currency is a currency of ISO 4217.
type Currency struct {
	Code string `json:"code"` // three letters
	Name string `json:"name"`
}

// FXRate is the value of a unit of a currency in USD.
type FXRate struct {
	CurrencyCode string  `json:"currencyCode"`
	CurrencyName string  `json:"currencyName"`
	FXRateToUSD  float64 `json:"fxRateToUSD"`
	RateDate     string  `json:"rateDate"` // YYYY-MM-DDTHH:MM:SS.mmm, no zone
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
	Code string `json:"code"` // two letters
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
