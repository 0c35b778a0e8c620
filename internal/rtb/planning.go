package rtb

// DomainRow is the number of available impressions of a domain.
type DomainRow struct {
	Domain      string `json:"domain"`
	Impressions Count  `json:"impressions"`
}

// DomainDeviceRow is the number of available impressions of a domain on a type of
// device.
type DomainDeviceRow struct {
	Domain      string `json:"domain"`
	Impressions Count  `json:"impressions"`
	DeviceType  string `json:"deviceType"  help:"MOBILE, DESKTOP, SLATE, CONSOLE, TV, WEARABLE"`
	MediaType   string `json:"mediaType"`
}

// GeoRow is the number of available impressions of a place.
type GeoRow struct {
	Geo         string `json:"geo"`
	Impressions Count  `json:"impressions"`
	UnitSize    string `json:"unitSize"    help:"WxH, pixels"`
	MediaType   string `json:"mediaType"`
	DeviceType  string `json:"deviceType"`
}

// PlanningPeriod is a period of at most 90 days. By the interface's rule StartDate is
// the same as or after EndDate.
type PlanningPeriod struct {
	StartDate string `path:"startDate" help:"YYYY-MM-DD, the last day: the later date comes first"`
	EndDate   string `path:"endDate"   help:"YYYY-MM-DD, the first day, at most 90 days earlier"`
}

// PlanningDevicePeriod is a PlanningPeriod for a type of device.
type PlanningDevicePeriod struct {
	StartDate string `path:"startDate" help:"YYYY-MM-DD, the last day: the later date comes first"`
	EndDate   string `path:"endDate"   help:"YYYY-MM-DD, the first day, at most 90 days earlier"`
	Device    string `path:"device"    help:"MOBILE, DESKTOP, SLATE, CONSOLE, TV or WEARABLE"`
}

// DomainsAnswer has a row for each domain.
type DomainsAnswer struct {
	Reports []DomainRow `json:"reports"`
}

// DomainDevicesAnswer has a row for each domain and media type.
type DomainDevicesAnswer struct {
	Reports []DomainDeviceRow `json:"reports"`
}

// GeosAnswer has a row for each place, size, media type and type of device.
type GeosAnswer struct {
	Reports []GeoRow `json:"reports"`
}

// The planning reports.
var (
	PlanningDomains = get[PlanningPeriod, DomainsAnswer]("planning.domains", "/v3/planning/domains/{startDate}/{endDate}", "Report available impressions by domain",
		"Report the available impressions of each domain in a period of at most 90 days, both dates (YYYY-MM-DD) included. The later date comes first.", 400, 404)
	PlanningDomainsByDevice = get[PlanningDevicePeriod, DomainDevicesAnswer]("planning.domains-by-device", "/v3/planning/domains/{startDate}/{endDate}/{device}", "Report available impressions by domain on a type of device",
		"Report the available impressions of each domain on one type of device, MOBILE, DESKTOP, SLATE, CONSOLE, TV or WEARABLE, in a period of at most 90 days, both dates (YYYY-MM-DD) included. The later date comes first.", 400, 404)
	PlanningGeos = get[PlanningPeriod, GeosAnswer]("planning.geos", "/v3/planning/geos/{startDate}/{endDate}", "Report available impressions by place",
		"Report the available impressions of each place, by size, media type and type of device, in a period of at most 90 days, both dates (YYYY-MM-DD) included. The later date comes first.", 400, 404)
)

func planningOperations() []Operation {
	return []Operation{PlanningDomains.Operation, PlanningDomainsByDevice.Operation, PlanningGeos.Operation}
}
