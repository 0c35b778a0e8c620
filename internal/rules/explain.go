package rules

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"usher"
)

// Decisions yields the run's decisions by campaign and creative; which says of
// an action whether it is wanted, nil wants all. They are put into words only
// here, because most of the time nobody asks about those that are none.
func (r *Run) Decisions(which func(usher.Action) bool) iter.Seq[usher.Decision] {
	return func(yield func(usher.Decision) bool) {
		var scopes []bool // of the campaign that is in turn
		campaign := ""
		for i, c := range r.choices {
			if c.rule < 0 || which != nil && !which(c.action) {
				continue
			}
			if scopes == nil || r.creatives[i].Campaign != campaign {
				campaign = r.creatives[i].Campaign
				scopes = r.scopes(campaign)
			}
			if !yield(r.decision(i, scopes)) {
				return
			}
		}
	}
}

// Counts are how many decisions there are of each action.
func (r *Run) Counts() map[usher.Action]int {
	counts := map[usher.Action]int{}
	for _, c := range r.choices {
		if c.rule >= 0 {
			counts[c.action]++
		}
	}
	return counts
}

// decision puts the i-th choice into words. inScope are the voters that have its
// campaign in scope.
func (r *Run) decision(i int, inScope []bool) usher.Decision {
	c, creative := r.choices[i], r.creatives[i]
	rule := r.set.Rules[c.rule]
	says := r.word(c.rule, creative)
	d := usher.Decision{
		Date: r.set.Day(r.snapshot.Figures.at), Campaign: creative.Campaign, Creative: creative.Code, Rule: rule.Name,
		Action: c.action, Wants: c.wants, Guard: c.guard, Metrics: says.metrics(), Report: says.report(),
	}
	d.Reason = r.reason(c, creative, says)
	if condition := says.condition(); condition != nil {
		d.Values = says.values(condition.root)
	}
	if others := r.votes(creative, inScope); len(others) > 1 {
		d.Votes = others
	}
	return d
}

// votes are the words of all rules that want something of a creative, or cannot
// know.
func (r *Run) votes(c Creative, inScope []bool) []usher.Vote {
	var list []usher.Vote
	of := r.snapshot.Figures.places(c)
	for k := range r.voters {
		if !inScope[k] {
			continue
		}
		if action := actionOf(r.voters[k].vote(of)); action != usher.None {
			list = append(list, usher.Vote{Rule: r.set.Rules[r.voters[k].rule].Name, Action: action})
		}
	}
	return list
}

// ruleWord is a rule's word on a creative, with what it is made of.
type ruleWord struct {
	rule    *Rule
	figures *Figures
	level   *levelFigures
	at      int // in the level's index; -1: there are no figures
	verdict verdict
	alone   *evaluation // of this one
}

func (r *Run) word(n int, c Creative) ruleWord {
	of := r.snapshot.Figures.places(c)
	v := &r.voters[slices.IndexFunc(r.voters, func(v voter) bool { return v.rule == n })]
	w := ruleWord{rule: r.set.Rules[n], figures: r.snapshot.Figures, level: &r.snapshot.Figures.levels[v.level], at: of[v.level], verdict: v.vote(of)}
	w.alone = &evaluation{windows: w.level.windows, low: w.at, high: w.at + 1, ahead: v.ahead}
	return w
}

// evaluate evaluates an expression for this one.
func (w ruleWord) evaluate(x *expression) float64 {
	if w.at < 0 {
		return math.NaN()
	}
	return w.alone.run(x, 0)[0]
}

// condition is the one that holds; nil: none does.
func (w ruleWord) condition() *Condition {
	switch w.verdict {
	case wantsPause:
		return w.rule.Pause
	case wantsResume:
		return w.rule.Resume
	}
	return nil
}

// report is the newest report date that was read; empty: there was none.
func (w ruleWord) report() string {
	if w.at < 0 || w.level.windows[w.rule.slot].report[w.at] == 0 {
		return ""
	}
	return dayText(w.level.windows[w.rule.slot].report[w.at])
}

// metrics are what the rule's conditions and min_data read, and what that is
// made of.
func (w ruleWord) metrics() map[string]float64 {
	metrics := map[string]float64{}
	add := func(name string, v float64) {
		if !math.IsNaN(v) {
			metrics[name] = rounded(v)
		}
	}
	var walk func(x *expression, prefix string)
	walk = func(x *expression, prefix string) {
		switch {
		case x.op == opNamed:
			add(x.name, w.evaluate(x))
			if strings.HasPrefix(x.name, "previous.") {
				prefix = "previous."
			} else if x.name == "lifetimeUsed" {
				prefix = "lifetime."
			}
		case x.op == opColumn && x.name != "":
			add(x.name, w.evaluate(x))
		case x.op == opColumn && x.column < Fields:
			add(prefix+x.column.String(), w.evaluate(x))
		}
		for _, arg := range x.args {
			walk(arg, prefix)
		}
	}
	for _, c := range []*Condition{w.rule.Pause, w.rule.Resume} {
		if c != nil {
			walk(c.root, "")
		}
	}
	for _, least := range w.rule.MinData {
		add(least.Field.String(), w.minimum(least))
	}
	return metrics
}

func (w ruleWord) minimum(least Minimum) float64 {
	return w.evaluate(&expression{op: opColumn, slot: w.rule.slot, column: least.Field})
}

// values are the parts of a condition and what they come to, from the inside
// out, each once.
func (w ruleWord) values(root *expression) []usher.Value {
	var list []usher.Value
	var walk func(x *expression)
	walk = func(x *expression) {
		if x.op == opNumber || x.op == opTruth {
			return
		}
		if x.op != opNamed {
			for _, arg := range x.args {
				walk(arg)
			}
		}
		v := usher.Value{Expression: x.String(), Result: resultText(x, w.evaluate(x))}
		if !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	walk(root)
	return list
}

func resultText(x *expression, v float64) string {
	switch {
	case math.IsNaN(v):
		return "unknown"
	case x.truth():
		return strconv.FormatBool(v == 1)
	}
	return short(v)
}

// compared is a condition with its numbers: "57.2 >= 56.05" of a comparison, or
// "53 is not >= 56.05"; of others what was read.
func (w ruleWord) compared(c *Condition) string {
	if level, sign := c.root.op.binding(); level == 4 {
		if w.evaluate(c.root) == 0 {
			sign = "is not " + sign
		}
		return short(w.evaluate(c.root.args[0])) + " " + sign + " " + short(w.evaluate(c.root.args[1]))
	}
	var list []string
	for _, name := range c.reads {
		list = append(list, name+" "+short(w.named(c.root, name)))
	}
	return strings.Join(list, ", ")
}

// named is the value of a metric in an expression.
func (w ruleWord) named(x *expression, name string) float64 {
	if x.name == name {
		return w.evaluate(x)
	}
	for _, arg := range x.args {
		if v := w.named(arg, name); !math.IsNaN(v) {
			return v
		}
	}
	return math.NaN()
}

// reason says in plain English why it was decided so.
func (r *Run) reason(c choice, creative Creative, w ruleWord) string {
	why := r.because(w)
	at := r.snapshot.Figures.at
	did := usher.RuleMemory{}
	if r.snapshot.Memory != nil && c.guard != "" {
		did = r.snapshot.Memory(creative.Code).Rules[r.set.Key(w.rule.Name)]
	}
	switch c.guard {
	case usher.GuardObserve:
		return fmt.Sprintf("would %s, and only observes: %s", c.wants, why)
	case usher.GuardApproval:
		return fmt.Sprintf("would %s, and waits for approval: %s", c.wants, why)
	case usher.GuardStop:
		return fmt.Sprintf("would %s, but the stop switch is on (%s): %s", c.wants, r.snapshot.Stopped, why)
	case usher.GuardCap:
		wanted := r.changes[c.rule]
		return fmt.Sprintf("would %s, but the rule would change %d of %d creatives in %s at once, over its limits (%s), so all of it waits for approval: %s",
			c.wants, wanted.creatives, r.inScope(c.rule), campaignsText(wanted.campaigns), limitText(w.rule.Limits), why)
	case usher.GuardKeepActive:
		return fmt.Sprintf("would pause, but keep_active is %d: %s", w.rule.Scope.KeepActive, why)
	case usher.GuardCooldown:
		return fmt.Sprintf("would %s, but its cooldown lasts until %s: %s", c.wants, did.Changed.Add(w.rule.Cooldown).In(r.set.Zone).Format("2006-01-02 15:04"), why)
	case usher.GuardFlips:
		return fmt.Sprintf("would %s, but has changed it %d times on %s already: %s", c.wants, did.Flips, r.set.Day(at), why)
	case usher.GuardPending:
		return "left out, for the platform has not approved it yet: " + why
	case usher.GuardHandsOff:
		return "hands off, for " + r.touched(w.rule, creative) + ": " + why
	}
	switch {
	case w.verdict == wantsPause && c.action == usher.None:
		return "is INACTIVE already: " + why
	case w.verdict == wantsResume && c.action == usher.None: // it is ACTIVE already
		return w.holdsNot()
	}
	return why
}

// because is what a rule's word rests on.
func (r *Run) because(w ruleWord) string {
	from, to := w.rule.Window.span(w.figures.day, false)
	days := dayText(to)
	if from != to && w.rule.Window.kind != lifetime {
		days = dayText(from) + " to " + days
	}
	switch w.verdict {
	case wantsPause:
		return fmt.Sprintf("%s (%s)", w.rule.Pause.Source, w.compared(w.rule.Pause))
	case wantsResume:
		return fmt.Sprintf("%s (%s)", w.rule.Resume.Source, w.compared(w.rule.Resume))
	case noRows:
		return fmt.Sprintf("unknown: the report has no row of %s (%s)", w.rule.Window, days)
	case tooOld:
		return fmt.Sprintf("unknown: the newest report is of %s, which is older than %s", w.report(), durationText(w.rule.MaxAge))
	case tooLittle:
		for _, least := range w.rule.MinData {
			if v := w.minimum(least); !(v >= least.Least) { // NaN is too little, too
				return fmt.Sprintf("unknown: %s %s in %s, and min_data asks for %s", short(v), least.Field, w.rule.Window, short(least.Least))
			}
		}
	case unknown:
		var missing []string
		for _, c := range []*Condition{w.rule.Pause, w.rule.Resume} {
			for _, name := range c.readsOrNone() {
				if math.IsNaN(w.named(c.root, name)) && !slices.Contains(missing, name) {
					missing = append(missing, name)
				}
			}
		}
		if len(missing) == 0 {
			return "unknown: it divides by zero in " + w.rule.Window.String()
		}
		return fmt.Sprintf("unknown: no %s in %s, or it would divide by zero", strings.Join(missing, ", "), w.rule.Window)
	}
	return w.holdsNot()
}

// holdsNot says that nothing speaks for a pause.
func (w ruleWord) holdsNot() string {
	return fmt.Sprintf("does not hold: %s (%s)", w.rule.Pause.Source, w.compared(w.rule.Pause))
}

func (c *Condition) readsOrNone() []string {
	if c == nil {
		return nil
	}
	return c.reads
}

// touched says why a rule may not resume a creative.
func (r *Run) touched(rule *Rule, c Creative) string {
	var owner *usher.Ownership
	if r.snapshot.Memory != nil {
		owner = r.snapshot.Memory(c.Code).Owner
	}
	switch {
	case owner == nil:
		return "as far as is remembered no rule of usher paused it"
	case owner.Rule != r.set.Key(rule.Name):
		return "rule " + owner.Rule + " paused it"
	}
	return fmt.Sprintf("it was changed since this rule paused it: left %s at %s, now %s at %s", owner.Status, owner.LatestUpdate, c.Status, c.LatestUpdate)
}

func campaignsText(n int) string {
	if n == 1 {
		return "1 campaign"
	}
	return fmt.Sprintf("%d campaigns", n)
}

func limitText(l Limits) string {
	var list []string
	if l.Creatives > 0 {
		list = append(list, fmt.Sprintf("max_creatives %d", l.Creatives))
	}
	if l.Campaigns > 0 {
		list = append(list, fmt.Sprintf("max_campaigns %d", l.Campaigns))
	}
	if l.Share > 0 {
		list = append(list, fmt.Sprintf("max_share %s%%", short(l.Share*100)))
	}
	return strings.Join(list, ", ")
}

// durationText is a duration without its zero parts: 36h, not 36h0m0s.
func durationText(d time.Duration) string {
	text := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, zero) {
			text = text[:len(text)-2]
		}
	}
	return text
}

// rounded is v without the dust of sums of decimal fractions.
func rounded(v float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 12, 64), 64)
	if err != nil {
		return v
	}
	return r
}

// short is a number as people read it: six digits that count, without exponent.
func short(v float64) string {
	if math.IsNaN(v) {
		return "unknown"
	}
	decimals := 6
	if v != 0 {
		decimals = min(max(5-int(math.Floor(math.Log10(math.Abs(v)))), 0), 12)
	}
	if math.Abs(v) >= 100 {
		decimals = min(decimals, 2)
	}
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}
