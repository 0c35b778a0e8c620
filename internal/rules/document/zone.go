package document

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"usher/internal/rules/number"
	"usher/internal/rules/spelling"
)

// Zone reads an IANA zone. It refuses Local, which depends on the machine. It returns nil
// after an error.
func (f *File) Zone(n ast.Node, what string) *time.Location {
	name, ok := f.Text(n, what)
	if !ok {
		return nil
	}
	zone, err := time.LoadLocation(name)
	if err != nil || name == "" || name == "Local" {
		f.Errorf(PlaceOf(n), zoneHint(name), "unknown time zone %q", name)
		return nil
	}
	_, offset := time.Date(2001, 1, 1, 0, 0, 0, 0, zone).Zone()
	hours := number.Of(max(offset, -offset)/3600, "hour", "hours")
	switch {
	case offset > 0 && strings.HasPrefix(name, "Etc/GMT"):
		f.Warnf(PlaceOf(n), fmt.Sprintf("write the zone of a city, such as Europe/Berlin; %s behind UTC is Etc/GMT+%d", hours, offset/3600),
			"%s is %s ahead of UTC: these names have the opposite sign, and no summer time", name, hours)
	case offset < 0 && strings.HasPrefix(name, "Etc/GMT"):
		f.Warnf(PlaceOf(n), fmt.Sprintf("write the zone of a city, such as Europe/Berlin; %s ahead of UTC is Etc/GMT-%d", hours, -offset/3600),
			"%s is %s behind UTC: these names have the opposite sign, and no summer time", name, hours)
	case name == "EST" || name == "MST" || name == "HST":
		f.Warnf(PlaceOf(n), zoneHint(name), "%s has no summer time", name)
	}
	return zone
}

// zoneHint returns the zone that was probably meant by a name, such as that of a city.
func zoneHint(name string) string {
	city := strings.ReplaceAll(name, " ", "_")
	for _, zone := range commonZones() {
		if strings.EqualFold(zone, city) || strings.EqualFold(zone[strings.Index(zone, "/")+1:], city) {
			return "write " + zone
		}
	}
	for zone, names := range map[string]string{
		"Europe/London": "BST", "Europe/Berlin": "CEST MEZ MESZ", "Europe/Athens": "EEST", "America/New_York": "EST EDT ET", "America/Chicago": "CDT CT",
		"America/Denver": "MST MDT MT", "America/Los_Angeles": "PST PDT PT", "Pacific/Honolulu": "HST", "Asia/Tokyo": "JST", "Australia/Sydney": "AEST AEDT",
	} {
		if slices.Contains(strings.Fields(names), strings.ToUpper(name)) {
			return "write " + zone
		}
	}
	if strings.ContainsAny(name, "+0123456789") {
		return "write the zone of a city, such as Europe/Berlin, which has its summer time"
	}
	return spelling.Hint(name, commonZones(), "write an IANA zone: Europe/London, America/New_York, Asia/Tokyo, UTC")
}

// commonZones returns the zones that are suggested for a misspelt one.
func commonZones() []string {
	return strings.Fields(`UTC Africa/Cairo Africa/Johannesburg Africa/Lagos Africa/Nairobi America/Bogota America/Chicago America/Denver
		America/Los_Angeles America/Mexico_City America/New_York America/Phoenix America/Sao_Paulo America/Toronto Asia/Bangkok Asia/Dubai
		Asia/Hong_Kong Asia/Jakarta Asia/Jerusalem Asia/Kolkata Asia/Manila Asia/Seoul Asia/Shanghai Asia/Singapore Asia/Tokyo
		Australia/Melbourne Australia/Perth Australia/Sydney Europe/Amsterdam Europe/Athens Europe/Berlin Europe/Brussels Europe/Copenhagen
		Europe/Dublin Europe/Helsinki Europe/Istanbul Europe/Kyiv Europe/Lisbon Europe/London Europe/Madrid Europe/Oslo Europe/Paris
		Europe/Prague Europe/Rome Europe/Stockholm Europe/Vienna Europe/Warsaw Europe/Zurich Pacific/Auckland Pacific/Honolulu`)
}
