package rules

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// oneRule reads a rule. What depends on its window and level comes last,
// wherever it stands.
func (r *reader) oneRule(n ast.Node) {
	rule := &Rule{Mode: Act, Line: placeOf(n).line}
	rule.Scope.Level = CampaignLevel
	conditions := map[string]ast.Node{}
	later := func(key string) func(ast.Node) { return func(n ast.Node) { conditions[key] = n } }
	r.rule = nameIn(n)
	defer func() { r.rule = "" }()
	there := r.entries(n, "a rule", map[string]func(ast.Node){
		"name":           func(n ast.Node) { r.ruleName(rule, n) },
		"scope":          func(n ast.Node) { r.scope(rule, n) },
		"window":         func(n ast.Node) { r.window(rule, n) },
		"min_data":       func(n ast.Node) { r.minData(rule, n) },
		"pause_when":     later("pause_when"),
		"resume_when":    later("resume_when"),
		"schedule":       func(n ast.Node) { r.schedule(rule, n) },
		"cooldown":       func(n ast.Node) { rule.Cooldown = r.duration(n, "cooldown") },
		"priority":       func(n ast.Node) { rule.Priority = r.whole(n, "priority", -1_000_000) },
		"limits":         func(n ast.Node) { r.limits(rule, n) },
		"max_report_age": func(n ast.Node) { rule.MaxAge = r.duration(n, "max_report_age") },
		"report_lag":     func(n ast.Node) { rule.Lag = r.duration(n, "report_lag") },
		"mode": func(n ast.Node) {
			rule.Mode = Mode(r.word(n, "mode", string(Act), string(Approve), string(Observe)))
		},
	})
	if there == nil {
		return
	}
	for _, required := range []struct{ key, hint string }{
		{"name", "write name: and a word; jobs, audit and memory know the rule by it"},
		{"scope", `write scope: {campaigns: ["*"]} for all campaigns`},
		{"window", "write window: today, yesterday, last 7 days or lifetime"},
		{"pause_when", "write pause_when: and a condition, such as grossMediaSpend >= 0.95 * budget; a rule resumes only what it paused"},
	} {
		if _, ok := there[required.key]; !ok {
			r.wrongf(placeOf(n), required.hint, "key %q is missing", required.key)
		}
	}
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
	r.doubt(rule, there, places)
}

// nameIn is what the rule calls itself, for messages.
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

func (r *reader) ruleName(rule *Rule, n ast.Node) {
	name, ok := r.text(n, "name")
	if !ok {
		return
	}
	if !word().MatchString(name) {
		r.wrongf(placeOf(n), "write up to 64 letters, digits, - and _, such as stop-at-daily-budget", "the name %q cannot stand in job ids", name)
		return
	}
	for _, other := range r.set.Rules {
		if other.Name == name {
			r.wrongf(placeOf(n), "give each rule a name of its own", "the rule in line %d has the name %q too", other.Line, name)
			return
		}
	}
	rule.Name = name
}

func (r *reader) scope(rule *Rule, n ast.Node) {
	there := r.entries(n, "scope", map[string]func(ast.Node){
		"campaigns": func(n ast.Node) { rule.Scope.Campaigns = r.globs(n, "campaigns"); r.reachable(rule, n) },
		"exclude":   func(n ast.Node) { rule.Scope.Exclude = r.globs(n, "exclude") },
		"level": func(n ast.Node) {
			rule.Scope.Level = Level(r.word(n, "level", string(CampaignLevel), string(CreativeLevel)))
		},
		"keep_active": func(n ast.Node) { rule.Scope.KeepActive = r.whole(n, "keep_active", 0) },
	})
	if _, ok := there["campaigns"]; !ok && there != nil {
		r.wrongf(placeOf(n), `write campaigns: ["*"] for all campaigns`, "scope names no campaigns")
	}
}

// reachable finds patterns that can match nothing: a campaign's code begins
// with its advertiser's and a hyphen, at most 32 characters of A-Z a-z 0-9 -.
func (r *reader) reachable(rule *Rule, n ast.Node) {
	list, ok := n.(*ast.SequenceNode)
	if !ok || r.set.Account == "" {
		return
	}
	for i, glob := range rule.Scope.Campaigns {
		if i >= len(list.Values) {
			break
		}
		begin := glob
		if meta := strings.IndexAny(glob, `*?[\`); meta >= 0 {
			begin = glob[:meta]
		}
		code := r.set.Account + "-"
		if !strings.HasPrefix(begin, code) && (len(begin) != len(glob) && !strings.HasPrefix(code, begin) || len(begin) == len(glob)) {
			r.wrongf(placeOf(list.Values[i]), fmt.Sprintf("campaigns of account %s begin with %q: write %q", r.set.Account, code, code+"*"), "the pattern %q matches no campaign of the account", glob)
		}
	}
}

func (r *reader) window(rule *Rule, n ast.Node) {
	text, ok := r.text(n, "window")
	if !ok {
		return
	}
	window, err := parseWindow(text)
	if err != nil {
		hint := "write today, yesterday, last 7 days or lifetime"
		if near := nearest(text, []string{"today", "yesterday", "last 7 days", "lifetime"}); near != "" {
			hint = fmt.Sprintf("did you mean %q?", near)
		}
		r.wrongf(placeOf(n), hint, "%v", err)
	}
	rule.Window = window
}

func (r *reader) minData(rule *Rule, n ast.Node) {
	all := fieldNames()
	keys := map[string]func(ast.Node){}
	for i, name := range all[:Fields] {
		keys[name] = func(n ast.Node) {
			least, ok := r.number(n, "the least of "+name)
			switch {
			case ok && Field(i).newest():
				r.wrongf(placeOf(n), "take impressions, or another field that adds up", "%s does not grow with more data", name)
			case ok && least <= 0:
				r.wrongf(placeOf(n), "write a number above 0, such as 5000", "min_data of %s %s asks for nothing", numberText(least), name)
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
		r.wrongf(placeOf(n), `write minute hour day month weekday: "*/15 * * * *" is every quarter of an hour, "0 7 * * *" is daily at 7`, "%v", err)
		return
	}
	rule.Schedule = schedule
}

func (r *reader) limits(rule *Rule, n ast.Node) {
	r.entries(n, "limits", map[string]func(ast.Node){
		"max_creatives":     func(n ast.Node) { rule.Limits.Creatives = r.whole(n, "max_creatives", 1) },
		"max_campaigns":     func(n ast.Node) { rule.Limits.Campaigns = r.whole(n, "max_campaigns", 1) },
		"max_share":         func(n ast.Node) { rule.Limits.Share = r.share(n, "max_share") },
		"max_flips_per_day": func(n ast.Node) { rule.Limits.FlipsPerDay = r.whole(n, "max_flips_per_day", 1) },
	})
}

// compile checks a condition, and puts what is wrong where it stands.
func (r *reader) compile(rule *Rule, n ast.Node, key string) *Condition {
	source, where := r.condition(n, key)
	if strings.TrimSpace(source) == "" {
		r.wrongf(placeOf(n), "write a condition, such as grossMediaSpend >= 0.95 * budget", "%s is empty", key)
		return nil
	}
	condition, faults := compile(r.env, source, &binder{set: r.set, rule: rule})
	for _, fault := range faults {
		r.wrongf(where(fault.line, fault.column), fault.hint, "%s: %s", key, fault.message)
	}
	return condition
}
