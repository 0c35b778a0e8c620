package differential_test

import (
	"maps"
	"math"
	"strings"
	"time"
)

// scene is what a rule sees of an entity, on a running day or on one day of for.
type scene struct {
	run      *run
	rule     *rule
	campaign string
	entity   string
	window   span
	day      int
	single   bool // a day of for
}

// reportOf returns the rows of an entity for a window.
func (s *scene) reportOf(entity string, window span) report {
	r := s.run.account.reports[entity]
	metrics, isEvent := s.run.events[entity]
	if !isEvent || window.kind != "today" || s.single {
		return r
	}
	changed, today := maps.Clone(r), row{}
	maps.Copy(today, r[s.run.day])
	maps.Copy(today, metrics)
	changed[s.run.day] = today
	return changed
}

func (s *scene) sum(entity string, window span) sum {
	if s.run.flat != nil {
		return s.run.flatSum(s.run.flat)
	}
	from, to := window.daysOf(s.day)
	of := s.run.sumOf(s.reportOf(entity, window), from, to)
	of.ahead = s.ahead()
	return of
}

// ahead returns the hours until the rule is due again, and its report_lag, but not beyond the
// end of the running day. Of a window of complete days, nothing is ahead.
func (s *scene) ahead() float64 {
	if s.window.kind != "today" && s.window.kind != "lifetime" {
		return 0
	}
	at, zone := s.run.at, s.run.account.zone
	hours := float64(s.rule.lag) / 60
	if s.rule.dueDay > 0 {
		date := time.Unix(int64(s.rule.dueDay)*86_400, 0).UTC()
		due := time.Date(date.Year(), date.Month(), date.Day(), s.rule.dueHour, 0, 0, 0, zone)
		if !due.After(at) {
			due = due.AddDate(1, 0, 0)
		}
		hours += due.Sub(at).Hours()
	}
	return max(min(hours, s.run.account.begin(s.run.day+1).Sub(at).Hours()), 0)
}

// isKnown reports whether the rule's window has enough days and enough data.
func (s *scene) isKnown(of sum) bool {
	minDays := s.rule.minDays
	if s.single {
		minDays = 0
	}
	return of.isComplete(minDays, s.window.kind == "lifetime") && of.fields[s.rule.leastField] >= s.rule.least
}

// isOld reports whether the newest row is too old, from the end of its day.
func (s *scene) isOld(of sum) bool {
	age := s.run.at.Sub(s.run.account.begin(of.newest + 1))
	return s.rule.maxAgeHours > 0 && s.run.flat == nil && age > time.Duration(s.rule.maxAgeHours)*time.Hour
}

// previous returns the sum of the window before the rule's.
func (s *scene) previous() sum {
	if s.run.flat != nil {
		return s.run.flatSum(s.run.flatBefore)
	}
	from, to := s.window.daysOf(s.day)
	return s.run.sumOf(s.reportOf(s.entity, span{kind: "before"}), from-(to-from+1), to-(to-from+1))
}

// metric returns the value of a metric of a condition.
func (s *scene) metric(x *expr) float64 {
	if x.metric == "lifetimeUsed" && x.whose == "over" { // whatever the window is
		x = &expr{op: x.op, metric: x.metric}
	}
	if x.metric == "lifetimeUsed" && x.whose != "rank" && s.window.kind != "lifetime" {
		all := *s
		all.window = span{kind: "lifetime"}
		if own := all.sum(s.entity, all.window); x.whose == "" && !own.isComplete(s.rule.minDays, true) {
			return unknown
		}
		return all.metric(x)
	}
	minDays, lifetime := s.rule.minDays, s.window.kind == "lifetime"
	whole := func(of sum, lifetime bool) float64 {
		if !of.isComplete(minDays, lifetime) {
			return unknown
		}
		return of.value(x.metric)
	}
	switch {
	case x.whose == "rank":
		return s.rank(x.metric)
	case x.whose == "count":
		return float64(len(s.ranked()))
	case x.metric == "monthEndSpend":
		return s.monthEndSpend(x.whose)
	}
	switch x.whose {
	case "previous":
		if before := s.previous(); s.isKnown(before) {
			return before.value(x.metric)
		}
		return unknown
	case "campaign":
		return whole(s.sum(s.campaign, s.window), lifetime)
	case "account":
		total, isComplete := sum{rows: 1, fields: map[string]float64{}, ahead: s.ahead()}, false
		var with []string
		for _, campaign := range s.run.account.campaigns {
			of := s.sum(campaign, s.window)
			isComplete = isComplete || of.isComplete(minDays, lifetime)
			if of.rows > 0 {
				with = append(with, campaign)
			}
			for name, v := range of.fields {
				total.fields[name] += v
			}
		}
		if !isComplete {
			return unknown
		}
		return s.inOneCurrency(total, with).value(x.metric)
	case "over":
		return whole(s.sum(s.entity, x.over), x.over.kind == "lifetime")
	}
	return s.sum(s.entity, s.window).value(x.metric)
}

// ranked returns the creatives of the campaign whose window has enough days.
func (s *scene) ranked() []string {
	var list []string
	for _, creative := range s.run.account.creatives[s.campaign] {
		if s.sum(creative, s.window).isComplete(s.rule.minDays, s.window.kind == "lifetime") {
			list = append(list, creative)
		}
	}
	return list
}

// rank returns the rank of the creative by a metric: 1 is the highest, and equal ones share
// the better rank.
func (s *scene) rank(metric string) float64 {
	of := func(creative string) float64 {
		one := *s
		one.entity = creative
		return one.metric(&expr{metric: metric})
	}
	own := of(s.entity)
	if math.IsNaN(own) {
		return unknown
	}
	rank := 1.0
	for _, creative := range s.ranked() {
		if of(creative) > own {
			rank++
		}
	}
	return rank
}

// monthEndSpend returns the spend of the complete days of the month, at whose pace it goes
// on until the month's end.
func (s *scene) monthEndSpend(whose string) float64 {
	month := span{kind: "month"}
	from, _ := month.daysOf(s.day)
	if from == s.day {
		return unknown // on the first
	}
	first := time.Unix(int64(from)*86_400, 0).UTC()
	days := int(first.AddDate(0, 1, 0).Sub(first).Hours() / 24)
	all := s.run.account.begin(from + days).Sub(s.run.account.begin(from)).Hours()
	entities := []string{s.entity}
	switch whose {
	case "campaign":
		entities = []string{s.campaign}
	case "account":
		entities = s.run.account.campaigns
	}
	hours, total := 0.0, 0.0
	isComplete := false
	var with []string
	for _, entity := range entities {
		of := s.sum(entity, month)
		if s.run.flat != nil { // every day has the same row
			of.rows, of.fields["hours"] = s.day-from, s.run.account.begin(s.day).Sub(s.run.account.begin(from)).Hours()
		}
		isComplete = isComplete || s.run.flat != nil || of.isComplete(s.rule.minDays, false)
		hours += of.fields["hours"]
		if of.rows > 0 {
			with = append(with, entity)
			total += of.fields["grossMediaSpend"]
		}
	}
	if !isComplete || whose == "account" && !s.haveOneCurrency(with) {
		return unknown
	}
	return divide(total, hours) * all
}

// number returns the value of an expression of numbers.
func (s *scene) number(x *expr) float64 {
	switch x.op {
	case "number":
		return x.number
	case "metric":
		return s.metric(x)
	}
	a, b := s.number(x.args[0]), s.number(x.args[1])
	if x.op == "*" || x.op == "/" { // a budget of 0 counts as no budget
		for n, v := range []*float64{&a, &b} {
			if strings.HasSuffix(strings.ToLower(x.args[n].metric), "budget") && *v == 0 {
				*v = unknown
			}
		}
	}
	switch x.op {
	case "+":
		return a + b
	case "-":
		return a - b
	case "*":
		return a * b
	}
	return divide(a, b)
}

// The values of conditions.
const (
	no    = 0
	maybe = 1 // UNKNOWN
	yes   = 2
)

// holds returns the value of a condition.
func (s *scene) holds(x *expr) int {
	switch x.op {
	case "!":
		return yes - s.holds(x.args[0])
	case "&&":
		return min(s.holds(x.args[0]), s.holds(x.args[1]))
	case "||":
		return max(s.holds(x.args[0]), s.holds(x.args[1]))
	}
	a, b := s.number(x.args[0]), s.number(x.args[1])
	if math.IsNaN(a) || math.IsNaN(b) || s.run.flat == nil && x.dependsOnCurrency() && s.hasSeveralCurrencies() {
		return maybe
	}
	if x.op == "<" && a < b || x.op == "<=" && a <= b || x.op == ">" && a > b || x.op == ">=" && a >= b {
		return yes
	}
	return no
}
