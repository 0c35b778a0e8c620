package sandbox

import (
	"iter"
	"slices"
	"strings"

	"usher/internal/rtb"
)

func findCities(in rtb.CitiesFilter) (iter.Seq[rtb.City], error) {
	if in.Countries == "" {
		return cities(), nil
	}
	var wanted []string
	for code := range strings.SplitSeq(strings.ToUpper(in.Countries), ",") {
		code = strings.TrimSpace(code)
		if _, found := first(countries(), func(country rtb.Country) bool { return country.CountryCode == code }); !found {
			return nil, invalid("countries", "must be two-letter country codes, delimited by commas: one is unknown")
		}
		wanted = append(wanted, code)
	}
	last := slices.Max(wanted)
	return func(yield func(rtb.City) bool) {
		for city := range cities() {
			if city.CountryCode > last || slices.Contains(wanted, city.CountryCode) && !yield(city) {
				return
			}
		}
	}, nil
}

func (w *world) zipCode(_ *call, in rtb.ZIPCodePath) (rtb.ZIPCodeAnswer, error) {
	code, found := first(zipCodes(), func(z rtb.ZIPCode) bool { return z.ZIPCode == in.ZIPCodeID })
	if !found {
		return rtb.ZIPCodeAnswer{}, unknown("ZIP code", in.ZIPCodeID)
	}
	return rtb.ZIPCodeAnswer{ZIPCode: code}, nil
}

func (w *world) dmaCode(_ *call, in rtb.DMACodePath) (rtb.DMACodeAnswer, error) {
	code, found := first(dmaCodes(), func(d rtb.DMACode) bool { return d.DMACode == whole(in.DMACodeID) })
	if !found {
		return rtb.DMACodeAnswer{}, unknown("DMA code", in.DMACodeID)
	}
	return rtb.DMACodeAnswer{DMACode: code}, nil
}

// findCategory finds a category by its number as it stands in a path.
func findCategory(id string) (rtb.Category, error) {
	category, found := first(categories(), func(c rtb.Category) bool { return c.ID == whole(id) })
	if !found {
		return rtb.Category{}, unknown("category", id)
	}
	return category, nil
}

func (w *world) category(_ *call, in rtb.CategoryPath) (rtb.CategoryAnswer, error) {
	category, err := findCategory(in.CategoryID)
	return rtb.CategoryAnswer{Category: category}, err
}

// combinations are the devices, each with the systems of the families that run
// on its family, and those with all browsers of the families that run there. A
// combination names no version of a system.
func combinations() iter.Seq[rtb.Combination] {
	return func(yield func(rtb.Combination) bool) {
		runs := slices.Collect(linesOf("combinations.tsv"))
		systems, all := slices.Collect(operatingSystems()), slices.Collect(browsers())
		for device := range devices() {
			made := rtb.Combination{Device: rtb.DeviceName{DeviceName: device.DeviceName, DeviceFamily: device.DeviceFamily}}
			for _, run := range runs {
				if run[0] == device.DeviceFamily {
					made.OperatingSystems = append(made.OperatingSystems, systemsOf(run, systems, all)...)
				}
			}
			if !yield(made) {
				return
			}
		}
	}
}

// systemsOf are the systems of a line of combinations.tsv: a device's family, a
// system's, and browsers'.
func systemsOf(run []string, systems []rtb.OperatingSystem, all []rtb.Browser) []rtb.SystemOfBrowsers {
	families := strings.Split(run[2], ",")
	var list []rtb.SystemOfBrowsers
	for _, system := range systems {
		if system.OSFamily != run[1] || system.OSMajorVersion != "" {
			continue
		}
		made := rtb.SystemOfBrowsers{OperatingSystem: rtb.SystemName{OSName: system.OSName, OSFamily: system.OSFamily}}
		for _, browser := range all {
			if slices.Contains(families, browser.BrowserFamily) {
				made.Browsers = append(made.Browsers, browser)
			}
		}
		list = append(list, made)
	}
	return list
}
