package rules

import (
	"context"
	"fmt"
	"math"

	"github.com/goccy/go-yaml/ast"

	"usher"
)

// Test is a case beside the rules: figures, where a creative stands, and what
// is to be decided.
type Test struct {
	Name     string
	Line     int
	Rules    []string // those that vote; none: all of the file
	Campaign string   // default: <account>-test
	Creative string   // default: test
	Status   string   // default ACTIVE
	PausedBy string   // the rule of this file that paused it; Status is INACTIVE
	Metrics  map[string]float64
	Previous map[string]float64 // of the window before
	Lifetime map[string]float64 // of all days
	Expect   usher.Action
	Rule     string // that must decide; empty: any
}

// oneTest reads a test case.
func (r *reader) oneTest(n ast.Node) {
	t := &Test{Line: placeOf(n).line, Campaign: r.set.Account + "-test", Creative: "test", Status: "ACTIVE"}
	known := func(into *string) func(ast.Node) {
		return func(n ast.Node) { *into = r.word(n, "rule", r.set.ruleNames()...) }
	}
	text := func(into *string, what string) func(ast.Node) {
		return func(n ast.Node) { *into, _ = r.text(n, what) }
	}
	there := r.entries(n, "a test", map[string]func(ast.Node){
		"name": text(&t.Name, "name"),
		"rules": func(n ast.Node) {
			r.items(n, "rules", func(item ast.Node) {
				var name string
				known(&name)(item)
				t.Rules = append(t.Rules, name)
			})
		},
		"campaign":  text(&t.Campaign, "campaign"),
		"creative":  text(&t.Creative, "creative"),
		"status":    func(n ast.Node) { t.Status = r.word(n, "status", "ACTIVE", "INACTIVE", "PENDING") },
		"paused_by": known(&t.PausedBy),
		"metrics":   func(n ast.Node) { t.Metrics = r.values(n, "metrics") },
		"previous":  func(n ast.Node) { t.Previous = r.values(n, "previous") },
		"lifetime":  func(n ast.Node) { t.Lifetime = r.values(n, "lifetime") },
		"expect": func(n ast.Node) {
			t.Expect = usher.Action(r.word(n, "action", string(usher.Pause), string(usher.Resume), string(usher.None), string(usher.Held), string(usher.Unknown)))
		},
		"rule": known(&t.Rule),
	})
	if _, ok := there["expect"]; !ok && there != nil {
		r.wrongf(placeOf(n), "write expect: pause, resume, none, held or unknown", "the test expects nothing")
	}
	if _, given := there["status"]; t.PausedBy != "" && !given {
		t.Status = "INACTIVE"
	}
	if t.Name == "" {
		t.Name = fmt.Sprintf("line %d", t.Line)
	}
	r.set.Tests = append(r.set.Tests, t)
}

// values are fields of a report by their names.
func (r *reader) values(n ast.Node, what string) map[string]float64 {
	values := map[string]float64{}
	keys := map[string]func(ast.Node){}
	all := fieldNames()
	for _, name := range all[:Fields] {
		keys[name] = func(n ast.Node) {
			if v, ok := r.number(n, name); ok {
				values[name] = v
			}
		}
	}
	r.entries(n, what+", which are fields of the report,", keys)
	return values
}

func (s *Set) ruleNames() []string {
	var list []string
	for _, rule := range s.Rules {
		list = append(list, rule.Name)
	}
	return list
}

// figures are the test's, as of the end of a day.
func (t *Test) figures(s *Set) (*Figures, error) {
	at, err := s.EndOf("2026-01-15") // any day without a change of the clocks
	if err != nil {
		return nil, err
	}
	f := NewFigures(s, at)
	for _, part := range []struct {
		values map[string]float64
		meant  func(slot) bool
	}{
		{t.Lifetime, func(w slot) bool { return w.window.kind == lifetime }},
		{t.Metrics, func(w slot) bool { return !w.previous && (t.Lifetime == nil || w.window.kind != lifetime) }},
		{t.Previous, func(w slot) bool { return w.previous }},
	} {
		if part.values == nil {
			continue
		}
		var row [Fields]float64
		for c := range row {
			row[c] = math.NaN()
		}
		for name, value := range part.values {
			field, _ := fieldNamed(name) // checked as it was read
			row[field] = value
		}
		f.put(CampaignLevel, entity{campaign: t.Campaign}, row, f.day, part.meant)
		f.put(CreativeLevel, entity{t.Campaign, t.Creative}, row, f.day, part.meant)
	}
	return f, nil
}

// Verdict is how a test went.
type Verdict struct {
	Test     string         `json:"test"`
	Line     int            `json:"line"`
	Passed   bool           `json:"passed"`
	Expected usher.Action   `json:"expected"`
	Decision usher.Decision `json:"decision"`
	Message  string         `json:"message,omitempty"` // why it did not pass
}

// Try runs the tests that stand beside the rules.
func (s *Set) Try(ctx context.Context) ([]Verdict, error) {
	verdicts := []Verdict{}
	for _, t := range s.Tests {
		v, err := t.try(ctx, s)
		if err != nil {
			return nil, err
		}
		verdicts = append(verdicts, v)
	}
	return verdicts, nil
}

func (t *Test) try(ctx context.Context, s *Set) (Verdict, error) {
	v := Verdict{Test: t.Name, Line: t.Line, Expected: t.Expect}
	figures, err := t.figures(s)
	if err != nil {
		return v, err
	}
	const left = "as it was left"
	snapshot := Snapshot{Figures: figures, Due: t.Rules, Creatives: []Creative{{Campaign: t.Campaign, Code: t.Creative, Status: t.Status, LatestUpdate: left}}}
	if t.PausedBy != "" {
		owner := &usher.Ownership{Rule: s.Key(t.PausedBy), Status: inactive, LatestUpdate: left}
		snapshot.Memory = func(string) usher.CreativeMemory { return usher.CreativeMemory{Owner: owner} }
	}
	// Of one creative every share is the whole, so shares are of many.
	snapshot.Sizes = map[string]int{}
	for _, rule := range s.Rules {
		snapshot.Sizes[rule.Name] = math.MaxInt32
	}
	run, err := s.Decide(ctx, snapshot)
	if err != nil {
		return v, err
	}
	found := false
	for v.Decision = range run.Decisions(nil) {
		found = true
	}
	switch {
	case !found:
		v.Message = fmt.Sprintf("no rule has campaign %s in scope", t.Campaign)
	case v.Decision.Action != t.Expect:
		v.Message = fmt.Sprintf("expected %s, got %s by %s: %s", t.Expect, v.Decision.Action, v.Decision.Rule, v.Decision.Reason)
	case t.Rule != "" && v.Decision.Rule != t.Rule:
		v.Message = fmt.Sprintf("expected it of rule %s, got it of %s: %s", t.Rule, v.Decision.Rule, v.Decision.Reason)
	}
	v.Passed = v.Message == ""
	return v, nil
}
