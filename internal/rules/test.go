package rules

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"time"

	"github.com/goccy/go-yaml/ast"

	"usher"
	"usher/internal/readable"
	"usher/internal/rules/calendar"
	"usher/internal/rules/document"
	"usher/internal/rules/figures"
)

// Test is a test case in a rule file: figures, the status of a creative, and the
// expected decision.
type Test struct {
	Name     string
	Line     int
	Rules    []string           // the rules that vote; none: all of the file
	Campaign string             // default: <account>-test
	Creative string             // default: test
	Type     string             // of the creative; default: any
	Date     string             // the day of the run, YYYY-MM-DD; default: any day
	Status   string             // default ACTIVE
	Age      time.Duration      // of the creative, and of its campaign; default 90 days
	PausedBy string             // the rule of this file that paused the creative; makes INACTIVE the default of Status
	Field    usher.BiddingField // of the campaign's biddingSettings that is decided on; "": the creative's status is
	Number   float64            // its present value
	To       float64            // the value that the decision must set; 0: any
	// ChangedBy is the rule of this file that set the number last; empty: no rule has.
	ChangedBy string
	Metrics   map[string]float64
	Previous  map[string]float64                    // of the window before
	Lifetime  map[string]float64                    // of all days
	Over      map[figures.Window]map[string]float64 // of other windows; of those that are missing, Metrics
	Days      []map[string]float64                  // of the days of for, yesterday first; an empty one has no row. nil: Metrics
	At        time.Duration                         // what the clock shows, since midnight; -1: the end of the day
	Expect    usher.Action
	Rule      string // the rule that must decide; empty: any
}

// test reads a test case.
func (r *reader) test(n ast.Node) {
	t := &Test{Line: document.PlaceOf(n).Line, Campaign: r.set.Account + "-test", Creative: "test", Type: AnyType, Status: Active, Age: figures.FirstRowDays * 24 * time.Hour, At: -1}
	ruleName := func(into *string) func(ast.Node) {
		return func(n ast.Node) { *into = r.word(n, "rule", r.set.ruleNames()...) }
	}
	text := func(into *string, what string) func(ast.Node) {
		return func(n ast.Node) { *into, _ = r.Text(n, what) }
	}
	given := r.Entries(n, "a test", map[string]func(ast.Node){
		"name": text(&t.Name, "name"),
		"rules": func(n ast.Node) {
			r.Items(n, "rules", func(item ast.Node) {
				var name string
				ruleName(&name)(item)
				t.Rules = append(t.Rules, name)
			})
		},
		"campaign":   text(&t.Campaign, "campaign"),
		"creative":   text(&t.Creative, "creative"),
		"type":       text(&t.Type, "type"),
		"date":       func(n ast.Node) { t.Date, _ = r.date(n, "date") },
		"status":     func(n ast.Node) { t.Status = r.word(n, "status", Active, Inactive, Pending) },
		"age":        func(n ast.Node) { t.Age = r.Duration(n, "age") },
		"paused_by":  ruleName(&t.PausedBy),
		"changed_by": ruleName(&t.ChangedBy),
		"budget":     func(n ast.Node) { t.Field, t.Number = usher.BudgetField, r.amount(n, "budget") },
		"bid":        func(n ast.Node) { t.Field, t.Number = usher.BidField, r.amount(n, "bid") },
		"to":         func(n ast.Node) { t.To = r.amount(n, "to") },
		"metrics":    func(n ast.Node) { t.Metrics = r.values(n, "metrics") },
		"previous":   func(n ast.Node) { t.Previous = r.values(n, "previous") },
		"lifetime":   func(n ast.Node) { t.Lifetime = r.values(n, "lifetime") },
		"over":       func(n ast.Node) { t.Over = r.overValues(n) },
		"days": func(n ast.Node) {
			t.Days = []map[string]float64{}
			r.Items(n, "days", func(item ast.Node) { t.Days = append(t.Days, r.values(item, "days")) })
		},
		"at": func(n ast.Node) { t.At = r.timeOfDay(n) },
		"expect": func(n ast.Node) {
			t.Expect = usher.Action(r.word(n, "action", string(usher.Pause), string(usher.Resume), string(usher.Decrease), string(usher.Increase), string(usher.None), string(usher.Held), string(usher.Notify), string(usher.Unknown)))
		},
		"rule": ruleName(&t.Rule),
	})
	if _, ok := given["expect"]; !ok && given != nil {
		r.Errorf(document.PlaceOf(n), "write expect: pause, resume, decrease, increase, none, held, notify or unknown", "the test expects nothing")
	}
	if t.Field == "" && (t.Expect == usher.Decrease || t.Expect == usher.Increase || t.To > 0 || t.ChangedBy != "") {
		r.Errorf(document.PlaceOf(n), "write budget: 100, or bid: 2, the number before the decision", "the test is about a budget or a bid, and does not say which, nor what it is")
	}
	if _, ok := given["status"]; t.PausedBy != "" && !ok {
		t.Status = Inactive
	}
	if day, err := calendar.ParseDay(t.Date); err == nil && t.At >= 0 {
		if _, shown := day.At(t.At, r.set.Zone); !shown {
			r.Errorf(given["at"], "write another at, or another date", "the clocks of %s skip this time on %s", r.set.Zone, t.Date)
		}
	}
	if t.Name == "" {
		t.Name = fmt.Sprintf("line %d", t.Line)
	}
	r.set.Tests = append(r.set.Tests, t)
}

// timeOfDay reads a time such as 23:10.
func (r *reader) timeOfDay(n ast.Node) time.Duration {
	text, ok := r.Text(n, "at")
	minute, isTime := calendar.ParseClock(text)
	if ok && (!isTime || minute == 24*60) {
		r.Errorf(document.PlaceOf(n), `write at: "23:10"`, "at must be a time of the day, and this is %q", text)
	}
	return time.Duration(minute) * time.Minute
}

// overValues reads fields of a report over windows, by the windows.
func (r *reader) overValues(n ast.Node) map[figures.Window]map[string]float64 {
	values := map[figures.Window]map[string]float64{}
	m, ok := n.(ast.MapNode)
	if !ok {
		r.Errorf(document.PlaceOf(n), "write over: {yesterday: {grossMediaSpend: 40}}", "over must be keys with values, and this is %s", document.KindOf(n))
		return values
	}
	for each := m.MapRange(); each.Next(); {
		name := each.Key().GetToken().Value
		window, err := figures.ParseWindow(name)
		if err != nil {
			r.Errorf(document.PlaceOf(each.Key()), figures.WindowHint(name), "%v", err)
			continue
		}
		values[window] = r.values(each.Value(), "over "+name)
	}
	return values
}

// values reads fields of a report by their names.
func (r *reader) values(n ast.Node, what string) map[string]float64 {
	values := map[string]float64{}
	keys := map[string]func(ast.Node){}
	for _, name := range figures.Names() {
		keys[name] = func(n ast.Node) {
			if v, ok := r.number(n, name); ok {
				values[name] = v
			}
		}
	}
	addOutcomeKeys(n, keys, func(name string, n ast.Node) {
		if v, ok := r.number(n, figures.OutcomePrefix+name); ok {
			values[figures.OutcomePrefix+name] = v
		}
	})
	r.Entries(n, what+", which are fields of the report,", keys)
	return values
}

func (s *Set) ruleNames() []string {
	var list []string
	for _, rule := range s.Rules {
		list = append(list, rule.Name)
	}
	return list
}

// figures returns the figures of the test at the end of a day.
func (t *Test) figures(s *Set) (*Figures, error) {
	at, err := s.EndOf(cmp.Or(t.Date, "2026-01-15")) // a day on which no clocks change
	if err != nil {
		return nil, err
	}
	if t.At >= 0 {
		at, _ = calendar.DayOf(at).At(t.At, s.Zone) // the reader found that the clocks show it
	}
	f := NewFigures(s, at)
	for _, part := range t.parts() {
		if part.values == nil {
			continue
		}
		for _, creative := range []string{"", t.Creative} { // the account has this campaign alone
			if err := f.Set(t.Campaign, creative, part.values, part.isIn); err != nil {
				return nil, err
			}
		}
	}
	return f, nil
}

// testPart are figures of a test in some windows.
type testPart struct {
	values map[string]float64
	isIn   func(w figures.Window, previous bool) bool
}

// parts returns the figures of the test, in the order in which they replace each other.
func (t *Test) parts() []testPart {
	parts := []testPart{
		{t.Lifetime, func(w figures.Window, _ bool) bool { return w.Kind == figures.Lifetime }},
		{t.Metrics, func(w figures.Window, previous bool) bool {
			return !previous && (t.Lifetime == nil || w.Kind != figures.Lifetime) && (t.Days == nil || w.Kind != figures.DaysAgo)
		}},
		{t.Previous, func(_ figures.Window, previous bool) bool { return previous }},
	}
	for window, values := range t.Over {
		parts = append(parts, testPart{values, func(w figures.Window, previous bool) bool { return !previous && w == window }})
	}
	for i, values := range t.Days {
		if len(values) > 0 { // otherwise the day has no row
			parts = append(parts, testPart{values, func(w figures.Window, _ bool) bool { return w == figures.Window{Kind: figures.DaysAgo, Days: i + 1} }})
		}
	}
	return parts
}

// TestResult is the result of a test case.
type TestResult struct {
	Test     string         `json:"test"`
	Line     int            `json:"line"`
	Passed   bool           `json:"passed"`
	Expected usher.Action   `json:"expected"`
	Decision usher.Decision `json:"decision"`
	Message  string         `json:"message,omitempty"` // why it failed
}

// RunTests runs the test cases of the rule file.
func (s *Set) RunTests(ctx context.Context) ([]TestResult, error) {
	results := []TestResult{}
	for _, t := range s.Tests {
		result, err := t.run(ctx, s)
		if err != nil {
			return nil, err
		}
		results = append(results, result)
	}
	return results, nil
}

func (t *Test) run(ctx context.Context, s *Set) (TestResult, error) {
	result := TestResult{Test: t.Name, Line: t.Line, Expected: t.Expect}
	snapshot, err := t.snapshot(s)
	if err != nil {
		return result, err
	}
	decide := s.Decide
	if t.Field != "" {
		decide = func(ctx context.Context, snapshot Snapshot) (*Run, error) {
			return s.DecideNumbers(ctx, t.Field, snapshot)
		}
	}
	run, err := decide(ctx, snapshot)
	if err != nil {
		return result, err
	}
	found := false
	for result.Decision = range run.Decisions(nil) {
		found = true
	}
	d := result.Decision
	switch {
	case !found && t.Field != "":
		result.Message = fmt.Sprintf("no rule with %s has campaign %s in scope on %s", t.Field.Key(), t.Campaign, s.Day(snapshot.Figures.At()))
	case !found:
		result.Message = fmt.Sprintf("no rule has creative %s of campaign %s in scope on %s", t.Creative, t.Campaign, s.Day(snapshot.Figures.At()))
	case d.Action != t.Expect && t.Expect == usher.Resume && t.PausedBy == "":
		result.Message = fmt.Sprintf("expected %s, got %s by %s: %s; a rule resumes only what it has paused: add paused_by: %s to the test", t.Expect, d.Action, d.Rule, d.Reason, cmp.Or(t.Rule, d.Rule))
	case d.Action != t.Expect:
		result.Message = fmt.Sprintf("expected %s, got %s by %s: %s", t.Expect, d.Action, d.Rule, d.Reason)
	case t.To > 0 && d.Bidding.To != t.To:
		result.Message = fmt.Sprintf("expected it to set the %s to %s, got %s: %s", t.Field, readable.Exact(t.To), readable.Exact(d.Bidding.To), d.Reason)
	case t.Rule != "" && d.Rule != t.Rule:
		result.Message = fmt.Sprintf("expected rule %s to decide, but rule %s did: %s", t.Rule, d.Rule, d.Reason)
	}
	result.Passed = result.Message == ""
	return result, nil
}

// snapshot returns the input of the test's run.
func (t *Test) snapshot(s *Set) (Snapshot, error) {
	f, err := t.figures(s)
	if err != nil {
		return Snapshot{}, err
	}
	updated := f.At().Add(-t.Age).UTC().Format(time.RFC3339Nano)[:19]
	snapshot := Snapshot{Figures: f, Due: t.Rules, Creatives: []Creative{{Campaign: t.Campaign, Code: t.Creative, Type: t.Type, Status: t.Status, LatestUpdate: updated}}}
	if t.Field != "" {
		snapshot.Numbers = []Number{{Campaign: t.Campaign, Value: t.Number}}
	}
	if t.ChangedBy != "" {
		owner := &usher.Ownership{Rule: s.Key(t.ChangedBy), Status: snapshot.Numbers[0].State()}
		snapshot.Memory = func(string) usher.CreativeMemory { return usher.CreativeMemory{Owner: owner} }
	}
	if t.PausedBy != "" {
		longAgo := f.At().AddDate(0, -2, 0)
		owner := &usher.Ownership{Rule: s.Key(t.PausedBy), At: longAgo, Status: Inactive, LatestUpdate: updated}
		snapshot.Memory = func(string) usher.CreativeMemory { return usher.CreativeMemory{Owner: owner} }
	}
	// One creative would always be 100 %, so max_share is one of many creatives.
	snapshot.Sizes = map[string]int{}
	for _, rule := range s.Rules {
		snapshot.Sizes[rule.Name] = math.MaxInt32
	}
	return snapshot, nil
}
