package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"usher"
	"usher/internal/readable"
	"usher/internal/rules/document"
	"usher/internal/rules/figures"
)

// Bidding says how a rule changes a number of its campaigns' biddingSettings. The rule
// decreases it if its Pause holds, which is then decrease_when, and increases it if its
// Resume holds, which is increase_when.
type Bidding struct {
	Field    usher.BiddingField
	Decrease float64 // by this part of the number, 0 to 1; 0: never
	Increase float64
	Min, Max float64 // it is not decreased below Min, nor increased above Max; 0: no bound
	Currency string  // of these bounds; "": that of the campaigns, if they have one

	at document.Place // of the key
}

// change returns the number that the rule sets instead of another one: never beyond its
// bounds, in whole units of the currency's smallest coin, and never in the wrong direction.
func (b *Bidding) change(value float64, currency string, less bool) float64 {
	digits := figures.MinorDigits(currency)
	if less {
		return min(value, max(figures.Scale(value, -b.Decrease, digits), b.Min))
	}
	to := figures.Scale(value, b.Increase, digits)
	if b.Max > 0 {
		to = min(to, b.Max)
	}
	return max(value, to)
}

// String returns the value of the key in a rule file.
func (b *Bidding) String() string {
	var parts []string
	add := func(key string, v float64, unit string) {
		if v > 0 {
			parts = append(parts, key+" "+readable.Short(v)+unit)
		}
	}
	add("decrease", b.Decrease*100, "%")
	add("increase", b.Increase*100, "%")
	add("min", b.Min, "")
	add("max", b.Max, "")
	if b.Currency != "" {
		parts = append(parts, "currency "+b.Currency)
	}
	return strings.Join(parts, ", ")
}

// downKey and upKey are the names of the rule's conditions in a rule file.
func (rule *Rule) downKey() string {
	if rule.Bidding != nil {
		return "decrease_when"
	}
	return "pause_when"
}

func (rule *Rule) upKey() string {
	if rule.Bidding != nil {
		return "increase_when"
	}
	return "resume_when"
}

// bidding reads the key budget or bid.
func (r *reader) bidding(rule *Rule, n ast.Node, field usher.BiddingField) {
	if text, single := document.ScalarText(n); single {
		r.Errorf(document.PlaceOf(n), fmt.Sprintf("write %s: {decrease: 20%%, min: 50}", field.Key()), "%s must be keys with values, and this is %q", field.Key(), text)
		return
	}
	b := &Bidding{Field: field, at: document.PlaceOf(n)}
	given := r.Entries(n, field.Key(), map[string]func(ast.Node){
		"decrease": func(n ast.Node) { b.Decrease = r.step(n, "decrease") },
		"increase": func(n ast.Node) { b.Increase = r.step(n, "increase") },
		"min":      func(n ast.Node) { b.Min = r.amount(n, "min") },
		"max":      func(n ast.Node) { b.Max = r.amount(n, "max") },
		"currency": func(n ast.Node) { b.Currency = r.currency(n) },
	})
	if given == nil {
		return
	}
	rule.Bidding = b
	r.requireBounds(b, given, document.PlaceOf(n))
}

// requireBounds adds errors for a change without a bound, and for bounds without a change.
func (r *reader) requireBounds(b *Bidding, given map[string]document.Place, at document.Place) {
	key := b.Field.Key()
	has := func(key string) bool { _, ok := given[key]; return ok }
	switch {
	case !has("decrease") && !has("increase"):
		r.Errorf(at, fmt.Sprintf("write %s: {decrease: 20%%, min: 50}", key), "%s has neither decrease nor increase", key)
	case has("decrease") && !has("min"):
		r.Errorf(given["decrease"], "write min: and the amount below which the rule does not go, such as min: 50", "decrease has no floor: run after run, the rule would bring the %s down to nothing", b.Field)
	case has("increase") && !has("max"):
		r.Errorf(given["increase"], "write max: and the amount above which the rule does not go, such as max: 500", "increase has no ceiling: run after run, the rule would raise the %s without end", b.Field)
	}
	for _, unused := range []struct{ bound, change string }{{"min", "decrease"}, {"max", "increase"}} {
		if has(unused.bound) && !has(unused.change) {
			r.Errorf(given[unused.bound], "remove "+unused.bound+", or write "+unused.change+": and a percentage", "%s has no effect: the rule does not %s the %s", unused.bound, unused.change, b.Field)
		}
	}
	if b.Max > 0 && b.Min >= b.Max {
		r.Errorf(given["min"], "write a min below max", "min is %s, and max is %s", readable.Exact(b.Min), readable.Exact(b.Max))
	}
}

// amount reads an amount above 0.
func (r *reader) amount(n ast.Node, key string) float64 {
	v, ok := r.number(n, key)
	if ok && v <= 0 {
		r.Errorf(document.PlaceOf(n), "write an amount above 0 in the account's currency", "%s must be an amount above 0, and this is %s", key, readable.Exact(v))
	}
	return v
}

// step reads a percentage by which a number changes, above 0 % and below 100 %, or up to
// 100 % of an increase, as a fraction.
func (r *reader) step(n ast.Node, key string) float64 {
	text, ok := r.Text(n, key)
	if !ok {
		return 0
	}
	if sign := text[:min(len(text), 1)]; sign == "-" || sign == "+" {
		r.Errorf(document.PlaceOf(n), fmt.Sprintf("write %s: %s", key, text[1:]), "%s already says the direction, and this is %q", key, text)
		return 0
	}
	share := r.Share(n, key)
	switch {
	case share == 1 && key == "decrease":
		r.Errorf(document.PlaceOf(n), "write a percentage such as 20%, or pause creatives with pause_when", "decrease: 100%% leaves nothing")
	case share > 0.5:
		r.Warnf(document.PlaceOf(n), "write a smaller percentage, such as 20%", "%s: %s changes more than half of the number in one run", key, text)
	}
	return share
}

// currency reads the code of a currency.
func (r *reader) currency(n ast.Node) string {
	text, ok := r.Text(n, "currency")
	if !ok {
		return ""
	}
	if len(text) != 3 || strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		r.Errorf(document.PlaceOf(n), "write the code of the account's currency, such as USD", "%q is no code of a currency", text)
		return ""
	}
	return text
}

// requireForBidding adds errors for keys that are missing in a rule that changes a number,
// or that are about creatives. given are the places of the rule's keys.
func (r *reader) requireForBidding(rule *Rule, given map[string]document.Place, at document.Place, hasErrors bool) {
	key := rule.Bidding.Field.Key()
	other, bid := given["bid"]
	if _, budget := given["budget"]; bid && budget {
		r.Errorf(other, "write two rules: one with budget, and one with bid", "a rule changes the budget or the bid, not both")
	}
	for _, word := range []string{"pause_when", "resume_when", "active_hours", "active_days", "until"} {
		if place, ok := given[word]; ok {
			r.Errorf(place, fmt.Sprintf("write two rules: one with %s, and one with %s", word, key), "%s and %s are in one rule, which either changes the status of creatives or a number of the campaign", word, key)
		}
	}
	r.Require(given, at, document.Required{Key: "window", Hint: "write window: today, yesterday, last 7 days, this week, this month or lifetime"})
	if !hasErrors { // a step that is wrong would look like one that is missing
		r.requireSteps(rule, given)
	}
	if rule.Scope.Level == figures.CreativeLevel || rule.Scope.KeepActive > 0 || rule.Scope.selects() {
		r.Errorf(given["scope"], "write campaigns, exclude or labels of campaigns only", "%s is a number of a campaign, and the scope selects single creatives, or keeps some ACTIVE", key)
	}
	if rule.Limits.Creatives > 0 {
		r.Errorf(given["limits"], "write max_campaigns", "max_creatives has no effect: %s is a number of a campaign", key)
	}
	if rule.Limits.FlipsPerDay == 0 {
		rule.Limits.FlipsPerDay = 1
	}
}

// requireSteps adds errors for steps without a condition, and for conditions without a step.
func (r *reader) requireSteps(rule *Rule, given map[string]document.Place) {
	key := rule.Bidding.Field.Key()
	for _, pair := range []struct {
		change, when string
		step         float64
	}{{"decrease", "decrease_when", rule.Bidding.Decrease}, {"increase", "increase_when", rule.Bidding.Increase}} {
		place, ok := given[pair.when]
		switch {
		case ok && pair.step == 0:
			r.Errorf(place, fmt.Sprintf("write %s: {%s: 20%%, …}, or remove %s", key, pair.change, pair.when), "%s has no effect: %s has no %s", pair.when, key, pair.change)
		case !ok && pair.step > 0:
			r.Errorf(given[key], "write "+pair.when+": and a condition, such as grossMediaSpend >= 0.95 * budget", "%s has %s, and the rule has no %s", key, pair.change, pair.when)
		}
	}
	if place, ok := given["for"]; ok && rule.Bidding.Decrease == 0 {
		r.Errorf(place, "remove for, or write decrease_when", "for has no effect: it is about decrease_when")
	}
}

// looksLikeBidding reports whether a rule has a key that only rules with budget or bid have.
func looksLikeBidding(given map[string]document.Place) bool {
	return slices.ContainsFunc([]string{"decrease_when", "increase_when", "budget", "bid"}, func(key string) bool { _, ok := given[key]; return ok })
}

// requireBidding adds errors for keys that have no effect without budget or bid.
func (r *reader) requireBidding(rule *Rule, given map[string]document.Place) {
	for _, word := range []string{"decrease_when", "increase_when"} {
		if place, ok := given[word]; ok {
			r.Errorf(place, "write budget: {decrease: 20%, min: 50}, or bid:, beside it", "%s has no effect: the rule has neither budget nor bid", word)
		}
	}
	if rule.Limits.Amount > 0 {
		r.Errorf(given["limits"], "write max_creatives, max_campaigns or max_share", "max_amount has no effect: the rule changes no budget and no bid")
	}
}

// ChangesNumberOf reports whether a rule that changes a number has a campaign in scope.
func (s *Set) ChangesNumberOf(campaign string) bool {
	return slices.ContainsFunc(s.Rules, func(rule *Rule) bool { return rule.Bidding != nil && rule.covers(campaign) })
}

// Changes returns the fields that the due rules (nil: all) of the set change.
func (s *Set) Changes(due []string) []usher.BiddingField {
	var fields []usher.BiddingField
	for _, rule := range s.Rules {
		if rule.Bidding != nil && rule.isDue(due) && !slices.Contains(fields, rule.Bidding.Field) {
			fields = append(fields, rule.Bidding.Field)
		}
	}
	return fields
}
