package differential_test

import (
	"fmt"
	"time"
)

// fields are those of report rows.
var fields = []string{"impressions", "clicks", "won", "grossMediaSpend", "budget", "lifetimeBudget"}

// row has the fields of a report row that are known.
type row map[string]float64

// report are rows by day, of a campaign or of a creative.
type report map[int]row

// account are the reports of an account.
type account struct {
	code      string
	zone      *time.Location
	campaigns []string
	creatives map[string][]string // by campaign
	types     map[string]string   // of creatives; "": the platform does not name it
	currency  map[string]string   // of the rows of campaigns and their creatives
	budget    map[string]float64  // of campaigns, as it is now
	bid       map[string]float64
	targets   *targets // nil: there are none
	outcomes  *outcomes
	reports   map[string]report // by campaign or creative

	begins map[int]time.Time // of days
	twice  int               // every so many days, reports have all rows twice; 0: never
}

// comesTwice reports whether reports have the rows of a day twice.
func (a *account) comesTwice(day int) bool { return a.twice > 0 && day%a.twice == 0 }

// begin returns the beginning of a day: the first moment at which the clock shows its date.
// No zone here is more than 16 hours ahead of UTC.
func (a *account) begin(day int) time.Time {
	at, known := a.begins[day]
	if !known {
		for at = time.Unix(int64(day)*86_400, 0).Add(-16 * time.Hour); a.dayOf(at) < day; at = at.Add(15 * time.Minute) {
		}
		a.begins[day] = at
	}
	return at
}

// dayOf returns the date that the clock shows, as a number of days.
func (a *account) dayOf(at time.Time) int {
	year, month, day := at.In(a.zone).Date()
	return int(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix() / 86_400)
}

func (d *drawer) row() row {
	r := row{}
	for _, name := range fields {
		if d.chance(60) {
			continue // the report does not have it
		}
		switch name {
		case "impressions", "won":
			r[name] = float64(d.IntN(2000))
		case "clicks":
			r[name] = float64(d.IntN(12))
		default:
			r[name] = float64(d.IntN(100))
		}
		if d.chance(25) {
			r[name] = 0
		}
	}
	return r
}

// zones are those of accounts: with and without summer time, and with clocks that skip
// midnight or change by half an hour.
var zones = []string{"UTC", "Europe/London", "America/New_York", "America/St_Johns", "America/Sao_Paulo", "Asia/Kolkata", "Asia/Amman", "Australia/Lord_Howe", "Pacific/Apia", "Pacific/Chatham"}

func newAccount(code string, zone *time.Location) *account {
	return &account{
		code: code, zone: zone, creatives: map[string][]string{}, types: map[string]string{}, currency: map[string]string{}, reports: map[string]report{},
		budget: map[string]float64{}, bid: map[string]float64{},
		begins: map[int]time.Time{},
	}
}

// zone draws the zone of an account.
func (d *drawer) zone() *time.Location {
	zone, err := time.LoadLocation(pick(d, zones...))
	if err != nil {
		panic(err) // the machine has no zones
	}
	return zone
}

// account draws the reports of 35 days up to a day.
func (d *drawer) account(code string, zone *time.Location, last int) *account {
	a := newAccount(code, zone)
	entity := func(name string) {
		a.reports[name] = report{}
		holes, first := pick(d, 2, 15, 60, 1000, 1000), last-35
		if d.chance(6) {
			first = last - d.IntN(8) // it is new
		}
		for day := first; day <= last; day++ {
			if !d.chance(holes) {
				a.reports[name][day] = d.row()
			}
		}
	}
	a.twice = pick(d, 0, 0, 3, 5)
	currencies := pick(d, []string{"EUR"}, []string{"EUR"}, []string{"EUR", "EUR", "USD"})
	for _, letter := range []string{"a", "b", "c"} {
		campaign := code + "-" + letter
		a.currency[campaign] = pick(d, currencies...)
		a.budget[campaign], a.bid[campaign] = float64(10+d.IntN(200)), float64(20+d.IntN(400))/100
		a.campaigns = append(a.campaigns, campaign)
		entity(campaign)
		for n := range 1 + d.IntN(3) {
			creative := fmt.Sprintf("%s-%d", campaign, n+1)
			a.creatives[campaign] = append(a.creatives[campaign], creative)
			a.types[creative] = pick(d, "IMAGE", "IMAGE", "VIDEO", "")
			entity(creative)
		}
	}
	return a
}
