package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Problem is an error or a warning about a rule file.
type Problem struct {
	File    string `json:"file"`
	Line    int    `json:"line"`   // from 1
	Column  int    `json:"column"` // from 1
	Error   bool   `json:"error"`  // false: a warning
	Rule    string `json:"rule,omitempty"`
	Message string `json:"message"`
	Hint    string `json:"hint"`    // what to write instead
	Excerpt string `json:"excerpt"` // the line
}

// String returns the problem in the form of a compiler's message, with the line and
// a mark below it.
func (p Problem) String() string {
	kind := "warning"
	if p.Error {
		kind = "error"
	}
	text := fmt.Sprintf("%s:%d:%d: %s: %s", p.File, p.Line, p.Column, kind, p.Message)
	if p.Hint != "" {
		text += "\n    " + p.Hint
	}
	if p.Excerpt != "" {
		number := fmt.Sprintf("%5d", p.Line)
		// Tabs stay tabs, so that the mark is below its column.
		before := strings.Map(func(r rune) rune {
			if r == '\t' {
				return r
			}
			return ' '
		}, string([]rune(p.Excerpt)[:min(max(p.Column-1, 0), len([]rune(p.Excerpt)))]))
		text += fmt.Sprintf("\n%s | %s\n%s | %s^", number, p.Excerpt, strings.Repeat(" ", len(number)), before)
	}
	return text
}

// Errors reports whether one of the problems is an error.
func Errors(problems []Problem) bool {
	return slices.ContainsFunc(problems, func(p Problem) bool { return p.Error })
}

// sortProblems sorts problems by their place in the file.
func sortProblems(problems []Problem) {
	slices.SortStableFunc(problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

// suggestMetric returns the hint for an unknown metric.
func suggestMetric(name string, known []string) string {
	bare := strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(name, "previous."), "_", ""))
	if metric := elsewhere[bare]; strings.Contains(metric, " ") {
		return metric
	} else if metric != "" {
		return fmt.Sprintf("did you mean %q?", metric)
	}
	return suggest(name, known, "`usher rules check --metrics` lists all metrics")
}

// The hints on metrics that the platform does not report.
const (
	noConversions = "the platform reports no conversions and no revenue: use clicks, engagements, cpc or ctr"
	noReach       = "the platform reports no reach: use uniqueClicks or impressions"
	noClock       = "a condition has no clock: say when the rule is due by schedule, and which days it reads by window"
)

// elsewhere has the names that other tools give to metrics, in lower case, and the
// metric that they mean, or a hint.
var elsewhere = map[string]string{
	"spend": "grossMediaSpend", "spent": "grossMediaSpend", "cost": "grossMediaSpend", "amountspent": "grossMediaSpend", "mediaspend": "grossMediaSpend", "grossspend": "grossMediaSpend",
	"netspend": "netMediaSpend", "dailybudget": "budget", "totalbudget": "lifetimeBudget", "campaignbudget": "budget",
	"cpm": "ecpm", "costperclick": "cpc", "ecpc": "cpc", "clickthroughrate": "ctr", "imps": "impressions", "views": "impressions", "linkclicks": "clicks", "bids": "bidsPlaced", "wins": "won",
	"conversions": noConversions, "purchases": noConversions, "installs": noConversions, "leads": noConversions, "results": noConversions, "revenue": noConversions, "sales": noConversions,
	"roas": noConversions, "roi": noConversions, "cpa": noConversions, "cpi": noConversions, "cpl": noConversions, "costperresult": noConversions, "conversionrate": noConversions,
	"reach": noReach, "frequency": noReach,
	"time": noClock, "hour": noClock, "day": noClock, "date": noClock, "weekday": noClock, "now": noClock, "today": noClock,
	"name": "select campaigns by scope, and compare numbers here", "status": "a rule pauses only what is ACTIVE: leave the status out", "campaign": "select campaigns by scope, and compare numbers here",
}

// suggest returns a hint with the known word that is nearest to a misspelt one, or
// otherwise another hint.
func suggest(word string, known []string, otherwise string) string {
	if near := nearest(word, known); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return otherwise
}

// nearest returns the known word with the smallest distance, if that is at most a
// third of the word's length; otherwise it returns "".
func nearest(word string, known []string) string {
	best, least := "", max(1, (len(word)+1)/3)+1
	for _, k := range known {
		if d := distance(strings.ToLower(word), strings.ToLower(k)); d < least {
			best, least = k, d
		}
	}
	return best
}

// distance returns the edit distance: the number of letters that must be changed,
// added, removed, or swapped with their neighbour.
func distance(a, b string) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(row[j-1]+1, last[j]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
