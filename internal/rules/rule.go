package rules

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"usher"
)

// rule reads a rule. The conditions come last, wherever they are, because they need
// the window and the level.
func (r *reader) rule(n ast.Node) {
	rule := &Rule{Mode: Act, Line: placeOf(n).line}
	rule.Scope.Level = CampaignLevel
	heldDays := 0
	conditions, places := map[string]ast.Node{}, map[string]place{}
	later := func(key string) func(ast.Node) { return func(n ast.Node) { conditions[key] = n } }
	before := len(r.problems)
	r.ruleName = nameIn(n)
	defer func() { r.ruleName = "" }()
	given := r.entries(n, "a rule", map[string]func(ast.Node){
		"name":           func(n ast.Node) { r.name(rule, n) },
		"scope":          func(n ast.Node) { r.scope(rule, n) },
		"window":         func(n ast.Node) { r.window(rule, n) },
		"min_data":       func(n ast.Node) { r.minData(rule, n) },
		"for":            func(n ast.Node) { heldDays = r.forDays(n) },
		"min_age":        func(n ast.Node) { r.minAge(rule, n) },
		"min_days":       func(n ast.Node) { rule.MinDays = r.integer(n, "min_days", 1) },
		"active_hours":   func(n ast.Node) { rule.Hours = r.activeHours(n) },
		"pause_when":     later("pause_when"),
		"resume_when":    later("resume_when"),
		"schedule":       func(n ast.Node) { places["schedule"] = placeOf(n); r.schedule(rule, n) },
		"cooldown":       func(n ast.Node) { rule.Cooldown = r.duration(n, "cooldown") },
		"priority":       func(n ast.Node) { rule.Priority = r.integer(n, "priority", -1_000_000) },
		"limits":         func(n ast.Node) { r.limits(rule, n) },
		"max_report_age": func(n ast.Node) { rule.MaxAge = r.duration(n, "max_report_age") },
		"report_lag":     func(n ast.Node) { rule.Lag = r.duration(n, "report_lag") },
		"notify": func(n ast.Node) {
			rule.Notify = usher.Notice(r.word(n, "notify", string(usher.NoticeDigest), string(usher.NoticeEach)))
		},
		"mode": func(n ast.Node) {
			rule.Mode = Mode(r.word(n, "mode", string(Act), string(Approve), string(Notify), string(Observe)))
		},
	})
	if given == nil {
		return
	}
	r.require(given, placeOf(n),
		required{"name", "write name: and a word, which identifies the rule in jobs, audit and memory"},
		required{"scope", `write scope: {campaigns: ["*"]} for all campaigns`})
	r.requireForHours(given, placeOf(n))
	r.completeNotify(rule, given)
	_, windowed := given["window"]
	if _, pauses := given["pause_when"]; !pauses && !windowed {
		rule.Window = Window{kind: today} // no condition reads it
	}
	rule.slot = r.set.slotOf(rule.Scope.Level, rule.Window, false)
	if rule.MinAge > 0 {
		rule.ages = r.set.slotOf(rule.Scope.Level, Window{kind: ages}, false)
	}
	for _, least := range rule.MinData {
		r.set.slotOf(rule.Scope.Level, rule.Window, false, least.Field)
	}
	for _, c := range []struct {
		key  string
		into **Condition
	}{{"pause_when", &rule.Pause}, {"resume_when", &rule.Resume}} {
		if node := conditions[c.key]; node != nil {
			*c.into, places[c.key] = r.compile(rule, node, c.key), placeOf(node)
		}
	}
	r.guardPrevious(rule)
	r.addHeldDays(rule, heldDays, given["for"])
	if days := rule.Window.length(); days > 0 && rule.MinDays > days {
		r.errorf(given["min_days"], fmt.Sprintf("write a number from 1 to %d, or leave it out for all days", days), "min_days is %d, and the window %s has %d", rule.MinDays, rule.Window, days)
	}
	r.set.Rules = append(r.set.Rules, rule)
	if !Errors(r.problems[before:]) {
		r.places[rule] = places
	}
	r.lint(rule, given, places, !Errors(r.problems[before:]))
}

// guardPrevious has the window before the rule's read what min_data needs, if a
// condition reads that window.
func (r *reader) guardPrevious(rule *Rule) {
	rule.before = -1
	for _, c := range rule.conditions() {
		for _, name := range c.reads {
			if strings.HasPrefix(name, "previous.") && rule.Window.hasPrevious() {
				rule.before = r.set.slotOf(rule.Scope.Level, rule.Window, true)
			}
		}
	}
	for _, least := range rule.MinData {
		if rule.before >= 0 {
			r.set.slotOf(rule.Scope.Level, rule.Window, true, least.Field)
		}
	}
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
	var campaigns, exclude []place
	given := r.entries(n, "scope", map[string]func(ast.Node){
		"campaigns": func(n ast.Node) { rule.Scope.Campaigns, campaigns = r.patterns(n, "campaigns") },
		"exclude":   func(n ast.Node) { rule.Scope.Exclude, exclude = r.patterns(n, "exclude") },
		"creatives": func(n ast.Node) { rule.Scope.Creatives = r.creativePatterns(n, "creatives") },
		"types":     func(n ast.Node) { rule.Scope.Types = r.creativePatterns(n, "types") },
		"labels":    func(n ast.Node) { rule.Scope.Labels = r.scopeLabels(n) },
		"level": func(n ast.Node) {
			rule.Scope.Level = Level(r.word(n, "level", string(CampaignLevel), string(CreativeLevel)))
		},
		"keep_active": func(n ast.Node) { rule.Scope.KeepActive = r.integer(n, "keep_active", 0) },
	})
	if _, ok := given["campaigns"]; !ok && given != nil {
		r.errorf(placeOf(n), `write campaigns: ["*"] for all campaigns`, "scope has no campaigns")
	}
	r.lintPatterns(rule.Scope, campaigns, exclude)
	r.lintSelection(rule.Scope, placeOf(n))
}

func (r *reader) window(rule *Rule, n ast.Node) {
	text, ok := r.text(n, "window")
	if !ok {
		return
	}
	window, err := parseWindow(text)
	if err != nil {
		r.errorf(placeOf(n), windowHint(text), "%v", err)
	}
	rule.Window = window
}

// windowHint returns the window that was probably meant by a text.
func windowHint(text string) string {
	text = strings.ToLower(text)
	for _, word := range []string{"mtd", "this month", "current month", "month to date"} {
		if strings.Contains(text, word) {
			return `did you mean "this month"?`
		}
	}
	if digits := regexp.MustCompile(`\d{1,4}`).FindString(text); digits != "" && !strings.ContainsAny(text, "hm") {
		n, _ := strconv.Atoi(digits) // four digits at most
		return fmt.Sprintf("did you mean %q?", Window{lastDays, min(max(n, 1), maxWindowDays)})
	}
	for word, window := range map[string]string{"week": "last 7 days", "month": "last 30 days", "max": "lifetime", "all": "lifetime", "ever": "lifetime"} {
		if strings.Contains(text, word) {
			return fmt.Sprintf("did you mean %q?", window)
		}
	}
	return suggest(text, []string{"today", "yesterday", "last 7 days", "this month", "lifetime"}, "write today, yesterday, last 7 days, this month or lifetime")
}

func (r *reader) minData(rule *Rule, n ast.Node) {
	if text, single := scalarText(n); single {
		r.errorf(placeOf(n), "write min_data: {impressions: 5000}", "min_data must be keys with values, and this is %q", text)
		return
	}
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
		at := placeOf(n)
		var inField *cronFieldError
		if errors.As(err, &inField) {
			_, placeIn := r.condition(n, "schedule")
			at = placeIn(1, regexp.MustCompile(`\S+`).FindAllStringIndex(text, -1)[inField.field][0])
		}
		r.errorf(at, scheduleHint(text, r.set.Zone), "%v", err)
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
	before := len(r.problems)
	source, placeIn := r.condition(n, key)
	if len(r.problems) > before {
		return nil
	}
	if strings.TrimSpace(source) == "" {
		r.errorf(placeOf(n), "write a condition, such as grossMediaSpend >= 0.95 * budget", "%s is empty", key)
		return nil
	}
	condition, faults := compile(r.env, source, &binder{set: r.set, rule: rule})
	for _, fault := range faults {
		r.errorf(placeIn(fault.line, fault.column), fault.hint, "%s: %s", key, fault.message)
	}
	if condition != nil {
		condition.placeIn = placeIn
	}
	return condition
}
