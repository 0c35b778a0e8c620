package differential_test

import (
	"maps"
	"math"
	"slices"
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
	// first says how a condition takes a window without a complete day: pause, resume, or "" for
	// UNKNOWN.
	first string
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
	of.ahead, of.budget = s.ahead(), s.budgetOf(entity, of)
	of.installs = s.outcomeOf(entity, from, to, window.kind == "lifetime")
	return s.complete(of, from, to, window.kind == "lifetime")
}

// budgetOf returns the budget that missing days have: the campaign's present one. A backtest, which
// does not know it, and a creative have the newest that is known.
func (s *scene) budgetOf(entity string, of sum) float64 {
	if budget, isCampaign := s.run.account.budget[entity]; isCampaign && !s.run.isBacktest {
		return budget
	}
	return of.budget
}

// isActive reports whether a creative of a campaign is ACTIVE. A backtest does not know.
func (r *run) isActive(campaign string) bool {
	return !r.isBacktest && slices.ContainsFunc(r.account.creatives[campaign], func(creative string) bool { return r.status[creative] == "ACTIVE" })
}

// complete says what a sum lacks. With min_days, and over a lifetime, the days that have a row
// count as all days.
func (s *scene) complete(of sum, from, to int, lifetime bool) sum {
	minDays := s.rule.minDays
	if s.single {
		minDays = 0
	}
	of.isEmpty, of.isZero = to < from && of.rows == 0, s.first != ""
	switch {
	case of.isEmpty:
	case (minDays > 0 || lifetime) && !of.isComplete(minDays, lifetime):
		of.isUnknown = true
	case minDays == 0 && !lifetime:
		of.missing = of.all - of.rows
	}
	if !lifetime {
		for day := from; day <= to; day++ {
			hours, _ := s.run.passed(day)
			of.hours += hours
		}
	}
	return of
}

// own returns the sum of the entity, or of the campaigns in the rule's scope together.
func (s *scene) own(window span) sum {
	if s.rule.together {
		return s.total(window, s.inScope())
	}
	return s.sum(s.entity, window)
}

// inScope returns the campaigns that the rule has in scope.
func (s *scene) inScope() []string {
	return slices.DeleteFunc(slices.Clone(s.run.account.campaigns), func(campaign string) bool { return !s.run.covers(s.rule, campaign) })
}

// ofOwn returns a sum of the entity itself. It is too old if the newest row of the rule's
// window is.
func (s *scene) ofOwn(of sum) sum {
	own := s.own(s.window)
	of.isOld = s.isOld(own)
	return of
}

// ofOther returns a sum of the campaign.
func (s *scene) ofOther(of sum) sum {
	of.isOld = s.isOld(of)
	return of
}

// ahead returns the hours until the rule is due again, and its report_lag, but not beyond the
// end of the running day. Of a window of complete days, nothing is ahead.
func (s *scene) ahead() float64 {
	if s.window.kind != "today" && s.window.kind != "lifetime" {
		return none
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

// hasEnough reports whether what is known meets the rule's min_data. A day of for must have a
// row, too.
func (s *scene) hasEnough(of sum) bool {
	return of.fields[s.rule.leastField] >= s.rule.least && (of.rows > 0 || !s.single)
}

// isOld reports whether the newest row is too old, from the end of its day.
func (s *scene) isOld(of sum) bool {
	age := s.run.at.Sub(s.run.account.begin(of.newest + 1))
	return s.rule.maxAgeHours > 0 && !s.single && s.run.flat == nil && age > time.Duration(s.rule.maxAgeHours)*time.Hour
}

// previous returns the sum of the window before the rule's.
func (s *scene) previous() sum {
	if s.rule.together {
		return s.total(span{kind: "before"}, s.inScope())
	}
	return s.previousOf(s.entity)
}

func (s *scene) previousOf(entity string) sum {
	if s.run.flat != nil {
		return s.run.flatSum(s.run.flatBefore)
	}
	from, to := s.before()
	of := s.run.sumOf(s.reportOf(entity, span{kind: "before"}), from, to)
	of.ahead, of.budget = none, s.budgetOf(entity, of)
	of.installs = s.outcomeOf(entity, from, to, false)
	return s.complete(of, from, to, false)
}

// before returns the first and the last day of the window before the rule's.
func (s *scene) before() (from, to int) {
	from, to = s.window.daysOf(s.day)
	return from - (to - from + 1), to - (to - from + 1)
}

// metric returns what is known of a metric of a condition.
func (s *scene) metric(x *expr) bounds {
	if x.metric == "lifetimeUsed" && x.whose == "over" { // whatever the window is
		x = &expr{op: x.op, metric: x.metric}
	}
	if x.metric == "lifetimeUsed" && x.whose != "rank" && s.window.kind != "lifetime" {
		all := *s
		all.window = span{kind: "lifetime"}
		if x.whose == "" && s.run.flat == nil {
			return s.ofOwn(all.own(all.window)).value(x.metric)
		}
		return all.metric(x)
	}
	switch {
	case x.whose == "rank":
		return exactly(s.rank(x.metric))
	case x.whose == "count":
		if s.isOld(s.sum(s.entity, s.window)) {
			return nothing
		}
		return exactly(float64(len(s.ranked())))
	case x.metric == "monthEndSpend":
		return s.monthEndSpend(x.whose)
	}
	switch x.whose {
	case "target":
		return s.rule.file.targets.of(s.campaign, x.metric)
	case "previous":
		if before := s.previous(); s.hasEnough(before) {
			return s.ofOwn(before).value(x.metric)
		}
		return nothing
	case "campaign":
		return s.ofOther(s.sum(s.campaign, s.window)).value(x.metric)
	case "account":
		return s.total(s.window, s.run.account.campaigns).value(x.metric)
	case "over":
		of := s.own(x.over)
		if x.over.kind != "today" && x.over.kind != "lifetime" {
			of.ahead = none
		}
		return s.ofOwn(of).value(x.metric)
	}
	return s.ofOwn(s.own(s.window)).value(x.metric)
}

// isRecent reports whether a campaign is active, or had a row in the last 7 days.
func (s *scene) isRecent(campaign string) bool {
	isRecent := s.run.flat != nil || s.run.isActive(campaign)
	for ago := 1; ago <= 7; ago++ {
		_, has := s.run.account.reports[campaign][s.run.day-ago]
		isRecent = isRecent || has
	}
	return isRecent
}

// total returns the sum of campaigns. Only a campaign that is active, or had a row in the last 7 days,
// can lack one. If no campaign has all days, others may have been left out.
func (s *scene) total(window span, campaigns []string) sum {
	total := sum{rows: 0, fields: map[string]float64{}, open: map[string]bool{}, budget: unknown, ahead: s.ahead()}
	minDays, lifetime := s.rule.minDays, window.kind == "lifetime"
	if s.single {
		minDays = 0
	}
	isComplete := false
	var with []string
	from, to := window.daysOf(s.day)
	if window.kind == "before" {
		from, to = s.before()
		total.ahead = none
	}
	for _, campaign := range campaigns {
		of := s.sum(campaign, window)
		if window.kind == "before" {
			of = s.previousOf(campaign)
		}
		isRecent := s.isRecent(campaign)
		if of.rows == 0 && (!isRecent || minDays > 0 || lifetime) {
			continue
		}
		if !isRecent {
			of.missing = 0
		}
		of.isUnknown = false
		isComplete = isComplete || of.isComplete(minDays, lifetime)
		if of.rows > 0 {
			with = append(with, campaign)
		}
		total.newest, total.rows = max(total.newest, of.newest), total.rows+of.rows
		total.fields["hours"] = max(total.fields["hours"], of.fields["hours"])
		for _, name := range append([]string{"budgetDue"}, fields...) {
			known := of.field(name)
			total.fields[name] += known.low
			if !known.isExact() {
				total.open[name] = true
			}
		}
	}
	if minDays == 0 && !lifetime && s.run.flat == nil {
		total.fields["hours"] = 0
		for day := from; day <= to; day++ {
			hours, _ := s.run.passed(day)
			total.fields["hours"] += hours
		}
	}
	total.isEmpty, total.isZero = to < from && s.run.flat == nil, s.first != ""
	total.isUnknown = !isComplete && (minDays > 0 || lifetime)
	total.isOld = s.isOld(total)
	if !isComplete {
		for _, name := range append([]string{"budgetDue"}, fields...) {
			total.open[name] = true
		}
	}
	if s.run.flat == nil {
		total.installs = s.outcomeTotal(campaigns, from, to, lifetime)
	} else {
		total.installs = s.run.flatSum(s.run.flat).installs
	}
	return s.inOneCurrency(total, with)
}

// ranked returns the creatives of the campaign whose window has enough days; of a rule on
// campaigns, those of the campaigns in its scope.
func (s *scene) ranked() []string {
	var list []string
	of := s.run.account.creatives[s.campaign]
	if !s.rule.creativeLevel {
		of = nil
		for _, campaign := range s.run.account.campaigns {
			if s.run.covers(s.rule, campaign) {
				of = append(of, campaign)
			}
		}
	}
	for _, creative := range of {
		if of := s.sum(creative, s.window); of.isComplete(s.rule.minDays, s.window.kind == "lifetime") {
			list = append(list, creative)
		}
	}
	return list
}

// withRows returns the campaigns in scope that have a row in the window.
func (s *scene) withRows() []string {
	return slices.DeleteFunc(slices.Clone(s.run.account.campaigns), func(campaign string) bool {
		return !s.run.covers(s.rule, campaign) || s.sum(campaign, s.window).rows == 0
	})
}

// rank returns the rank of the creative by a metric: 1 is the highest, and equal ones share
// the better rank.
func (s *scene) rank(metric string) float64 {
	if x := (&expr{op: "metric", metric: metric}); !s.rule.creativeLevel && x.unit() != 0 && !s.haveOneCurrency(s.withRows()) {
		return unknown
	}
	of := func(creative string) float64 {
		one := *s
		one.entity = creative
		if !s.rule.creativeLevel {
			one.campaign = creative
		}
		rule := *s.rule
		one.first = ""
		rule.maxAgeHours = 0 // it matters only whether the own report is old
		one.rule = &rule
		return one.metric(&expr{metric: metric}).only()
	}
	own := of(s.entity)
	if math.IsNaN(own) || s.isOld(s.sum(s.entity, s.window)) || !slices.Contains(s.ranked(), s.entity) {
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
func (s *scene) monthEndSpend(whose string) bounds {
	month := span{kind: "month"}
	from, _ := month.daysOf(s.day)
	if from == s.day {
		return nothing // on the first
	}
	first := time.Unix(int64(from)*86_400, 0).UTC()
	days := int(first.AddDate(0, 1, 0).Sub(first).Hours() / 24)
	all := s.run.account.begin(from + days).Sub(s.run.account.begin(from)).Hours()
	var of sum
	switch {
	case s.run.flat != nil: // every day has the same row
		of = s.sum(s.entity, month)
		of.fields["hours"] = s.run.account.begin(s.day).Sub(s.run.account.begin(from)).Hours()
	case whose == "account":
		of = s.total(month, s.run.account.campaigns)
	case whose == "campaign":
		of = s.ofOther(s.sum(s.campaign, month))
	default:
		of = s.ofOwn(s.own(month))
	}
	return times(divide(of.field("grossMediaSpend"), of.field("hours")), exactly(all))
}

// number returns what is known of an expression of numbers.
func (s *scene) number(x *expr) bounds {
	switch x.op {
	case "number":
		return exactly(x.number)
	case "metric":
		return s.metric(x)
	}
	a, b := s.number(x.args[0]), s.number(x.args[1])
	if x.op == "*" || x.op == "/" { // a budget that is or may be 0 counts as no budget
		for n, v := range []*bounds{&a, &b} {
			if strings.HasSuffix(strings.ToLower(x.args[n].metric), "budget") && v.low == 0 {
				*v = nothing
			}
		}
	}
	switch x.op {
	case "+":
		return plus(a, b)
	case "-":
		return minus(a, b)
	case "*":
		return times(a, b)
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
	case "!": // that something is not exceeded on a first day pauses nothing
		negated := *s
		if negated.first == "pause" {
			negated.first = ""
		}
		return yes - negated.holds(x.args[0])
	case "&&":
		return min(s.holds(x.args[0]), s.holds(x.args[1]))
	case "||":
		return max(s.holds(x.args[0]), s.holds(x.args[1]))
	}
	a, b := s.number(x.args[0]), s.number(x.args[1])
	if math.IsNaN(a.low) || math.IsNaN(b.low) || s.run.flat == nil && x.dependsOnCurrency() && s.hasSeveralCurrencies() {
		return maybe
	}
	value := maybe
	if strings.HasPrefix(x.op, ">") {
		a, b = b, a
	}
	switch {
	case a.high < b.low, len(x.op) == 2 && a.high == b.low:
		value = yes
	case a.low > b.high, len(x.op) == 1 && a.low == b.high:
		value = no
	}
	isLeft, isRight := s.readsEmpty(x.args[0]), s.readsEmpty(x.args[1])
	isMore := isLeft && strings.HasPrefix(x.op, ">") || !isLeft && strings.HasPrefix(x.op, "<")
	if s.first == "pause" && (isLeft || isRight) && (value == yes || !isMore) {
		return maybe
	}
	return value
}

// readsEmpty reports whether a number reads a window that has no day.
func (s *scene) readsEmpty(x *expr) bool {
	if x.op != "metric" {
		return slices.ContainsFunc(x.args, s.readsEmpty)
	}
	window := s.window
	switch {
	case s.run.flat != nil, x.whose == "count", x.whose == "target", x.whose == "previous", x.metric == "lifetimeUsed":
		return false
	case x.metric == "monthEndSpend":
		window = span{kind: "month"}
	case x.whose == "over":
		window = x.over
	}
	from, to := window.daysOf(s.day)
	return to < from
}
