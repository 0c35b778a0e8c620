package differential_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
)

// steps say how a rule changes the daily budget or the maximum bid of its campaigns: it
// decreases it if its pause holds, and increases it if its resume holds.
type steps struct {
	field              string
	decrease, increase int // percent
	min, max           float64
	maxAmount          float64
}

// String returns the key of the rule.
func (s *steps) String() string {
	text := fmt.Sprintf("%s: {decrease: %d%%, min: %g", s.field, s.decrease, s.min)
	if s.increase > 0 {
		text += fmt.Sprintf(", increase: %d%%, max: %g", s.increase, s.max)
	}
	return text + "}"
}

// maxAmount returns the sum by which the numbers of one run may change; 0: any.
func (r *rule) maxAmount() float64 {
	if r.steps == nil {
		return 0
	}
	return r.steps.maxAmount
}

// change returns the number that a rule sets instead of another one. No product of these
// percentages is half a cent.
func (s *steps) change(value float64, less bool) float64 {
	cents := func(percent int) float64 { return math.Round(value*float64(percent)) / 100 }
	if less {
		return min(value, max(cents(100-s.decrease), s.min))
	}
	return max(value, min(cents(100+s.increase), s.max))
}

// spendFile draws a file with rules on budgets and bids.
func (d *drawer) spendFile(name string, a *account) *file {
	f := &file{name: name, account: a.code, zone: a.zone, targets: a.targets}
	for n := range 1 + d.IntN(3) {
		r := &rule{file: f, name: fmt.Sprintf("n%d", n), mode: pick(d, "act", "act", "act", "approve", "notify", "observe"), priority: d.IntN(3)}
		r.together = d.chance(4)
		r.window = d.span()
		r.leastField, r.least = pick(d, "impressions", "won"), pick(d, 1.0, 500)
		r.steps = &steps{field: pick(d, "budget", "budget", "bid"), decrease: pick(d, 20, 40), min: pick(d, 0.5, 20)}
		if r.pause = d.condition(r, 1); d.chance(2) {
			spend, least := &expr{op: "metric", metric: "grossMediaSpend"}, pick(d, 40.0, 80)
			r.pause = &expr{op: ">=", args: []*expr{spend, {op: "number", number: least}}}
			r.resume = &expr{op: "<", args: []*expr{spend, {op: "number", number: least - 15}}}
			r.steps.increase, r.steps.max = pick(d, 20, 40), pick(d, 60, 200.0)
		}
		d.guards(f, r)
		r.keep, r.creatives, r.labelled, r.types, r.maxCreatives, r.minAgeHours, r.maxFlips = 0, "", false, "", 0, 0, 0
		if d.chance(4) {
			r.steps.maxAmount = pick(d, 5.0, 30)
		}
		f.rules = append(f.rules, r)
	}
	return f
}

// place is where a budget or bid is.
type place struct{ campaign, field string }

// changed is a decision on a number.
type changed struct {
	decision

	from, to float64
}

// numbers are the budgets and bids in a backtest, and the rule that changed each last.
type numbers struct {
	*run
	value map[place]float64
	owner map[place]string
}

// decide returns the decisions on the numbers of a field.
func (n *numbers) decide(field string) map[place]*changed {
	order := slices.DeleteFunc(n.inOrder(), func(by *rule) bool { return by.steps == nil || by.steps.field != field })
	all := map[place]*changed{}
	offer := func(at place, c *changed) {
		if all[at] == nil || c.rank > all[at].rank {
			all[at] = c
		}
	}
	for _, by := range order {
		wants := map[place]*changed{}
		total := 0.0
		for _, campaign := range n.account.campaigns {
			at := place{campaign, field}
			if !n.isDue(by) || !n.covers(by, campaign) || all[at] != nil && changesNumber(all[at].action) {
				continue
			}
			c := n.single(order, by, at)
			if by.enabled() && changesNumber(c.action) {
				wants[at], total = c, total+math.Abs(c.to-c.from)
				continue
			}
			c.decision = (&table{}).inMode(by, c.decision)
			offer(at, c)
		}
		over := by.maxCampaigns > 0 && len(wants) > by.maxCampaigns || by.steps.maxAmount > 0 && math.Round(total*100) > by.steps.maxAmount*100 ||
			by.maxShare > 0 && 100*len(wants) > by.maxShare*n.inScope(by)
		for at, c := range wants {
			if over {
				c.decision = c.hold("cap")
			} else if by.mode == "approve" {
				c.decision = c.hold("approval")
			}
			offer(at, c)
		}
	}
	return all
}

func changesNumber(action string) bool { return action == "decrease" || action == "increase" }

// inScope returns how many campaigns a rule has in scope.
func (n *numbers) inScope(by *rule) int {
	return len(slices.DeleteFunc(slices.Clone(n.account.campaigns), func(campaign string) bool { return !n.covers(by, campaign) }))
}

// single returns what a rule says of a number by itself.
func (n *numbers) single(order []*rule, by *rule, at place) *changed {
	vote := n.vote(by, at.campaign, "")
	c := &changed{decision{action: "none", rule: by.name, rank: quiet}, n.value[at], n.value[at]}
	switch {
	case vote == "unknown", vote != "" && n.hasSeveralCurrencies(by):
		c.action, c.rank = "unknown", unsure
	case vote == "":
	default:
		c.to = by.steps.change(c.from, vote == "pause")
		c.rank = kept
		switch {
		case n.owner[at] != "" && n.owner[at] != by.key(), c.to == c.from, vote == "resume" && n.isWantedDecreased(order, at.campaign):
		case vote == "pause":
			c.action, c.rank = "decrease", willPause
		default:
			c.action, c.rank = "increase", resumed
		}
	}
	if !changesNumber(c.action) {
		return c
	}
	last, known := n.changed[by.key()+" "+at.campaign]
	switch {
	case known && n.isInCooldown(by, last):
		c.decision = c.hold("cooldown")
	case n.flips[n.flipKey(by.key(), at.campaign)] > 0: // once a day
		c.decision = c.hold("flips")
	}
	return c
}

// hasSeveralCurrencies reports whether the numbers that a rule wants to change are in several
// currencies, so that its min and max are in none of them.
func (n *numbers) hasSeveralCurrencies(by *rule) bool {
	found := map[string]bool{}
	for _, campaign := range n.account.campaigns {
		if vote := n.vote(by, campaign, ""); n.covers(by, campaign) && (vote == "pause" || vote == "resume") {
			found[n.account.currency[campaign]] = true
		}
	}
	return len(found) > 1
}

// isWantedDecreased reports whether an enabled rule wants a number of a campaign decreased.
func (n *numbers) isWantedDecreased(order []*rule, campaign string) bool {
	return slices.ContainsFunc(order, func(by *rule) bool {
		return by.enabled() && n.covers(by, campaign) && n.vote(by, campaign, "") == "pause"
	})
}

// takeBudgets sets the budgets that no rule has changed to those of the day's report.
func (n *numbers) takeBudgets() {
	for _, campaign := range n.account.campaigns {
		at := place{campaign, "budget"}
		if budget, known := n.account.reports[campaign][n.day]["budget"]; known && n.owner[at] == "" {
			n.value[at] = budget
		}
	}
}

// carryOut sets the numbers as was decided.
func (n *numbers) carryOut(all map[place]*changed) {
	for at, c := range all {
		if by := n.file.name + "/" + c.rule; changesNumber(c.action) {
			n.value[at], n.owner[at], n.changed[by+" "+at.campaign] = c.to, by, n.at
			n.flips[n.flipKey(by, at.campaign)]++
		}
	}
}

// byNumbers compares what preview and four days of a backtest decide on budgets and bids.
func (c *trial) byNumbers() {
	f := c.spendFile(c.name+"n", c.account)
	path := filepath.Join(c.dir, f.name+".yaml") // no worker reads it
	defer os.Remove(path)
	if err := os.WriteFile(path, []byte(f.String()), 0o600); err != nil {
		c.t.Error(err)
		return
	}
	if _, ok := c.run(nil, "rules", "check", path); !ok {
		return
	}
	c.spendFiles++
	n := &numbers{newRun(f, c.account), map[place]float64{}, map[place]string{}}
	for _, campaign := range c.account.campaigns {
		n.value[place{campaign, "budget"}], n.value[place{campaign, "bid"}] = c.account.budget[campaign], c.account.bid[campaign]
	}
	var report struct{ Decisions []printed }
	if stderr, ok := c.run(&report, "rules", "preview", path, "--as-of", dateOf(c.day), "--json"); !ok {
		c.t.Errorf("preview: %s", stderr)
		return
	}
	n.day, n.at = c.day, c.account.begin(c.day+1)
	for _, field := range []string{"budget", "bid"} {
		c.equalNumbers("preview", f, n.decide(field), report.Decisions, field)
	}
	report.Decisions = nil // otherwise their fields are merged
	if stderr, ok := c.run(&report, "rules", "backtest", path, "--from", dateOf(c.day), "--to", dateOf(c.day+3), "--json"); !ok {
		c.t.Errorf("backtest: %s", stderr)
		return
	}
	n.isBacktest, n.due = true, n.isDueToday
	for n.day = c.day; n.day <= c.day+3; n.day++ {
		n.at = c.account.begin(n.day + 1)
		n.takeBudgets()
		today := slices.DeleteFunc(slices.Clone(report.Decisions), func(d printed) bool { return d.Date != dateOf(n.day) })
		for _, field := range []string{"budget", "bid"} {
			want := n.decide(field)
			c.equalNumbers("backtest of "+dateOf(n.day), f, want, today, field)
			n.carryOut(want)
		}
	}
}

// equalNumbers fails the test unless the decisions on a field that change something, or are
// held, are those of the evaluator.
func (c *trial) equalNumbers(way string, f *file, want map[place]*changed, got []printed, field string) {
	c.t.Helper()
	found := map[string]string{}
	for _, d := range got {
		if b := d.Bidding; b != nil && b.Field == field {
			found[d.Campaign] = change(fmt.Sprintf("%s: %g to %g", d.outcome(), b.From, b.To))
		}
	}
	for _, campaign := range c.account.campaigns {
		expected := ""
		if w := want[place{campaign, field}]; w != nil {
			expected = change(fmt.Sprintf("%s: %g to %g", printed{Action: w.action, Wants: w.wants, Guard: w.guard, Rule: w.rule}.outcome(), w.from, w.to))
		}
		if expected != found[campaign] {
			c.t.Errorf("%s of the %s of %s: usher decides %q, the evaluator %q\n%s\n%s", way, field, campaign, found[campaign], expected, f, c.rows(campaign, c.account.creatives[campaign][0]))
		}
		c.decided++
		if expected != "" {
			c.changes++
		}
	}
}
