package condition

import (
	"fmt"
	"strings"
	"unicode"

	"cel.dev/cel-go/cel"

	"usher/internal/readable"
)

// Fault is an error in a condition, or a likely mistake, and its place in the text.
type Fault struct {
	Line, Column int // from 1 and from 0
	Message      string
	Hint         string // what to write instead
}

// syntaxFaults explains the first error of CEL's parser. The others are mostly
// consequences.
func syntaxFaults(source string, issues *cel.Issues) []Fault {
	first := issues.Errors()[0]
	message, hint := "it cannot be read here", "write a comparison such as grossMediaSpend >= 0.95 * budget"
	_, rest, _ := strings.Cut(first.Message, " '")
	word, _, quoted := strings.Cut(rest, "'")
	switch {
	case strings.Contains(first.Message, "'<EOF>'") && strings.Count(source, "(") > strings.Count(source, ")"):
		message, hint = "a parenthesis is not closed", "write ) behind what ( begins"
	case !quoted:
	case strings.Contains(first.Message, "'<EOF>'"):
		message += ": it ends where a number or a metric is missing"
	case isWord(word):
		message += fmt.Sprintf(": there is no operator before %q", word)
		hint = "write one, such as > or &&; a metric is one word: `usher rules check --metrics` lists them"
	default:
		if word == "," {
			hint = "join comparisons with && (all of them) or || (any of them)"
		}
		message += fmt.Sprintf(": %q does not belong here", word)
	}
	return []Fault{{first.Location.Line(), first.Location.Column(), message, hint}}
}

// isWord reports whether a text is a name or a number.
func isWord(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(c rune) bool { return c != '_' && c != '.' && !unicode.IsLetter(c) && !unicode.IsDigit(c) })
}

// typeFaults puts the errors of CEL's checker into plain words.
func typeFaults(issues *cel.Issues) []Fault {
	words := strings.NewReplacer(
		"'_?_:_'", "?:", "'_&&_'", "&&", "'_||_'", "||", "'!_'", "!", "'-_'", "-", "'_+_'", "+", "'_-_'", "-", "'_*_'", "*", "'_/_'", "/",
		"'_<_'", "<", "'_<=_'", "<=", "'_>_'", ">", "'_>=_'", ">=", "'_==_'", "==", "'_!=_'", "!=",
		"found no matching overload for", "there is no", "applied to", "of",
		"expected type 'bool' but found 'double'", "expected a comparison, found a number",
		"expected type 'double' but found 'bool'", "expected a number, found a comparison",
		"double", "number", "bool", "comparison",
	)
	var faults []Fault
	for _, issue := range issues.Errors() {
		if name, isPrefix := undeclared(issue.Message); isPrefix {
			faults = append(faults, Fault{issue.Location.Line(), issue.Location.Column(), fmt.Sprintf("%q is not a metric", name), "write " + name + ".ctr, or another metric"})
			continue
		}
		faults = append(faults, Fault{
			issue.Location.Line(), issue.Location.Column(), words.Replace(issue.Message),
			"compare numbers (ctr < 0.001) and join comparisons (… && …)",
		})
	}
	return faults
}

// undeclared returns the name in an error of CEL's checker about a prefix of metrics
// without a metric.
func undeclared(message string) (name string, isPrefix bool) {
	_, rest, found := strings.Cut(message, "undeclared reference to '")
	name, _, _ = strings.Cut(rest, "'")
	return name, found && isPrefixOfMetrics(name)
}

// isPrefixOfMetrics reports whether a name stands before metrics, with a point.
func isPrefixOfMetrics(name string) bool {
	return name == "previous" || name == "campaign" || name == "account"
}

// metricHint returns the hint for an unknown metric.
func metricHint(name string, known []string) string {
	prefix, bare := "", name
	if first, rest, dotted := strings.Cut(name, "."); dotted && isPrefixOfMetrics(first) {
		prefix, bare = first+".", rest
	}
	if metric := elsewhere[strings.ToLower(strings.ReplaceAll(bare, "_", ""))]; strings.Contains(metric, " ") {
		return metric
	} else if metric != "" {
		return fmt.Sprintf("did you mean %q?", prefix+metric)
	}
	return readable.Suggest(name, known, "`usher rules check --metrics` lists all metrics")
}

// The hints on metrics that the platform does not report.
const (
	noConversions = "the platform reports no conversions and no revenue: use clicks, engagements, cpc or ctr"
	noReach       = "the platform reports no reach: use uniqueClicks or impressions"
	noClock       = "a condition has no clock: active_hours says when creatives may run, schedule when the rule is due, and window which days it reads"
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
