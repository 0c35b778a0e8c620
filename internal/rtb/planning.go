package rtb

import (
	"context"
)

// DomainRow is how many impressions a domain had to offer.
type DomainRow struct {
	Domain      string `json:"domain"`
	Impressions Count  `json:"impressions"`
}

// DomainDeviceRow is how many impressions a domain had to offer on a type of
// device.
type DomainDeviceRow struct {
	Domain      string `json:"domain"`
	Impressions Count  `json:"impressions"`
	DeviceType  string `json:"deviceType"` // MOBILE, DESKTOP, SLATE, CONSOLE, TV, WEARABLE
	MediaType   string `json:"mediaType"`
}

// GeoRow is how many impressions a place had to offer.
type GeoRow struct {
	Geo         string `json:"geo"`
	Impressions Count  `json:"impressions"`
	UnitSize    string `json:"unitSize"` // WxH, pixels
	MediaType   string `json:"mediaType"`
	DeviceType  string `json:"deviceType"`
}

// PlanningPeriod is at most 90 days, as the interface has them: StartDate is
// the same as or after EndDate.
type PlanningPeriod struct {
	StartDate string `path:"startDate"` // YYYY-MM-DD, the last day: the interface has the later date first
	EndDate   string `path:"endDate"`   // YYYY-MM-DD, the first day, at most 90 days before
}

// PlanningDevicePeriod is a PlanningPeriod of a type of device.
type PlanningDevicePeriod struct {
	StartDate string `path:"startDate"` // YYYY-MM-DD, the last day: the interface has the later date first
	EndDate   string `path:"endDate"`   // YYYY-MM-DD, the first day, at most 90 days before
	Device    string `path:"device"`    // MOBILE, DESKTOP, SLATE, CONSOLE, TV or WEARABLE
}

// DomainsAnswer holds a row per domain.
type DomainsAnswer struct {
	Reports []DomainRow `json:"reports"`
}

// DomainDevicesAnswer holds a row per domain and media type.
type DomainDevicesAnswer struct {
	Reports []DomainDeviceRow `json:"reports"`
}

// GeosAnswer holds a row per place, size, media type and type of device.
type GeosAnswer struct {
	Reports []GeoRow `json:"reports"`
}

// The planning reports.
var (
	PlanningDomains         = get[PlanningPeriod, DomainsAnswer]("planning.domains", "/v3/planning/domains/{startDate}/{endDate}", "Report available impressions by domain", 400, 404)
	PlanningDomainsByDevice = get[PlanningDevicePeriod, DomainDevicesAnswer]("planning.domains-by-device", "/v3/planning/domains/{startDate}/{endDate}/{device}", "Report available impressions by domain on a type of device", 400, 404)
	PlanningGeos            = get[PlanningPeriod, GeosAnswer]("planning.geos", "/v3/planning/geos/{startDate}/{endDate}", "Report available impressions by place", 400, 404)
)

func planningOperations() []Operation {
	return []Operation{PlanningDomains.Operation, PlanningDomainsByDevice.Operation, PlanningGeos.Operation}
}

// PlanningService reads reports for media planning.
type PlanningService service

// Domains reports the impressions that each domain had to offer from
// end to start (YYYY-MM-DD, both included): by the interface's rule start is the
// later one. At most 90 days.
//
// GET /v3/planning/domains/{startDate}/{endDate}
func (s *PlanningService) Domains(ctx context.Context, start, end string) ([]DomainRow, error) {
	answer, _, err := PlanningDomains.Do(ctx, s.client, PlanningPeriod{start, end})
	return answer.Reports, err
}

// DomainsByDevice reports what Domains does, on one type of device: MOBILE,
// DESKTOP, SLATE, CONSOLE, TV or WEARABLE.
//
// GET /v3/planning/domains/{startDate}/{endDate}/{device}
func (s *PlanningService) DomainsByDevice(ctx context.Context, start, end, device string) ([]DomainDeviceRow, error) {
	answer, _, err := PlanningDomainsByDevice.Do(ctx, s.client, PlanningDevicePeriod{start, end, device})
	return answer.Reports, err
}

// Geos reports the impressions that each place had to offer, by size,
// media type and type of device, from end to start (YYYY-MM-DD, both included):
// by the interface's rule start is the later one. At most 90 days.
//
// GET /v3/planning/geos/{startDate}/{endDate}
func (s *PlanningService) Geos(ctx context.Context, start, end string) ([]GeoRow, error) {
	answer, _, err := PlanningGeos.Do(ctx, s.client, PlanningPeriod{start, end})
	return answer.Reports, err
}
