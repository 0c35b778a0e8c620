package differential_test

import (
	"maps"
	"math"
	"slices"
	"strings"
	"time"
)

// This evaluator follows the section Rules of the README, sentence by sentence. It is slow
// and plain on purpose.

var unknown = math.NaN()

func dateOf(day int) string {
	return time.Unix(int64(day)*86_400, 0).UTC().Format(time.DateOnly)
}

// daysOf returns the first and the last day of a window on a running day.
func (s span) daysOf(day int) (from, to int) {
	switch s.kind {
	case "yesterday":
		return day - 1, day - 1
	case "last":
		return day - s.days, day - 1
	case "month":
		date := time.Unix(int64(day)*86_400, 0).UTC()
		return day - date.Day() + 1, day - 1
	case "lifetime":
		return 0, day
	}
	return day, day
}

// sum is a window of an entity, summed up.
type sum struct {
	rows   int
	all    int // days of the window
	fields map[string]float64
}

// sumOf sums up an entity's rows. A field that a row lacks is UNKNOWN.
func sumOf(r report, from, to int) sum {
	s := sum{all: to - from + 1, fields: map[string]float64{}}
	for day, values := range r {
		if day < from || day > to {
			continue
		}
		s.rows++
		for _, name := range fields {
			v, known := values[name]
			if !known {
				v = unknown
			}
			s.fields[name] += v
		}
	}
	return s
}

// flatSum returns the sum of a window, all of whose days are known.
func flatSum(values row) sum {
	s := sumOf(report{0: values}, 0, 0)
	s.rows, s.all = 400, 400
	return s
}

// isComplete reports whether enough days have a row.
func (s sum) isComplete(minDays int, lifetime bool) bool {
	need := s.all
	if lifetime && minDays == 0 {
		need = 1
	}
	if minDays > 0 {
		need = min(minDays, s.all)
	}
	return s.rows > 0 && s.rows >= need
}

// value returns a metric of a sum.
func (s sum) value(metric string) float64 {
	if s.rows == 0 {
		return unknown
	}
	f := s.fields
	budget := f["budget"]
	if budget == 0 {
		budget = unknown // no quotient has it
	}
	switch metric {
	case "ctr":
		return divide(f["clicks"], f["impressions"])
	case "cpc":
		return divide(f["grossMediaSpend"], f["clicks"])
	case "ecpm":
		return divide(f["grossMediaSpend"], f["impressions"]) * 1000
	case "budgetUsed":
		return divide(f["grossMediaSpend"], budget)
	case "displayRate":
		return divide(f["impressions"], f["won"])
	}
	return f[metric]
}

func divide(a, b float64) float64 {
	if b == 0 {
		return unknown
	}
	return a / b
}

// run is one run of a file.
type run struct {
	file     *file
	account  *account
	day      int               // the running one
	at       float64           // in days, for cooldowns
	due      func(*rule) bool  // nil: all
	status   map[string]string // of creatives
	owner    map[string]string // the rule that paused a creative and may resume it
	changed  map[string]float64
	modeless bool // every mode is act
	// flat are the metrics of a test case, over all windows but those before.
	flat, flatBefore row
	// only is the campaign of an event: its run is about no other one; "": all.
	only string
	// events replace today's row of a campaign in rules with window: today.
	events map[string]row
}

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
		return flatSum(s.run.flat)
	}
	from, to := window.daysOf(s.day)
	return sumOf(s.reportOf(entity, window), from, to)
}

// isKnown reports whether the rule's window has enough days and enough data.
func (s *scene) isKnown(of sum) bool {
	minDays := s.rule.minDays
	if s.single {
		minDays = 0
	}
	return of.isComplete(minDays, s.window.kind == "lifetime") && of.fields[s.rule.leastField] >= s.rule.least
}

// previous returns the sum of the window before the rule's.
func (s *scene) previous() sum {
	if s.run.flat != nil {
		return flatSum(s.run.flatBefore)
	}
	from, to := s.window.daysOf(s.day)
	return sumOf(s.reportOf(s.entity, span{kind: "before"}), from-(to-from+1), to-(to-from+1))
}

// metric returns the value of a metric of a condition.
func (s *scene) metric(x *expr) float64 {
	minDays, lifetime := s.rule.minDays, s.window.kind == "lifetime"
	whole := func(of sum, lifetime bool) float64 {
		if !of.isComplete(minDays, lifetime) {
			return unknown
		}
		return of.value(x.metric)
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
		total, isComplete := sum{rows: 1, fields: map[string]float64{}}, false
		for _, campaign := range s.run.account.campaigns {
			of := s.sum(campaign, s.window)
			isComplete = isComplete || of.isComplete(minDays, lifetime)
			for name, v := range of.fields {
				total.fields[name] += v
			}
		}
		if !isComplete {
			return unknown
		}
		return total.value(x.metric)
	case "over":
		return whole(s.sum(s.entity, x.over), x.over.kind == "lifetime")
	}
	return s.sum(s.entity, s.window).value(x.metric)
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
	if x.op == "*" || x.op == "/" { // a budget of 0 is none
		for n, v := range []*float64{&a, &b} {
			if x.args[n].metric == "budget" && *v == 0 {
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
	if math.IsNaN(a) || math.IsNaN(b) {
		return maybe
	}
	if x.op == "<" && a < b || x.op == "<=" && a <= b || x.op == ">" && a > b || x.op == ">=" && a >= b {
		return yes
	}
	return no
}

// vote returns what a rule wants of a creative: pause, resume, unknown or nothing.
func (r *run) vote(by *rule, campaign, creative string) string {
	s := &scene{run: r, rule: by, campaign: campaign, entity: campaign, window: by.window, day: r.day}
	if by.creativeLevel {
		s.entity = creative
	}
	if !s.isKnown(s.sum(s.entity, s.window)) {
		return "unknown"
	}
	switch s.holds(by.pause) {
	case maybe:
		return "unknown"
	case yes:
		for ago := 1; ago <= by.heldDays; ago++ {
			one := *s
			one.single, one.window, one.day = true, span{kind: "today"}, r.day-ago
			if !one.isKnown(one.sum(one.entity, one.window)) || one.holds(by.pause) != yes {
				return ""
			}
		}
		return "pause"
	}
	if by.resume == nil {
		return ""
	}
	return map[int]string{no: "", maybe: "unknown", yes: "resume"}[s.holds(by.resume)]
}

// has reports whether a rule has a creative in scope.
func (r *run) has(by *rule, campaign, creative string) bool {
	if by.onlyCampaign != "" && campaign != r.account.code+"-"+by.onlyCampaign || by.exceptCampaign != "" && campaign == r.account.code+"-"+by.exceptCampaign {
		return false
	}
	if l := r.file.label; by.labelled && (r.day < l.from || r.day > l.to || !strings.HasSuffix(creative, l.creatives)) {
		return false
	}
	return strings.HasSuffix(creative, by.creatives)
}

// decision is what a run decides on a creative.
type decision struct {
	action, wants, guard, rule string

	rank int
}

// The ranks of what the rules say of a creative: the highest becomes its decision.
const (
	quiet    = iota + 1
	kept     // a resume is wanted, but not allowed
	unsure   // UNKNOWN
	observed // by a rule that only records
	notified
	resumed // or held
	paused  // already
	heldPause
	willPause
)

// inOrder returns the rules by priority, then by their order in the file, those that are
// not enabled last.
func (r *run) inOrder() []*rule {
	var list []*rule
	for _, by := range r.file.rules {
		one := *by
		if r.modeless {
			one.mode = "act"
		}
		list = append(list, &one)
	}
	slices.SortStableFunc(list, func(a, b *rule) int {
		if a.enabled() != b.enabled() {
			if a.enabled() {
				return -1
			}
			return 1
		}
		return b.priority - a.priority
	})
	return list
}

// table is what all rules say in a run.
type table struct {
	*run
	order     []*rule
	votes     []map[string]string // by rule and creative in scope
	campaigns map[string]string   // by creative
	codes     []string            // of creatives, in order
	decisions map[string]decision
}

// decide returns the decision on each creative.
func (r *run) decide() map[string]decision {
	t := &table{run: r, order: r.inOrder(), campaigns: map[string]string{}, decisions: map[string]decision{}}
	for _, campaign := range r.account.campaigns {
		for _, creative := range r.account.creatives[campaign] {
			if r.only != "" && campaign != r.only {
				continue
			}
			t.campaigns[creative] = campaign
			t.codes = append(t.codes, creative)
		}
	}
	slices.Sort(t.codes)
	for _, by := range t.order {
		votes := map[string]string{}
		for _, creative := range t.codes {
			if r.has(by, t.campaigns[creative], creative) {
				votes[creative] = r.vote(by, t.campaigns[creative], creative)
			}
		}
		t.votes = append(t.votes, votes)
	}
	for k, by := range t.order {
		if r.due == nil || r.due(by) {
			t.choose(k, by)
		}
	}
	return t.decisions
}

func (t *table) offer(creative string, d decision) {
	if d.rank > t.decisions[creative].rank {
		t.decisions[creative] = d
	}
}

func (t *table) isTaken(creative string) bool {
	a := t.decisions[creative].action
	return a == "pause" || a == "resume"
}

// choose lets a rule take the creatives that it may change.
func (t *table) choose(k int, by *rule) {
	var changes []string
	wants := map[string]decision{}
	for _, creative := range t.codes {
		vote, inScope := t.votes[k][creative]
		if !inScope || t.isTaken(creative) {
			continue
		}
		d := t.single(by, creative, vote)
		if by.enabled() && (d.action == "pause" || d.action == "resume") {
			changes, wants[creative] = append(changes, creative), d
			continue
		}
		t.offer(creative, t.inMode(by, d))
	}
	if !by.enabled() {
		return
	}
	if by.keep > 0 {
		changes = t.keepActive(k, by, changes, wants)
	}
	var of []string
	for _, creative := range changes {
		if campaign := t.campaigns[creative]; !slices.Contains(of, campaign) {
			of = append(of, campaign)
		}
	}
	over := by.maxCreatives > 0 && len(changes) > by.maxCreatives || by.maxCampaigns > 0 && len(of) > by.maxCampaigns
	for _, creative := range changes {
		switch d := wants[creative]; {
		case over:
			t.offer(creative, d.hold("cap"))
		case by.mode == "approve":
			t.offer(creative, d.hold("approval"))
		default:
			t.offer(creative, d)
		}
	}
}

func (d decision) hold(guard string) decision {
	d.wants, d.action, d.guard = d.action, "held", guard
	if d.rank == willPause {
		d.rank = heldPause
	}
	return d
}

// single returns what a rule says of a creative by itself.
func (t *table) single(by *rule, creative, vote string) decision {
	d := decision{action: "none", rule: by.name, rank: quiet}
	active := t.status[creative] == "ACTIVE"
	switch {
	case vote == "unknown":
		d.action, d.rank = "unknown", unsure
	case vote == "pause" && active:
		d.action, d.rank = "pause", willPause
	case vote == "pause":
		d.rank = paused
	case vote == "resume" && !active:
		d.rank = kept
		switch {
		case t.owner[creative] != by.name:
			d.guard = "hands_off"
		case t.isWantedPaused(creative):
			d.guard = "pause_wanted"
		default:
			d.action, d.rank = "resume", resumed
		}
	}
	if last, known := t.changed[by.name+" "+creative]; known && by.cooldownDays > 0 && (d.action == "pause" || d.action == "resume") && t.at < last+float64(by.cooldownDays) {
		return d.hold("cooldown")
	}
	return d
}

func (t *table) isWantedPaused(creative string) bool {
	for k, by := range t.order {
		if by.enabled() && t.votes[k][creative] == "pause" {
			return true
		}
	}
	return false
}

// inMode returns what a rule that is not enabled says.
func (t *table) inMode(by *rule, d decision) decision {
	if by.enabled() || d.action == "unknown" {
		return d
	}
	changes := d.action == "pause" || d.action == "resume"
	switch {
	case changes && by.mode == "notify":
		return decision{action: "notify", wants: d.action, rule: by.name, rank: notified}
	case changes:
		d = d.hold("observe")
	}
	if d.rank = quiet; d.action == "held" {
		d.rank = observed
	}
	return d
}

// keepActive holds pauses that would leave too few creatives ACTIVE, and returns the other
// changes.
func (t *table) keepActive(k int, by *rule, changes []string, wants map[string]decision) []string {
	gone := func(creative string) bool {
		if t.status[creative] != "ACTIVE" || t.decisions[creative].action == "pause" {
			return true
		}
		for later := k + 1; later < len(t.order); later++ {
			if other := t.order[later]; other.enabled() && other.keep == 0 && t.votes[later][creative] == "pause" {
				return true
			}
		}
		return false
	}
	left := map[string]int{}
	for _, creative := range t.codes {
		if !gone(creative) {
			left[t.campaigns[creative]]++
		}
	}
	var may []string
	for _, creative := range changes {
		if wants[creative].action == "pause" {
			after := left[t.campaigns[creative]]
			if !gone(creative) {
				after--
			}
			if after < by.keep {
				t.offer(creative, wants[creative].hold("keep_active"))
				continue
			}
			left[t.campaigns[creative]] = after
		}
		may = append(may, creative)
	}
	return may
}

// carryOut changes statuses, owners and the times of changes by the decisions.
func (r *run) carryOut(decisions map[string]decision) {
	for creative, d := range decisions {
		switch d.action {
		case "pause":
			r.status[creative], r.owner[creative] = "INACTIVE", d.rule
		case "resume":
			r.status[creative] = "ACTIVE"
			delete(r.owner, creative)
		default:
			continue
		}
		r.changed[d.rule+" "+creative] = r.at
	}
}

func newRun(f *file, a *account) *run {
	r := &run{file: f, account: a, status: map[string]string{}, owner: map[string]string{}, changed: map[string]float64{}}
	for _, list := range a.creatives {
		for _, creative := range list {
			r.status[creative] = "ACTIVE"
		}
	}
	return r
}
