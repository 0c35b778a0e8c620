package metadata

import (
	"iter"
	"slices"

	"usher/internal/rtb"
)

// Countries lists all countries.
func Countries() iter.Seq[rtb.Country] {
	return records("countries.tsv.xz", func(f []string) rtb.Country {
		return rtb.Country{CountryCode: f[0], CountryName: f[1], RegionName: f[2]}
	})
}

// States lists the states and outlying areas of the USA.
func States() iter.Seq[rtb.State] {
	return records("states.tsv", func(f []string) rtb.State { return rtb.State{StateCode: f[0], StateName: f[1]} })
}

// Cities lists the cities of the countries with the given codes, in the order of
// the codes; without codes, it lists all cities.
func Cities(countries ...string) iter.Seq[rtb.City] {
	cities := records("cities.tsv.xz", func(f []string) rtb.City { return rtb.City{CountryCode: f[0], City: f[1]} })
	if len(countries) == 0 {
		return cities
	}
	last := slices.Max(countries)
	return func(yield func(rtb.City) bool) {
		for city := range cities {
			if city.CountryCode > last || slices.Contains(countries, city.CountryCode) && !yield(city) {
				return
			}
		}
	}
}

// ZIPCodes lists the ZIP codes of the USA.
func ZIPCodes() iter.Seq[rtb.ZIPCode] {
	return records("zipcodes.tsv.xz", func(f []string) rtb.ZIPCode {
		return rtb.ZIPCode{ZIPCode: f[0], PrimaryCity: f[1], State: f[2]}
	})
}

// DMACodes lists the designated market areas of the USA.
func DMACodes() iter.Seq[rtb.DMACode] {
	return records("dma.tsv", func(f []string) rtb.DMACode { return rtb.DMACode{DMACode: number(f[0]), DMARegion: f[1]} })
}

// Categories lists the IAB's categories.
func Categories() iter.Seq[rtb.Category] {
	return records("categories.tsv.xz", func(f []string) rtb.Category {
		return rtb.Category{ID: number(f[0]), Name: f[1], ParentID: number(f[2])}
	})
}

// Currencies lists the currencies of ISO 4217.
func Currencies() iter.Seq[rtb.Currency] {
	return records("currencies.tsv.xz", func(f []string) rtb.Currency { return rtb.Currency{Code: f[0], Name: f[1]} })
}

// Languages lists the languages of ISO 639-1.
func Languages() iter.Seq[rtb.Language] {
	return records("languages.tsv.xz", func(f []string) rtb.Language { return rtb.Language{Code: f[0], Name: f[1]} })
}

// OperatingSystems lists operating systems and their versions.
func OperatingSystems() iter.Seq[rtb.OperatingSystem] {
	return records("systems.tsv", func(f []string) rtb.OperatingSystem {
		return rtb.OperatingSystem{OSName: f[0], OSFamily: f[1], OSMajorVersion: f[2], OSMinorVersion: f[3]}
	})
}

// Browsers lists browsers and their versions.
func Browsers() iter.Seq[rtb.Browser] {
	return records("browsers.tsv", func(f []string) rtb.Browser {
		return rtb.Browser{BrowserName: f[0], BrowserFamily: f[1], BrowserMajorVersion: f[2], BrowserMinorVersion: f[3]}
	})
}

// Devices lists devices and their versions.
func Devices() iter.Seq[rtb.Device] {
	return records("devices.tsv", func(f []string) rtb.Device {
		return rtb.Device{DeviceName: f[0], DeviceFamily: f[1], DeviceMajorVersion: f[2], DeviceMinorVersion: f[3]}
	})
}

// ThirdPartySegments lists segments of data vendors.
func ThirdPartySegments() iter.Seq[rtb.ThirdPartySegment] {
	return records("segments.tsv.xz", func(f []string) rtb.ThirdPartySegment {
		return rtb.ThirdPartySegment{SegmentCode: f[0], SegmentVendor: f[1], SegmentName: f[2]}
	})
}

// MobileOperators lists mobile network operators.
func MobileOperators() iter.Seq[rtb.MobileOperator] {
	return records("operators.tsv.xz", func(f []string) rtb.MobileOperator { return rtb.MobileOperator{Name: f[0]} })
}

// Site is a publisher's site.
type Site struct {
	ID       rtb.Count // the number of its line, from 1
	Category rtb.Count // a category without a parent
	Domain   string
}

// Sites lists publishers' sites.
func Sites() iter.Seq[Site] {
	return func(yield func(Site) bool) {
		id := rtb.Count(0)
		for f := range lines("sites.tsv") {
			if id++; !yield(Site{ID: id, Category: number(f[0]), Domain: f[1]}) {
				return
			}
		}
	}
}
