package metadata

import (
	"iter"
	"slices"
	"strings"

	"usher/internal/rtb"
)

// Combinations lists the devices, each with the operating systems that run on it, and each
// system with the browsers that run on it. The systems have no versions.
func Combinations() iter.Seq[rtb.Combination] {
	return func(yield func(rtb.Combination) bool) {
		rows := slices.Collect(lines("combinations.tsv"))
		systems, browsers := slices.Collect(OperatingSystems()), slices.Collect(Browsers())
		for device := range Devices() {
			combination := rtb.Combination{Device: rtb.DeviceName{DeviceName: device.DeviceName, DeviceFamily: device.DeviceFamily}}
			for _, row := range rows {
				if row[0] == device.DeviceFamily {
					combination.OperatingSystems = append(combination.OperatingSystems, systemsOf(row, systems, browsers)...)
				}
			}
			if !yield(combination) {
				return
			}
		}
	}
}

// systemsOf returns the systems of a row of combinations.tsv: a family of
// devices, a family of systems, and families of browsers.
func systemsOf(row []string, systems []rtb.OperatingSystem, browsers []rtb.Browser) []rtb.SystemOfBrowsers {
	families := strings.Split(row[2], ",")
	var list []rtb.SystemOfBrowsers
	for _, system := range systems {
		if system.OSFamily != row[1] || system.OSMajorVersion != "" {
			continue
		}
		entry := rtb.SystemOfBrowsers{OperatingSystem: rtb.SystemName{OSName: system.OSName, OSFamily: system.OSFamily}}
		for _, browser := range browsers {
			if slices.Contains(families, browser.BrowserFamily) {
				entry.Browsers = append(entry.Browsers, browser)
			}
		}
		list = append(list, entry)
	}
	return list
}
