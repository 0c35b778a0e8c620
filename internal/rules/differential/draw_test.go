package differential_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// file is a rule file.
type file struct {
	name    string
	account string
	zone    *time.Location
	rules   []*rule
	label   *label // which rules may select
	targets *targets
	edits   int // of the text, without a change of a rule
}

type label struct {
	creatives string // the end of their codes
	from, to  int    // days
}

// rule is a rule. Zero values are keys that are left out.
type rule struct {
	file           *file
	name           string
	creativeLevel  bool
	together       bool   // level: account
	creatives      string // the end of their codes
	labelled       bool
	keep           int
	window         span
	leastField     string
	least          float64
	minDays        int
	heldDays       int
	pause, resume  *expr
	cooldown       int // hours
	priority       int
	maxCreatives   int
	maxCampaigns   int
	maxShare       int // percent
	maxAgeHours    int
	minAgeHours    int
	hours          *hours
	maxFlips       int    // a day
	types          string // of creatives
	lag            int    // report_lag, minutes
	dueDay         int    // schedule: at an hour of a day; 0: none
	dueHour        int
	steps          *steps // how it changes a number; nil: it changes statuses
	mode           string
	formerly       string // the name that it had
	until          string
	onlyCampaign   string // the end of their codes; "": all
	exceptCampaign string
}

// hours are the active_hours of a rule, in full hours; over midnight if to is less.
type hours struct {
	from, to int
	days     []time.Weekday // on which they begin; none: all
}

// hasOnlyHours reports whether the rule has hours and no condition.
func (r *rule) hasOnlyHours() bool { return r.pause == nil }

// key names the rule among those of all files.
func (r *rule) key() string { return r.file.name + "/" + r.name }

// reads reports whether a condition reads a metric.
func (r *rule) reads(metric string) bool { return r.pause.reads(metric) || r.resume.reads(metric) }

func (x *expr) reads(metric string) bool {
	return x != nil && (x.metric == metric || slices.ContainsFunc(x.args, func(arg *expr) bool { return arg.reads(metric) }))
}

func (r *rule) enabled() bool { return r.mode == "act" || r.mode == "approve" }

// span is a window.
type span struct {
	kind string // today, yesterday, last, month, lifetime
	days int
}

// length is a number of days that the window has at least.
func (s span) length() int {
	switch s.kind {
	case "last":
		return s.days
	case "week":
		return 7
	case "lifetime", "month":
		return 30
	}
	return 1
}

// expr is a condition or a number. op is a number, a metric, an operator of numbers, a
// comparison or a connective.
type expr struct {
	op     string
	args   []*expr
	number float64
	metric string
	whose  string // previous, campaign, account, over, rank, count, target, or ""
	over   span
}

// drawer draws files and reports.
type drawer struct {
	*rand.Rand
	today bool // windows may be the running day
}

func pick[T any](d *drawer, list ...T) T { return list[d.IntN(len(list))] }

// chance returns true once in n times.
func (d *drawer) chance(n int) bool { return d.IntN(n) == 0 }

func (d *drawer) span() span {
	if d.today && !d.chance(3) {
		return span{kind: "today"}
	}
	return pick(d, span{kind: "yesterday"}, span{"last", 2 + d.IntN(6)}, span{"last", 3}, span{kind: "month"}, span{kind: "week"}, span{kind: "lifetime"})
}

// scales have the metrics, and numbers of which about half are above and half below.
var scales = map[string][]float64{
	"impressions": {500, 1000, 3000}, "clicks": {4, 8, 20}, "won": {700, 1500}, "grossMediaSpend": {30, 60, 150}, "budget": {40, 100, 250},
	installs: {2, 8, 25}, "ctr_upper95": {0.008, 0.016, 0.03}, "ctr_lower95": {0.002, 0.004, 0.008}, "monthEndSpend": {700, 1500, 3000},
	"pacing": {0.5, 1, 1.25}, "spendRate": {1, 3, 6}, "projectedSpend": {40, 80, 200}, "lifetimeBudget": {40, 70}, "lifetimeUsed": {1, 20, 60},
	"ctr": {0.004, 0.008, 0.016}, "cpc": {4, 8, 16}, "ecpm": {30, 60}, "budgetUsed": {0.5, 0.95, 1.25}, "displayRate": {0.5, 1},
}

var metrics = []string{installs, "impressions", "clicks", "won", "grossMediaSpend", "budget", "ctr", "cpc", "ecpm", "budgetUsed", "displayRate", "ctr_upper95", "ctr_lower95", "monthEndSpend", "pacing", "spendRate", "projectedSpend", "lifetimeBudget", "lifetimeUsed"}

func (d *drawer) metric(r *rule) *expr {
	x := &expr{op: "metric", metric: pick(d, metrics...)}
	for r.heldDays > 0 && isOfAllDays(x.metric) {
		x.metric = pick(d, metrics...)
	}
	if r.heldDays > 0 {
		x.whose = pick(d, "", "", "campaign", "account")
	} else {
		x.whose = pick(d, "", "", "", "", "previous", "campaign", "account", "over")
	}
	if r.together && x.whose == "campaign" {
		x.whose = ""
	}
	if x.whose == "over" {
		x.over = pick(d, span{"last", 2 + d.IntN(9)}, span{kind: "yesterday"}, span{kind: "month"}, span{kind: "week"})
		if r.window.kind == "yesterday" && d.chance(2) {
			x.over = span{"same", 8}
		}
		if r.window.kind == "today" && d.chance(2) {
			x.over = span{"same", 7}
		}
	}
	if x.whose == "previous" && (r.window.kind == "lifetime" || r.window.kind == "month" || r.window.kind == "week") {
		x.whose = ""
	}
	if isOfAllDays(x.metric) && (x.whose == "previous" || x.whose == "over") {
		x.whose = "" // whatever the window is
	}
	return x
}

// isOfAllDays reports whether a metric is the same whatever the window is.
func isOfAllDays(metric string) bool {
	return metric == "monthEndSpend" || metric == "lifetimeUsed" || metric == "projectedSpend"
}

func (d *drawer) comparison(r *rule) *expr {
	x := d.metric(r)
	op := pick(d, "<", "<=", ">", ">=")
	if r.steps == nil && !r.together && d.chance(5) {
		return d.rank(op, x.metric)
	}
	if r.file.targets != nil && !r.together && d.chance(4) {
		return &expr{op: op, args: []*expr{x, {op: "metric", metric: pick(d, targetColumns...), whose: "target"}}}
	}
	switch d.IntN(5) {
	case 0: // the same metric of something else, by a factor
		other := d.metric(r)
		if other.metric = x.metric; isOfAllDays(x.metric) && (other.whose == "previous" || other.whose == "over") {
			other.whose = ""
		}
		return &expr{op: op, args: []*expr{x, {op: "*", args: []*expr{{op: "number", number: pick(d, 0.5, 0.9, 1.1, 2)}, other}}}}
	case 1: // by hand
		y := d.metric(r)
		return &expr{op: op, args: []*expr{{op: pick(d, "+", "-", "/", "*"), args: []*expr{x, y}}, {op: "number", number: pick(d, 0.5, 3, 100)}}}
	}
	return &expr{op: op, args: []*expr{x, {op: "number", number: pick(d, scales[x.metric]...)}}}
}

// rank draws a comparison of a rank with a number or with that of the last creatives.
func (d *drawer) rank(op, metric string) *expr {
	rank, bound := &expr{op: "metric", metric: metric, whose: "rank"}, &expr{op: "number", number: pick(d, 1.0, 2, 3)}
	if d.chance(2) {
		bound = &expr{op: "-", args: []*expr{{op: "metric", whose: "count"}, {op: "number", number: pick(d, 0.0, 1)}}}
	}
	return &expr{op: op, args: []*expr{rank, bound}}
}

func (d *drawer) condition(r *rule, depth int) *expr {
	if depth == 0 || d.chance(2) {
		return d.comparison(r)
	}
	if d.chance(5) {
		return &expr{op: "!", args: []*expr{d.condition(r, depth-1)}}
	}
	return &expr{op: pick(d, "&&", "||"), args: []*expr{d.condition(r, depth-1), d.condition(r, depth-1)}}
}

// file draws a file about the campaigns a, b and c of an account. day is the day of a run.
func (d *drawer) file(name string, a *account, day int) *file {
	f := &file{name: name, account: a.code, zone: a.zone, targets: a.targets}
	if d.chance(2) {
		f.label = &label{creatives: pick(d, "-1", "-2"), from: day - d.IntN(3), to: day + d.IntN(3)}
	}
	for n := range 1 + d.IntN(4) {
		r := &rule{file: f, name: fmt.Sprintf("r%d", n), creativeLevel: d.chance(2), mode: pick(d, "act", "act", "act", "approve", "notify", "observe"), priority: d.IntN(3)}
		r.together = d.chance(4)
		r.creativeLevel = r.creativeLevel && !r.together
		r.window = d.span()
		r.leastField, r.least = pick(d, "impressions", "won"), pick(d, 1.0, 500, 1500)
		if d.chance(3) {
			r.minDays = 1 + d.IntN(min(r.window.length(), 5))
		}
		if d.chance(5) && r.window.kind != "lifetime" {
			r.heldDays = 1 + d.IntN(3)
		}
		if r.pause = d.condition(r, 2); d.chance(3) {
			spend, least := &expr{op: "metric", metric: "grossMediaSpend"}, pick(d, 40.0, 80)
			r.pause = &expr{op: ">=", args: []*expr{spend, {op: "number", number: least}}}
			r.resume = &expr{op: "<", args: []*expr{spend, {op: "number", number: least - 15}}}
		}
		d.guards(f, r)
		d.ahead(r, day)
		d.hours(r)
		d.relax(r)
		if d.chance(4) {
			r.until = pick(d, "tomorrow", "tomorrow", "monday", "next_month")
		}
		f.rules = append(f.rules, r)
	}
	return f
}

// ahead draws how far projectedSpend looks ahead. Workers must not find that the rule is due.
func (d *drawer) ahead(r *rule, day int) {
	if d.chance(3) {
		r.lag = pick(d, 30, 120, 600)
	}
	if d.today {
		day += 3
	}
	due := time.Unix(int64(day)*86_400, 0).UTC()
	this := time.Date(time.Now().Year(), due.Month(), due.Day(), 12, 0, 0, 0, time.UTC)
	if away := time.Until(this).Abs(); d.chance(2) && (d.today || away > 72*time.Hour) {
		r.dueDay, r.dueHour = day, pick(d, 5, 12, 20)
	}
}

// hours draws the hours of a rule, and removes what does not go with them.
func (d *drawer) hours(r *rule) {
	if !d.chance(3) {
		return
	}
	r.lag, r.dueDay = 0, 0
	r.hours = pick(d, &hours{8, 22, nil}, &hours{22, 6, nil}, &hours{6, 9, nil}, &hours{0, 14, nil}, &hours{0, 24, nil})
	if r.hours.to == 24 || d.chance(3) {
		for day := range time.Weekday(7) {
			if d.chance(2) || len(r.hours.days) == 0 && day == 5 {
				r.hours.days = append(r.hours.days, day)
			}
		}
		if len(r.hours.days) == 7 {
			r.hours.days = r.hours.days[1:]
		}
	}
	r.heldDays, r.minAgeHours = 0, 0
	if d.chance(2) {
		r.resume = nil
	}
	if d.chance(3) {
		r.pause, r.resume, r.window, r.leastField, r.least, r.minDays, r.maxAgeHours = nil, nil, span{}, "", 0, 0, 0
	}
}

// relax removes most guards of a rule that may resume, so that it acts more often.
func (d *drawer) relax(r *rule) {
	if r.resume == nil && r.hours == nil || d.chance(3) {
		return
	}
	r.mode, r.keep, r.maxCreatives, r.maxCampaigns, r.maxShare, r.maxAgeHours, r.minAgeHours, r.minDays = "act", 0, 0, 0, 0, 0, 0, 0
	r.cooldown, r.maxFlips = pick(d, 0, 0, 6, 12, 24), pick(d, 0, 0, 1, 2)
	if !r.hasOnlyHours() {
		r.least, r.window = 1, pick(d, span{kind: "yesterday"}, span{"last", 2})
		r.pause.shift(r.window)
		r.resume.shift(r.window)
	}
}

// shift makes the same day of last week that of another window of the rule.
func (x *expr) shift(window span) {
	if x == nil {
		return
	}
	if x.over.kind == "same" && window.kind == "yesterday" {
		x.over.days = 8
	}
	for _, arg := range x.args {
		arg.shift(window)
	}
}

func (d *drawer) guards(f *file, r *rule) {
	if d.chance(3) {
		r.keep = 1 + d.IntN(2)
	}
	if d.chance(4) {
		r.creatives = pick(d, "-1", "-2", "-3")
	}
	r.labelled = f.label != nil && d.chance(2)
	if d.chance(4) {
		r.cooldown = pick(d, 12, 24, 48)
	}
	if d.chance(4) {
		r.maxCreatives = 1 + d.IntN(4)
	}
	if d.chance(5) {
		r.maxCampaigns = 1
	}
	if d.chance(5) && !r.labelled { // the number of creatives in scope is counted once an hour
		r.maxShare = pick(d, 20, 50, 60, 100)
	}
	if d.chance(4) {
		r.maxFlips = 1 + d.IntN(2)
	}
	if d.chance(5) {
		r.types = pick(d, "IMAGE", "VIDEO", "V*", "*")
	}
	if d.chance(5) && !r.together {
		r.minAgeHours = pick(d, 24, 36, 72, 120, 240, 960)
	}
	if d.chance(5) {
		r.maxAgeHours = pick(d, 5, 7, 24, 31, 48, 72)
	}
	switch d.IntN(5) {
	case 0:
		r.onlyCampaign = "a"
	case 1:
		r.exceptCampaign = "b"
	}
}
