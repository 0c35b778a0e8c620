package operations

import (
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"usher/internal/rtb"
)

// tableFiles has the constant records of the metadata operations: a file for each table, with
// the records in the form of answers. Its README.md names their sources.
//
//go:embed tables/*.json
var tableFiles embed.FS

// The tables. Their records must not be changed.
var (
	countries          = table[rtb.Country]("countries")
	states             = table[rtb.State]("states")
	cities             = table[rtb.City]("cities")
	zipCodes           = table[rtb.ZIPCode]("zip-codes")
	dmaCodes           = table[rtb.DMACode]("dma-codes")
	categories         = table[rtb.Category]("categories")
	currencies         = table[rtb.Currency]("currencies")
	languages          = table[rtb.Language]("languages")
	operatingSystems   = table[rtb.OperatingSystem]("systems")
	browsers           = table[rtb.Browser]("browsers")
	devices            = table[rtb.Device]("devices")
	thirdPartySegments = table[rtb.ThirdPartySegment]("segments")
	mobileOperators    = table[rtb.MobileOperator]("operators")

	publisherSites = table[publisherSite]("sites")
	deviceSystems  = table[deviceSystem]("combinations")
	dailyUSDRates  = table[dayRates]("rates")
)

// publisherSite is a publisher's site.
type publisherSite struct {
	ID       rtb.Count `json:"id"`
	Category rtb.Count `json:"category"` // one without a parent
	Site     string    `json:"site"`
}

// deviceSystem names a family of operating systems that runs on a family of devices, and the
// families of browsers that run on it.
type deviceSystem struct {
	Device   string   `json:"device"`
	System   string   `json:"system"`
	Browsers []string `json:"browsers"`
}

// dayRates has the exchange rates of a day, in USD per unit.
type dayRates struct {
	Day string             `json:"day"` // YYYY-MM-DD
	USD map[string]float64 `json:"usd"`
}

// table returns a function that returns the records of a file. It reads the file once.
func table[Record any](name string) func() []Record {
	return sync.OnceValue(func() []Record {
		var records []Record
		text, err := tableFiles.ReadFile("tables/" + name + ".json")
		if err == nil {
			err = json.Unmarshal(text, &records)
		}
		if err != nil {
			panic(fmt.Sprintf("sandbox: read table %s: %v", name, err)) // embedded, and a test reads it
		}
		return records
	})
}

// usdRate returns the value of a unit of a currency in USD on a day (YYYY-MM-DD): the last
// rate of that day or an earlier one. found reports whether there is one.
func usdRate(code, day string) (rate float64, found bool) {
	for _, rates := range slices.Backward(dailyUSDRates()) {
		if rates.Day > day {
			continue
		}
		if code == "USD" {
			return 1, true
		}
		if rate, found = rates.USD[code]; found {
			return rate, true
		}
	}
	return 0, false
}

// findRecord returns the first record that matches, or an error that says that the record of
// this kind and name is unknown.
func findRecord[Record any](records []Record, kind, name string, matches func(Record) bool) (record Record, err error) {
	at := slices.IndexFunc(records, matches)
	if at < 0 {
		return record, Unknown(kind, name)
	}
	return records[at], nil
}
