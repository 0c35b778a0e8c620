package differential_test

import (
	"fmt"
	"maps"
)

// world publishes the reports of an account as time goes by: a row comes on time, late, in
// part, twice, with wrong numbers that are corrected later, or never.
type world struct {
	*drawer
	account  *account
	entities []string
	later    map[int][]func() // what comes in the morning of a day
	today    map[string]row   // the running day's rows by its end
	lock     func(func())     // runs a function while nobody reads the reports
}

// keptDays is the number of days of which the platform has reports.
const keptDays = 40

// newWorld returns an account of a number of campaigns with reports up to a day.
func newWorld(d *drawer, code string, campaigns, day int, lock func(func())) *world {
	w := &world{drawer: d, account: newAccount(code, d.zone()), later: map[int][]func(){}, lock: lock}
	w.account.twice = 5
	for n := range campaigns {
		campaign := fmt.Sprintf("%s-%d%c", code, n, 'a'+n%3)
		w.account.campaigns = append(w.account.campaigns, campaign)
		w.account.currency[campaign] = "EUR"
		w.entities = append(w.entities, campaign)
		for k := range 1 + d.IntN(3) {
			creative := fmt.Sprintf("%s-%d", campaign, k+1)
			w.account.creatives[campaign] = append(w.account.creatives[campaign], creative)
			w.account.types[creative] = pick(d, "IMAGE", "VIDEO", "")
			w.entities = append(w.entities, creative)
		}
	}
	for _, entity := range w.entities {
		w.account.reports[entity] = report{}
		for old := day - 20; old < day; old++ {
			w.account.reports[entity][old] = d.row()
		}
	}
	return w
}

// begin publishes the rows of the day before, and what is due from earlier days.
func (w *world) begin(day int) {
	w.lock(func() {
		for _, publish := range w.later[day] {
			publish()
		}
		delete(w.later, day)
		for _, entity := range w.entities {
			truth := w.today[entity]
			if truth == nil {
				truth = w.row()
			}
			w.publish(entity, day-1, truth)
			delete(w.account.reports[entity], day-keptDays)
		}
		w.today = nil
	})
}

// publish publishes a row of a day that has ended.
func (w *world) publish(entity string, day int, truth row) {
	rows := w.account.reports[entity]
	correct := func() { rows[day] = truth }
	soon := day + 2 + w.IntN(3)
	switch w.IntN(16) {
	case 0: // late
		delete(rows, day)
		w.later[soon] = append(w.later[soon], correct)
	case 1: // in part
		rows[day] = maps.Clone(truth)
		delete(rows[day], pick(w.drawer, fields...))
		w.later[soon] = append(w.later[soon], correct)
	case 2: // wrong
		rows[day] = w.row()
		w.later[soon] = append(w.later[soon], correct)
	case 3: // never
		if w.chance(3) {
			delete(rows, day)
			return
		}
		correct()
	default:
		correct()
	}
}

// addToday publishes rows of the running day after a share of it, of most campaigns.
func (w *world) addToday(day int, share float64) {
	w.lock(func() {
		if w.today == nil {
			w.today = map[string]row{}
			for _, entity := range w.entities {
				w.today[entity] = w.row()
			}
		}
		for _, entity := range w.entities {
			if w.chance(8) {
				continue // it comes late
			}
			now := maps.Clone(w.today[entity])
			for name := range now {
				if name != "budget" && name != "lifetimeBudget" {
					now[name] = float64(int(now[name] * share))
				}
			}
			w.account.reports[entity][day] = now
		}
	})
}
