package rules

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// rule reads a rule. The conditions come last, wherever they are, because they need
// the window and the level.
func (r *reader) rule(n ast.Node) {
	rule := &Rule{Mode: Act, Line: placeOf(n).line}
	rule.Scope.Level = CampaignLevel
	conditions := map[string]ast.Node{}
	later := func(key string) func(ast.Node) { return func(n ast.Node) { conditions[key] = n } }
	r.ruleName = nameIn(n)
	defer func() { r.ruleName = "" }()
	given := r.entries(n, "a rule", map[string]func(ast.Node){
		"name":           func(n ast.Node) { r.name(rule, n) },
		"scope":          func(n ast.Node) { r.scope(rule, n) },
		"window":         func(n ast.Node) { r.window(rule, n) },
		"min_data":       func(n ast.Node) { r.minData(rule, n) },
		"pause_when":     later("pause_when"),
		"resume_when":    later("resume_when"),
		"schedule":       func(n ast.Node) { r.schedule(rule, n) },
		"cooldown":       func(n ast.Node) { rule.Cooldown = r.duration(n, "cooldown") },
		"priority":       func(n ast.Node) { rule.Priority = r.integer(n, "priority", -1_000_000) },
		"limits":         func(n ast.Node) { r.limits(rule, n) },
		"max_report_age": func(n ast.Node) { rule.MaxAge = r.duration(n, "max_report_age") },
		"report_lag":     func(n ast.Node) { rule.Lag = r.duration(n, "report_lag") },
		"mode": func(n ast.Node) {
			rule.Mode = Mode(r.word(n, "mode", string(Act), string(Approve), string(Observe)))
		},
	})
	if given == nil {
		return
	}
	r.require(given, placeOf(n),
		required{"name", "write name: and a word, which identifies the rule in jobs, audit and memory"},
		required{"scope", `write scope: {campaigns: ["*"]} for all campaigns`},
		required{"window", "write window: today, yesterday, last 7 days or lifetime"},
		required{"pause_when", "write pause_when: and a condition, such as grossMediaSpend >= 0.95 * budget; a rule resumes only what it paused"})
	rule.slot = r.set.slotOf(rule.Scope.Level, rule.Window, false)
	for _, least := range rule.MinData {
		r.set.slotOf(rule.Scope.Level, rule.Window, false, least.Field)
	}
	places := map[string]place{}
	for _, c := range []struct {
		key  string
		into **Condition
	}{{"pause_when", &rule.Pause}, {"resume_when", &rule.Resume}} {
		if node := conditions[c.key]; node != nil {
			*c.into, places[c.key] = r.compile(rule, node, c.key), placeOf(node)
		}
	}
	r.set.Rules = append(r.set.Rules, rule)
	r.lint(rule, given, places)
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

func (r *reader) name(rule *Rule, n ast.Node) {
	name, ok := r.text(n, "name")
	if !ok {
		return
	}
	if !nameForm().MatchString(name) {
		r.errorf(placeOf(n), "write up to 64 letters, digits, - and _, such as stop-at-daily-budget", "the name %q cannot be part of a job id", name)
		return
	}
	for _, other := range r.set.Rules {
		if other.Name == name {
			r.errorf(placeOf(n), "give each rule another name", "the rule in line %d has the name %q, too", other.Line, name)
			return
		}
	}
	rule.Name = name
}

func (r *reader) scope(rule *Rule, n ast.Node) {
	given := r.entries(n, "scope", map[string]func(ast.Node){
		"campaigns": func(n ast.Node) { rule.Scope.Campaigns = r.globs(n, "campaigns"); r.checkPatterns(rule, n) },
		"exclude":   func(n ast.Node) { rule.Scope.Exclude = r.globs(n, "exclude") },
		"level": func(n ast.Node) {
			rule.Scope.Level = Level(r.word(n, "level", string(CampaignLevel), string(CreativeLevel)))
		},
		"keep_active": func(n ast.Node) { rule.Scope.KeepActive = r.integer(n, "keep_active", 0) },
	})
	if _, ok := given["campaigns"]; !ok && given != nil {
		r.errorf(placeOf(n), `write campaigns: ["*"] for all campaigns`, "scope has no campaigns")
	}
}

// checkPatterns finds patterns that cannot match. A campaign's code begins with the
// advertiser's code and a hyphen.
func (r *reader) checkPatterns(rule *Rule, n ast.Node) {
	list, ok := n.(*ast.SequenceNode)
	if !ok || r.set.Account == "" {
		return
	}
	for i, glob := range rule.Scope.Campaigns {
		if i >= len(list.Values) {
			break
		}
		if code := r.set.Account + "-"; !canMatch(glob, code) {
			r.errorf(placeOf(list.Values[i]), fmt.Sprintf("campaigns of account %s begin with %q: write %q", r.set.Account, code, code+"*"), "the pattern %q matches no campaign of the account", glob)
		}
	}
}

// canMatch reports whether a pattern can match a code with a prefix.
func canMatch(glob, prefix string) bool {
	literal := glob // up to the first meta character
	if meta := strings.IndexAny(glob, `*?[\`); meta >= 0 {
		literal = glob[:meta]
	}
	return strings.HasPrefix(literal, prefix) || len(literal) < len(glob) && strings.HasPrefix(prefix, literal)
}

func (r *reader) window(rule *Rule, n ast.Node) {
	text, ok := r.text(n, "window")
	if !ok {
		return
	}
	window, err := parseWindow(text)
	if err != nil {
		hint := suggest(text, []string{"today", "yesterday", "last 7 days", "lifetime"}, "write today, yesterday, last 7 days or lifetime")
		r.errorf(placeOf(n), hint, "%v", err)
	}
	rule.Window = window
}

func (r *reader) minData(rule *Rule, n ast.Node) {
	all := fieldNames()
	keys := map[string]func(ast.Node){}
	for i, name := range all[:Fields] {
		keys[name] = func(n ast.Node) {
			least, ok := r.number(n, "the minimum of "+name)
			switch {
			case ok && Field(i).newest():
				r.errorf(placeOf(n), "use impressions, or another field that adds up", "%s does not grow with more data", name)
			case ok && least <= 0:
				r.errorf(placeOf(n), "write a number above 0, such as 5000", "min_data of %s %s requires nothing", numberText(least), name)
			}
			rule.MinData = append(rule.MinData, Minimum{Field(i), least})
		}
	}
	r.entries(n, "min_data", keys)
}

func (r *reader) schedule(rule *Rule, n ast.Node) {
	text, ok := r.text(n, "schedule")
	if !ok {
		return
	}
	schedule, err := parseSchedule(text, r.set.Zone)
	if err != nil {
		r.errorf(placeOf(n), `write minute hour day month weekday: "*/15 * * * *" is every quarter of an hour, "0 7 * * *" is daily at 7`, "%v", err)
		return
	}
	rule.Schedule = schedule
}

func (r *reader) limits(rule *Rule, n ast.Node) {
	r.entries(n, "limits", map[string]func(ast.Node){
		"max_creatives":     func(n ast.Node) { rule.Limits.Creatives = r.integer(n, "max_creatives", 1) },
		"max_campaigns":     func(n ast.Node) { rule.Limits.Campaigns = r.integer(n, "max_campaigns", 1) },
		"max_share":         func(n ast.Node) { rule.Limits.Share = r.share(n, "max_share") },
		"max_flips_per_day": func(n ast.Node) { rule.Limits.FlipsPerDay = r.integer(n, "max_flips_per_day", 1) },
	})
}

// compile checks a condition and adds its errors at their places in the file.
func (r *reader) compile(rule *Rule, n ast.Node, key string) *Condition {
	source, placeIn := r.condition(n, key)
	if strings.TrimSpace(source) == "" {
		r.errorf(placeOf(n), "write a condition, such as grossMediaSpend >= 0.95 * budget", "%s is empty", key)
		return nil
	}
	condition, faults := compile(r.env, source, &binder{set: r.set, rule: rule})
	for _, fault := range faults {
		r.errorf(placeIn(fault.line, fault.column), fault.hint, "%s: %s", key, fault.message)
	}
	return condition
}
