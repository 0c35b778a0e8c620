package rules

import (
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"usher"
	"usher/internal/readable"
	"usher/internal/rules/condition"
	"usher/internal/rules/document"
	"usher/internal/rules/figures"
)

// reading is a rule while it is read.
type reading struct {
	rule       *Rule
	forDays    int
	days       []string // active_days
	conditions map[string]ast.Node
	places     map[string]document.Place // of some values
}

// rule reads a rule. The conditions come last, wherever they are, because they need
// the window and the level.
func (r *reader) rule(n ast.Node) {
	rule := &Rule{Mode: Act, Line: document.PlaceOf(n).Line}
	rule.Scope.Level = figures.CampaignLevel
	reading := &reading{rule: rule, conditions: map[string]ast.Node{}, places: map[string]document.Place{}}
	before := len(r.Problems)
	r.Rule = nameIn(n)
	defer func() { r.Rule = "" }()
	given := r.Entries(n, "a rule", r.ruleKeys(reading))
	if given == nil {
		return
	}
	if reading.days != nil {
		rule.Hours = rule.Hours.OnDays(reading.days, r.set.Zone)
	}
	r.Require(given, document.PlaceOf(n),
		document.Required{Key: "name", Hint: "write name: and a word, which identifies the rule in jobs, audit and memory"},
		document.Required{Key: "scope", Hint: `write scope: {campaigns: ["*"]} for all campaigns`})
	hasErrors := Errors(r.Problems[before:])
	switch {
	case rule.Bidding != nil:
		r.requireForBidding(rule, given, document.PlaceOf(n), hasErrors)
	case !hasErrors || !looksLikeBidding(given): // otherwise budget or bid is wrong or misspelt
		r.requireForHours(given, document.PlaceOf(n))
		r.requireBidding(rule, given)
	}
	r.completeNotify(rule, given)
	_, windowed := given["window"]
	if _, pauses := given["pause_when"]; !pauses && !windowed {
		rule.Window = figures.Window{Kind: figures.Today} // no condition reads it
	}
	if rule.Scope.Level == figures.AccountLevel {
		r.set.columns.ReadAccount()
	}
	rule.at = r.set.columns.Add(rule.Scope.Level, rule.Window, false, rule.dataFields()...)
	if rule.MinAge > 0 && rule.Scope.Level == figures.AccountLevel {
		r.Errorf(given["min_age"], "remove min_age, or write level: campaign", "with level: account the campaigns are decided on together, whatever their ages are")
	}
	if rule.MinAge > 0 {
		rule.ages = r.set.columns.Add(rule.Scope.Level, figures.Window{Kind: figures.FirstRows}, false)
	}
	for _, c := range []struct {
		key  string
		into **condition.Condition
	}{{rule.downKey(), &rule.Pause}, {rule.upKey(), &rule.Resume}} {
		if node := reading.conditions[c.key]; node != nil {
			*c.into, reading.places[c.key] = r.compile(rule, node, c.key), document.PlaceOf(node)
		}
	}
	r.guardPrevious(rule)
	r.addDays(rule, reading.forDays, given["for"])
	if days := rule.Window.Length(); days > 0 && rule.MinDays > days {
		r.Errorf(given["min_days"], "leave it out for all days, or write fewer", "min_days is %d, and the window %s has %d", rule.MinDays, rule.Window, days)
	}
	r.set.Rules = append(r.set.Rules, rule)
	if !Errors(r.Problems[before:]) {
		r.places[rule] = reading.places
	}
	r.lint(rule, given, reading.places, !Errors(r.Problems[before:]))
}

// ruleKeys returns the keys of a rule.
func (r *reader) ruleKeys(of *reading) map[string]func(ast.Node) {
	rule := of.rule
	later := func(key string) func(ast.Node) { return func(n ast.Node) { of.conditions[key] = n } }
	return map[string]func(ast.Node){
		"name":          func(n ast.Node) { r.name(rule, n) },
		"scope":         func(n ast.Node) { r.scope(rule, n) },
		"window":        func(n ast.Node) { r.window(rule, n) },
		"min_data":      func(n ast.Node) { r.minData(rule, n) },
		"for":           func(n ast.Node) { of.forDays = r.forDays(n) },
		"min_age":       func(n ast.Node) { r.minAge(rule, n) },
		"min_days":      func(n ast.Node) { rule.MinDays = r.integer(n, "min_days", 1) },
		"active_hours":  func(n ast.Node) { rule.Hours = r.activeHours(n) },
		"active_days":   func(n ast.Node) { of.days = r.activeDays(n) },
		"pause_when":    later("pause_when"),
		"resume_when":   later("resume_when"),
		"decrease_when": later("decrease_when"),
		"increase_when": later("increase_when"),
		"budget":        func(n ast.Node) { r.bidding(rule, n, usher.BudgetField) },
		"bid":           func(n ast.Node) { r.bidding(rule, n, usher.BidField) },
		"schedule":      func(n ast.Node) { of.places["schedule"] = document.PlaceOf(n); r.schedule(rule, n) },
		"cooldown":      func(n ast.Node) { rule.Cooldown = r.Duration(n, "cooldown") },
		"until": func(n ast.Node) {
			rule.Until = r.Word(n, "until", untilElsewhere, untilTomorrow, untilMonday, untilNextMonth)
		},
		"formerly":       func(n ast.Node) { r.formerlyAt[rule], rule.Formerly = document.PlaceOf(n), r.formerly(n) },
		"priority":       func(n ast.Node) { rule.Priority = r.integer(n, "priority", -1_000_000) },
		"limits":         func(n ast.Node) { r.limits(rule, n) },
		"max_report_age": func(n ast.Node) { rule.MaxAge = r.Duration(n, "max_report_age") },
		"report_lag":     func(n ast.Node) { rule.Lag = r.Duration(n, "report_lag") },
		"notify":         func(n ast.Node) { rule.Notify = r.notice(n) },
		"mode": func(n ast.Node) {
			rule.Mode = Mode(r.word(n, "mode", string(Act), string(Approve), string(Notify), string(Observe)))
		},
	}
}

// guardPrevious has the window before the rule's read what min_data needs, if a
// condition reads that window.
func (r *reader) guardPrevious(rule *Rule) {
	rule.before = -1
	if rule.Window.HasPrevious() && slices.ContainsFunc(rule.conditions(), (*condition.Condition).ReadsPrevious) {
		rule.before = r.set.columns.Add(rule.Scope.Level, rule.Window, true, rule.dataFields()...)
	}
}

// dataFields returns the fields of the rule's min_data.
func (rule *Rule) dataFields() []figures.Field {
	var fields []figures.Field
	for _, least := range rule.MinData {
		fields = append(fields, least.Field)
	}
	return fields
}

// nameIn returns the name in a rule, for messages.
func nameIn(n ast.Node) string {
	if m, ok := n.(ast.MapNode); ok {
		for each := m.MapRange(); each.Next(); {
			if each.Key().GetToken().Value == "name" {
				return each.Value().GetToken().Value
			}
		}
	}
	return ""
}

// nameLike returns a name that is allowed and resembles one that is not.
func nameLike(name string) string {
	words := strings.FieldsFunc(name, func(c rune) bool { return !nameForm().MatchString(string(c)) })
	like := strings.Join(words, "-")
	if !nameForm().MatchString(like) {
		return "stop-at-daily-budget"
	}
	return like
}

func (r *reader) name(rule *Rule, n ast.Node) {
	name, ok := r.Text(n, "name")
	if !ok {
		return
	}
	if !nameForm().MatchString(name) {
		r.Errorf(document.PlaceOf(n), "write "+nameLike(name)+": up to 64 letters, digits, - and _", "the name %q cannot be part of a job id", name)
		return
	}
	for _, other := range r.set.Rules {
		if other.Name == name {
			r.Errorf(document.PlaceOf(n), "give each rule another name", "the rule in line %d has the name %q, too", other.Line, name)
			return
		}
	}
	rule.Name = name
}

func (r *reader) scope(rule *Rule, n ast.Node) {
	var campaigns, exclude []document.Place
	given := r.Entries(n, "scope", map[string]func(ast.Node){
		"campaigns": func(n ast.Node) { rule.Scope.Campaigns, campaigns = r.patterns(n, "campaigns") },
		"exclude":   func(n ast.Node) { rule.Scope.Exclude, exclude = r.patterns(n, "exclude") },
		"creatives": func(n ast.Node) { rule.Scope.Creatives = r.creativePatterns(n, "creatives") },
		"types":     func(n ast.Node) { rule.Scope.Types = r.creativePatterns(n, "types") },
		"labels":    func(n ast.Node) { rule.Scope.Labels = r.scopeLabels(n) },
		"level": func(n ast.Node) {
			rule.Scope.Level = figures.Level(r.word(n, "level", string(figures.CampaignLevel), string(figures.CreativeLevel), string(figures.AccountLevel)))
		},
		"keep_active": func(n ast.Node) { rule.Scope.KeepActive = r.integer(n, "keep_active", 0) },
	})
	if _, ok := given["campaigns"]; !ok && given != nil {
		r.Errorf(document.PlaceOf(n), `write campaigns: ["*"] for all campaigns`, "scope has no campaigns")
	}
	r.lintPatterns(rule.Scope, campaigns, exclude)
	r.lintSelection(rule.Scope, document.PlaceOf(n))
}

func (r *reader) window(rule *Rule, n ast.Node) {
	text, ok := r.Text(n, "window")
	if !ok {
		return
	}
	window, err := figures.ParseWindow(text)
	if window.Kind == figures.SameDay {
		r.Errorf(document.PlaceOf(n), `write window: yesterday, and compare with over("same day last week").clicks`, "%s is no window of a rule", window)
		return
	}
	if err != nil {
		r.Errorf(document.PlaceOf(n), figures.WindowHint(text), "%v", err)
	}
	rule.Window = window
}

func (r *reader) minData(rule *Rule, n ast.Node) {
	if text, single := document.ScalarText(n); single {
		r.Errorf(document.PlaceOf(n), "write min_data: {impressions: 5000}", "min_data must be keys with values, and this is %q", text)
		return
	}
	keys := map[string]func(ast.Node){}
	for i, name := range figures.Names() {
		if !figures.Field(i).AddsUp() && !hasKey(n, name) {
			continue // so that no hint lists it
		}
		keys[name] = func(n ast.Node) {
			least, ok := r.number(n, "the minimum of "+name)
			switch {
			case ok && !figures.Field(i).AddsUp():
				r.Errorf(document.PlaceOf(n), "use impressions, or another field that adds up", "%s does not grow with more data", name)
			case ok && least <= 0:
				r.Errorf(document.PlaceOf(n), "write a number above 0, such as 5000", "min_data of %s %s requires nothing", readable.Exact(least), name)
			}
			rule.MinData = append(rule.MinData, figures.Minimum{Field: figures.Field(i), Least: least})
		}
	}
	addOutcomeKeys(n, keys, func(name string, n ast.Node) {
		least, ok := r.number(n, "the minimum of "+figures.OutcomePrefix+name)
		if ok && least <= 0 {
			r.Errorf(document.PlaceOf(n), "write a number above 0, such as 20", "min_data of %s %s requires nothing", readable.Exact(least), figures.OutcomePrefix+name)
		}
		rule.MinData = append(rule.MinData, figures.Minimum{Field: r.set.columns.Outcome(name), Least: least, Outcome: name})
	})
	r.Entries(n, "min_data", keys)
}

// hasKey reports whether a mapping has a key.
func hasKey(n ast.Node, key string) bool {
	if m, ok := n.(ast.MapNode); ok {
		for each := m.MapRange(); each.Next(); {
			if each.Key().GetToken().Value == key {
				return true
			}
		}
	}
	return false
}

// addOutcomeKeys adds a key for each outcome that a mapping names.
func addOutcomeKeys(n ast.Node, keys map[string]func(ast.Node), read func(name string, n ast.Node)) {
	m, ok := n.(ast.MapNode)
	if !ok {
		return
	}
	for each := m.MapRange(); each.Next(); {
		key := each.Key().GetToken().Value
		if name, is := strings.CutPrefix(key, figures.OutcomePrefix); is && condition.IsName(name) {
			keys[key] = func(n ast.Node) { read(name, n) }
		}
	}
}

func (r *reader) limits(rule *Rule, n ast.Node) {
	r.Entries(n, "limits", map[string]func(ast.Node){
		"max_creatives":     func(n ast.Node) { rule.Limits.Creatives = r.integer(n, "max_creatives", 1) },
		"max_campaigns":     func(n ast.Node) { rule.Limits.Campaigns = r.integer(n, "max_campaigns", 1) },
		"max_share":         func(n ast.Node) { rule.Limits.Share = r.Share(n, "max_share") },
		"max_amount":        func(n ast.Node) { rule.Limits.Amount = r.amount(n, "max_amount") },
		"max_flips_per_day": func(n ast.Node) { rule.Limits.FlipsPerDay = r.integer(n, "max_flips_per_day", 1) },
	})
}

// compile checks a condition and adds its errors at their places in the file.
func (r *reader) compile(rule *Rule, n ast.Node, key string) *condition.Condition {
	before := len(r.Problems)
	source, placeIn := r.condition(n, key)
	if len(r.Problems) > before {
		return nil
	}
	if strings.TrimSpace(source) == "" {
		r.Errorf(document.PlaceOf(n), "write a condition, such as grossMediaSpend >= 0.95 * budget", "%s is empty", key)
		return nil
	}
	compiled, faults := condition.Compile(source, condition.Scope{
		Level: rule.Scope.Level, Window: rule.Window, Columns: &r.set.columns, Targets: r.targetNames(), AnyTarget: r.table.isBroken,
	})
	for _, fault := range faults {
		r.Errorf(placeIn(fault.Line, fault.Column), fault.Hint, "%s: %s", key, fault.Message)
	}
	r.placesIn[compiled] = placeIn
	return compiled
}
