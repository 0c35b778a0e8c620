package sandbox

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"usher/internal/rtb"
)

// planningDays is how many days the dates of a planning report may lie apart.
const planningDays = 90

// part is a value that inventory is divided by, and its weight.
type part struct {
	name   string
	weight int64
}

// planningDevices are the interface's types of devices.
func planningDevices() []part {
	return []part{{"MOBILE", 38}, {"DESKTOP", 42}, {"SLATE", 12}, {"CONSOLE", 3}, {"TV", 4}, {"WEARABLE", 1}}
}

func mediaTypes() []part { return []part{{"DISPLAY", 88}, {"VIDEO", 12}} }

// unitSizes are the sizes of a media type.
func unitSizes(media string) []part {
	if media == "VIDEO" {
		return []part{{"640x360", 3}, {"640x480", 1}}
	}
	return []part{{"300x250", 38}, {"728x90", 24}, {"320x50", 18}, {"160x600", 11}, {"300x600", 6}, {"970x250", 3}}
}

// planningGeos are the countries that inventory is in.
func planningGeos() []part {
	return []part{
		{"US", 320}, {"GB", 110}, {"DE", 90}, {"FR", 70}, {"CA", 55}, {"AU", 45}, {"IT", 42}, {"ES", 40}, {"NL", 32}, {"BR", 30},
		{"IN", 28}, {"JP", 26}, {"MX", 20}, {"SE", 16}, {"PL", 15}, {"CH", 12}, {"BE", 11}, {"AT", 10}, {"DK", 9}, {"NO", 9},
		{"IE", 8}, {"FI", 7}, {"NZ", 7}, {"PT", 6}, {"ZA", 6}, {"SG", 5}, {"CZ", 5}, {"GR", 4}, {"HU", 4}, {"RO", 4},
	}
}

// divide divides total by the weights, without losing one.
func divide(total int64, parts []part) []int64 {
	var weights, before int64
	for _, p := range parts {
		weights += p.weight
	}
	list := make([]int64, len(parts))
	for i, p := range parts {
		list[i] = total*(before+p.weight)/weights - total*before/weights
		before += p.weight
	}
	return list
}

// checkPlanning checks the dates of a planning report, which come the later
// one first, and returns the earlier and the later day. A period that has not
// begun is unknown.
func checkPlanning(start, end string, now time.Time) (first, last string, err error) {
	if err := checkDate("startDate", start); err != nil {
		return "", "", err
	}
	if err := checkDate("endDate", end); err != nil {
		return "", "", err
	}
	switch {
	case start < end:
		return "", "", invalid("startDate", "must be the same as or after endDate")
	case start > dayAfter(end, planningDays):
		return "", "", invalid("startDate", "must be at most 90 days after endDate")
	case end > dayOf(now):
		return "", "", unknown("inventory from", end)
	}
	return end, start, nil
}

// inventory is what the known domains had to offer from first to last, most
// first.
func inventory(first, last string) []rtb.DomainRow {
	rows := []rtb.DomainRow{}
	days := span(first, last)
	for line := range linesOf("sites.tsv") {
		row := rtb.DomainRow{Domain: line[1]}
		perDay := 20_000 + mix("inventory", line[1])%2_000_000
		for i := range days {
			swing := 85 + mix("day", line[1], dayAfter(first, i))%31 // percent
			row.Impressions += rtb.Count(perDay * swing / 100)
		}
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(a, b rtb.DomainRow) int {
		return cmp.Or(cmp.Compare(b.Impressions, a.Impressions), strings.Compare(a.Domain, b.Domain))
	})
	return rows
}

func (w *world) planDomains(c *call, in rtb.PlanningPeriod) (rtb.DomainsAnswer, error) {
	first, last, err := checkPlanning(in.StartDate, in.EndDate, c.now)
	if err != nil {
		return rtb.DomainsAnswer{}, err
	}
	return rtb.DomainsAnswer{Reports: inventory(first, last)}, nil
}

func (w *world) planDevices(c *call, in rtb.PlanningDevicePeriod) (rtb.DomainDevicesAnswer, error) {
	first, last, err := checkPlanning(in.StartDate, in.EndDate, c.now)
	if err != nil {
		return rtb.DomainDevicesAnswer{}, err
	}
	at := slices.IndexFunc(planningDevices(), func(p part) bool { return p.name == in.Device })
	if at < 0 {
		return rtb.DomainDevicesAnswer{}, invalid("device", "must be MOBILE, DESKTOP, SLATE, CONSOLE, TV or WEARABLE")
	}
	rows := []rtb.DomainDeviceRow{}
	for _, domain := range inventory(first, last) {
		onDevice := divide(int64(domain.Impressions), planningDevices())[at]
		for i, impressions := range divide(onDevice, mediaTypes()) {
			rows = append(rows, rtb.DomainDeviceRow{
				Domain: domain.Domain, Impressions: rtb.Count(impressions), DeviceType: in.Device, MediaType: mediaTypes()[i].name,
			})
		}
	}
	return rtb.DomainDevicesAnswer{Reports: rows}, nil
}

func (w *world) planGeos(c *call, in rtb.PlanningPeriod) (rtb.GeosAnswer, error) {
	first, last, err := checkPlanning(in.StartDate, in.EndDate, c.now)
	if err != nil {
		return rtb.GeosAnswer{}, err
	}
	var total int64
	for _, domain := range inventory(first, last) {
		total += int64(domain.Impressions)
	}
	rows := []rtb.GeoRow{}
	for g, inGeo := range divide(total, planningGeos()) {
		for d, onDevice := range divide(inGeo, planningDevices()) {
			for m, ofMedia := range divide(onDevice, mediaTypes()) {
				sizes := unitSizes(mediaTypes()[m].name)
				for s, impressions := range divide(ofMedia, sizes) {
					rows = append(rows, rtb.GeoRow{
						Geo: planningGeos()[g].name, Impressions: rtb.Count(impressions), UnitSize: sizes[s].name,
						MediaType: mediaTypes()[m].name, DeviceType: planningDevices()[d].name,
					})
				}
			}
		}
	}
	return rtb.GeosAnswer{Reports: rows}, nil
}
