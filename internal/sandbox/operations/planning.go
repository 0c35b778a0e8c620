package operations

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"time"

	"usher/internal/rtb"
)

// planningDays is the maximum number of days between the dates of a planning report.
const planningDays = 90

// part is a part of the inventory with its weight.
type part struct {
	name   string
	weight int64
}

// planningDevices returns the types of devices that the interface names.
func planningDevices() []part {
	return []part{{"MOBILE", 38}, {"DESKTOP", 42}, {"SLATE", 12}, {"CONSOLE", 3}, {"TV", 4}, {"WEARABLE", 1}}
}

func mediaTypes() []part { return []part{{"DISPLAY", 88}, {"VIDEO", 12}} }

// unitSizes returns the sizes of a media type.
func unitSizes(media string) []part {
	if media == "VIDEO" {
		return []part{{"640x360", 3}, {"640x480", 1}}
	}
	return []part{{"300x250", 38}, {"728x90", 24}, {"320x50", 18}, {"160x600", 11}, {"300x600", 6}, {"970x250", 3}}
}

// planningGeos returns the countries that have inventory.
func planningGeos() []part {
	return []part{
		{"US", 320}, {"GB", 110}, {"DE", 90}, {"FR", 70}, {"CA", 55}, {"AU", 45}, {"IT", 42}, {"ES", 40}, {"NL", 32}, {"BR", 30},
		{"IN", 28}, {"JP", 26}, {"MX", 20}, {"SE", 16}, {"PL", 15}, {"CH", 12}, {"BE", 11}, {"AT", 10}, {"DK", 9}, {"NO", 9},
		{"IE", 8}, {"FI", 7}, {"NZ", 7}, {"PT", 6}, {"ZA", 6}, {"SG", 5}, {"CZ", 5}, {"GR", 4}, {"HU", 4}, {"RO", 4},
	}
}

// divide yields the share of each part, by weight. The shares add up to total.
func divide(total int64, parts []part) iter.Seq2[string, int64] {
	var weights int64
	for _, p := range parts {
		weights += p.weight
	}
	return func(yield func(string, int64) bool) {
		var before int64
		for _, p := range parts {
			if !yield(p.name, total*(before+p.weight)/weights-total*before/weights) {
				return
			}
			before += p.weight
		}
	}
}

// checkPlanning checks the dates of a planning report, in which start is the later date. It
// returns the earlier and the later day. A period in the future is unknown.
func checkPlanning(start, end string, now time.Time) (first, last string, err error) {
	if err := checkDate("startDate", start); err != nil {
		return "", "", err
	}
	if err := checkDate("endDate", end); err != nil {
		return "", "", err
	}
	switch {
	case start < end:
		return "", "", Invalid("startDate", "must be the same as or after endDate")
	case start > dayAfter(end, planningDays):
		return "", "", Invalid("startDate", "must be at most 90 days after endDate")
	case end > dayOf(now):
		return "", "", Unknown("inventory from", end)
	}
	return end, start, nil
}

// inventory generates the impressions of all sites from first to last, sorted from the
// largest to the smallest number.
func inventory(first, last string) []rtb.DomainRow {
	rows := []rtb.DomainRow{}
	days := daysBetween(first, last)
	for _, site := range publisherSites() {
		row := rtb.DomainRow{Domain: site.Site}
		perDay := 20_000 + mix("inventory", site.Site)%2_000_000
		for i := range days {
			swing := 85 + mix("day", site.Site, dayAfter(first, i))%31 // percent
			row.Impressions += rtb.Count(perDay * swing / 100)
		}
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(a, b rtb.DomainRow) int {
		return cmp.Or(cmp.Compare(b.Impressions, a.Impressions), strings.Compare(a.Domain, b.Domain))
	})
	return rows
}

func (s *State) planDomains(c *Call, in rtb.PlanningPeriod) (rtb.DomainsAnswer, error) {
	first, last, err := checkPlanning(in.StartDate, in.EndDate, c.Now)
	if err != nil {
		return rtb.DomainsAnswer{}, err
	}
	return rtb.DomainsAnswer{Reports: inventory(first, last)}, nil
}

func (s *State) planDevices(c *Call, in rtb.PlanningDevicePeriod) (rtb.DomainDevicesAnswer, error) {
	first, last, err := checkPlanning(in.StartDate, in.EndDate, c.Now)
	if err != nil {
		return rtb.DomainDevicesAnswer{}, err
	}
	if !slices.ContainsFunc(planningDevices(), func(p part) bool { return p.name == in.Device }) {
		return rtb.DomainDevicesAnswer{}, Invalid("device", "must be MOBILE, DESKTOP, SLATE, CONSOLE, TV or WEARABLE")
	}
	rows := []rtb.DomainDeviceRow{}
	for _, domain := range inventory(first, last) {
		for device, onDevice := range divide(int64(domain.Impressions), planningDevices()) {
			if device != in.Device {
				continue
			}
			for media, impressions := range divide(onDevice, mediaTypes()) {
				rows = append(rows, rtb.DomainDeviceRow{
					Domain: domain.Domain, Impressions: rtb.Count(impressions), DeviceType: device, MediaType: media,
				})
			}
		}
	}
	return rtb.DomainDevicesAnswer{Reports: rows}, nil
}

func (s *State) planGeos(c *Call, in rtb.PlanningPeriod) (rtb.GeosAnswer, error) {
	first, last, err := checkPlanning(in.StartDate, in.EndDate, c.Now)
	if err != nil {
		return rtb.GeosAnswer{}, err
	}
	var total int64
	for _, domain := range inventory(first, last) {
		total += int64(domain.Impressions)
	}
	rows := []rtb.GeoRow{}
	for geo, inGeo := range divide(total, planningGeos()) {
		for device, onDevice := range divide(inGeo, planningDevices()) {
			for media, ofMedia := range divide(onDevice, mediaTypes()) {
				for size, impressions := range divide(ofMedia, unitSizes(media)) {
					rows = append(rows, rtb.GeoRow{
						Geo: geo, Impressions: rtb.Count(impressions), UnitSize: size, MediaType: media, DeviceType: device,
					})
				}
			}
		}
	}
	return rtb.GeosAnswer{Reports: rows}, nil
}
