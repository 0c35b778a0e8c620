package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"usher/internal/readable"
	"usher/internal/rules/calendar"
	"usher/internal/rules/document"
)

// Label is a name that a rule file gives to campaigns and creatives, on some days or always.
// It holds for a creative if all of its keys do.
type Label struct {
	Name      string
	Campaigns []string // globs of campaign codes; none: all
	Creatives []string // globs of creative codes; none: all
	From, To  string   // YYYY-MM-DD in the account's zone, both included; "": no bound

	at       document.Place
	from, to calendar.Day // 0: no bound
	used     bool
}

// AnyType is the type of a creative whose type was not read. It matches every pattern of
// types, where the empty type, of a creative that the platform does not describe, matches
// none.
const AnyType = "*"

// matchesAny reports whether a text matches one of the patterns.
func matchesAny(globs []string, text string) bool {
	return slices.ContainsFunc(globs, func(glob string) bool {
		ok, _ := path.Match(glob, text) // Load refuses a bad pattern
		return ok
	})
}

// holdsOn reports whether the label holds for creatives of a campaign on a day; on some
// day, if day is 0.
func (l *Label) holdsOn(campaign string, day calendar.Day) bool {
	inTime := day == 0 || day >= l.from && (l.to == 0 || day <= l.to)
	return inTime && (len(l.Campaigns) == 0 || matchesAny(l.Campaigns, campaign))
}

// covers reports whether creatives of a campaign may be in the rule's scope on some day.
func (rule *Rule) covers(campaign string) bool { return rule.coversOn(campaign, 0) }

// coversOn reports whether creatives of a campaign may be in the rule's scope on a day; on
// some day, if day is 0.
func (rule *Rule) coversOn(campaign string, day calendar.Day) bool {
	s := rule.Scope
	return matchesAny(s.Campaigns, campaign) && !matchesAny(s.Exclude, campaign) &&
		(len(s.Labels) == 0 || slices.ContainsFunc(s.Labels, func(l *Label) bool { return l.holdsOn(campaign, day) }))
}

// selects reports whether the scope has single creatives of a campaign, not all of them.
func (s Scope) selects() bool {
	return len(s.Creatives) > 0 || len(s.Types) > 0 || slices.ContainsFunc(s.Labels, func(l *Label) bool { return len(l.Creatives) > 0 })
}

// hasOn reports whether the rule has a creative of a campaign that it covers in scope on a
// day; on some day, if day is 0. A creative without a code stands for all of its campaign.
func (rule *Rule) hasOn(c *Creative, day calendar.Day) bool {
	s := rule.Scope
	matches := func(globs []string) bool {
		return len(globs) == 0 || c.Code == "" || matchesAny(globs, c.Code)
	}
	return matches(s.Creatives) && (len(s.Types) == 0 || c.Type == AnyType || c.Type != "" && matchesAny(s.Types, c.Type)) &&
		(len(s.Labels) == 0 || slices.ContainsFunc(s.Labels, func(l *Label) bool { return l.holdsOn(c.Campaign, day) && matches(l.Creatives) }))
}

// Has reports whether one of the rules (nil: all) has a creative in scope at a time, or at
// any time, if at is zero.
func (s *Set) Has(c Creative, rules []string, at time.Time) bool {
	day := calendar.Day(0)
	if !at.IsZero() {
		day = calendar.DayOf(at.In(s.Zone))
	}
	return slices.ContainsFunc(s.Rules, func(rule *Rule) bool {
		return rule.Bidding == nil && rule.isDue(rules) && rule.coversOn(c.Campaign, day) && rule.hasOn(&c, day)
	})
}

// ReadsTypes reports whether a rule that covers a campaign selects creatives by their types.
func (s *Set) ReadsTypes(campaign string) bool {
	return slices.ContainsFunc(s.Rules, func(rule *Rule) bool { return len(rule.Scope.Types) > 0 && rule.covers(campaign) })
}

// String describes the scope in one line.
func (s Scope) String() string {
	text := strings.Join(s.Campaigns, ", ")
	if len(s.Exclude) > 0 {
		text += " but not " + strings.Join(s.Exclude, ", ")
	}
	if selection := s.Selection(); selection != "" {
		text += "; " + selection
	}
	return text
}

// Selection describes which creatives of its campaigns the scope selects, or is empty if
// that is all.
func (s Scope) Selection() string {
	var parts []string
	for _, k := range s.selection() {
		parts = append(parts, k.Name+" "+k.Value)
	}
	return strings.Join(parts, ", ")
}

// selection returns the keys of the scope that select creatives.
func (s Scope) selection() []Key {
	var keys []Key
	add := func(name string, values []string) {
		if len(values) > 0 {
			keys = append(keys, Key{name, strings.Join(values, ", ")})
		}
	}
	add("creatives", s.Creatives)
	add("types", s.Types)
	var labels []string
	for _, l := range s.Labels {
		labels = append(labels, l.Name)
	}
	add("labels", labels)
	return keys
}

// labels reads the labels of the file.
func (r *reader) labels(n ast.Node) {
	m, ok := n.(ast.MapNode)
	if !ok {
		r.Errorf(document.PlaceOf(n), `write a name and what it stands for: {summer: {campaigns: ["SANDBOX1-summer*"]}}`, "labels must be keys with values, and this is %s", document.KindOf(n))
		return
	}
	for each := m.MapRange(); each.Next(); {
		r.label(each.Key().GetToken().Value, document.PlaceOf(each.Key()), each.Value())
	}
}

func (r *reader) label(name string, at document.Place, n ast.Node) {
	l := &Label{Name: name, at: at}
	if !nameForm().MatchString(name) {
		r.Errorf(at, "write up to 64 letters, digits, - and _, such as summer-push", "%q is not the name of a label", name)
	}
	var campaigns []document.Place
	given := r.Entries(n, "the label "+name, map[string]func(ast.Node){
		"campaigns": func(n ast.Node) { l.Campaigns, campaigns = r.patterns(n, "campaigns") },
		"creatives": func(n ast.Node) { l.Creatives = r.creativePatterns(n, "creatives") },
		"from":      func(n ast.Node) { l.From, l.from = r.date(n, "from") },
		"to":        func(n ast.Node) { l.To, l.to = r.date(n, "to") },
	})
	switch {
	case given != nil && len(given) == 0:
		r.Errorf(at, `write campaigns, creatives, from or to`, "the label %s says nothing", name)
	case l.from > 0 && l.to > 0 && l.from > l.to:
		r.Errorf(given["to"], "write a day from "+l.From+" on", "the label %s ends on %s, before it begins on %s", name, l.To, l.From)
	}
	r.lintPatterns(Scope{Campaigns: l.Campaigns}, campaigns, nil)
	r.set.Labels = append(r.set.Labels, l)
}

// date reads a date, and returns it as a day, too.
func (r *reader) date(n ast.Node, what string) (string, calendar.Day) {
	text, ok := r.Text(n, what)
	if !ok {
		return "", 0
	}
	day, err := calendar.ParseDay(text)
	if err != nil {
		r.Errorf(document.PlaceOf(n), "write a date such as 2026-06-30", "%s must be a date, and this is %q", what, text)
		return "", 0
	}
	return text, day
}

// creativePatterns reads patterns of creatives' codes, or of types.
func (r *reader) creativePatterns(n ast.Node, what string) []string {
	var list []string
	for _, item := range r.patternList(n, what, `["*-video"]`) {
		if _, err := path.Match(item.text, ""); err != nil || item.text == "" {
			r.Errorf(item.at, `write a code, or a pattern with * and ?, such as "*-video"`, "%q is not a pattern", item.text)
			continue
		}
		if upper := strings.ToUpper(item.text); what == "types" && item.text != upper {
			r.Warnf(item.at, "write "+upper, "the platform writes types in capitals, and %q matches letter by letter", item.text)
		}
		list = append(list, item.text)
	}
	return list
}

// scopeLabels reads names of labels.
func (r *reader) scopeLabels(n ast.Node) []*Label {
	var names []string
	for _, l := range r.set.Labels {
		names = append(names, l.Name)
	}
	var list []*Label
	for _, item := range r.patternList(n, "labels", "[summer-push]") {
		at := slices.Index(names, item.text)
		if at < 0 {
			hint := "write labels: and what it stands for at the top of the file: labels: {" + item.text + `: {campaigns: ["SANDBOX1-summer*"]}}`
			r.Errorf(item.at, readable.Suggest(item.text, names, hint), "there is no label %q", item.text)
			continue
		}
		r.set.Labels[at].used = true
		list = append(list, r.set.Labels[at])
	}
	return list
}

// lintLabels finds labels that no rule uses.
func (r *reader) lintLabels() {
	for _, l := range r.set.Labels {
		if !l.used {
			r.Warnf(l.at, fmt.Sprintf("write labels: [%s] in the scope of a rule, or remove it", l.Name), "no rule selects the label %s", l.Name)
		}
	}
}

// lintSelection finds labels that no campaign in the scope has. at is the place of the
// scope.
func (r *reader) lintSelection(scope Scope, at document.Place) {
	overlaps := func(l *Label) bool { return len(l.Campaigns) == 0 || anyOverlap(l.Campaigns, scope.Campaigns) }
	someOverlap := slices.ContainsFunc(scope.Labels, overlaps)
	for _, l := range scope.Labels {
		const hint, message = "remove the label from the scope, or correct its campaigns", "the label %s has no campaign in the scope"
		switch {
		case len(scope.Campaigns) == 0 || overlaps(l):
		case someOverlap:
			r.Warnf(at, hint, message, l.Name)
		default:
			r.Errorf(at, hint, message, l.Name)
		}
	}
}

// anyOverlap reports whether there may be a text that a pattern of each list matches.
func anyOverlap(a, b []string) bool {
	return slices.ContainsFunc(a, func(first string) bool {
		return slices.ContainsFunc(b, func(second string) bool { return globsOverlap(first, second) })
	})
}
