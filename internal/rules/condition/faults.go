package condition

import (
	"fmt"
	"strings"

	"usher/internal/readable"
)

// Fault is an error in a condition, or a likely mistake, and its place in the text.
type Fault struct {
	Line, Column int // from 1 and from 0
	Message      string
	Hint         string // what to write instead
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
	noConversions = "the platform reports no conversions and no revenue: put them with `usher outcomes put`, and write outcome.installs, or the name of your column; or use clicks, engagements, cpc or ctr"
	noReach       = "usher cannot see reach or frequency: the platform reports no reach; what people do instead is ctr < 0.7 * previous.ctr, because a click rate falls when the same people see an ad again"
	noClock       = "a condition has no clock: active_hours and active_days say when creatives may run, schedule when the rule is due, and window which days it reads"
	noViews       = "usher cannot see whether an ad was in view, or for how long; what people do instead is displayRate, engagementRate and ctr"
)

// The hints on what stands elsewhere, and on what usher cannot do.
const (
	noTargets = "write targets: targets.csv at the top of the file, a table with the columns campaign and, for example, cpc, and compare with target.cpc"
	noPages   = "usher cannot see landing pages; what people do instead is clicks, engagements and cpc"
)

// cannotRead has names before a point, in lower case, and what people do instead.
var cannotRead = map[string]string{
	"targets": noTargets, "goal": noTargets, "goals": noTargets,
	"outcomes": outcomeHint, "conversion": outcomeHint, "conversions": outcomeHint,
	"page": noPages, "landing": noPages,
}

// elsewhere has the names that other tools give to metrics, in lower case, and the
// metric that they mean, or a hint.
var elsewhere = map[string]string{
	"spend": "grossMediaSpend", "spent": "grossMediaSpend", "cost": "grossMediaSpend", "amountspent": "grossMediaSpend", "mediaspend": "grossMediaSpend", "grossspend": "grossMediaSpend",
	"netspend": "netMediaSpend", "dailybudget": "budget", "totalbudget": "lifetimeBudget", "campaignbudget": "budget",
	"cpm": "ecpm", "costperclick": "cpc", "ecpc": "cpc", "clickthroughrate": "ctr", "imps": "impressions", "views": "impressions", "linkclicks": "clicks", "bids": "bidsPlaced", "wins": "won",
	"conversions": noConversions, "purchases": noConversions, "installs": noConversions, "leads": noConversions, "results": noConversions, "revenue": noConversions, "sales": noConversions,
	"roas": noConversions, "roi": noConversions, "cpa": noConversions, "cpi": noConversions, "cpl": noConversions, "costperresult": noConversions, "conversionrate": noConversions,
	"targetcpc": noTargets, "targetcpa": noTargets, "goal": noTargets, "landingpage": noPages, "landingpageviews": noPages, "bouncerate": noPages,
	"reach": noReach, "frequency": noReach, "uniqueusers": noReach,
	"viewability": noViews, "viewable": noViews, "viewableimpressions": noViews, "viewrate": noViews, "completionrate": noViews, "videocompletions": noViews, "vtr": noViews,
	"time": noClock, "hour": noClock, "day": noClock, "date": noClock, "weekday": noClock, "dayofweek": noClock, "month": noClock, "now": noClock, "today": noClock,
	"name": "select campaigns by scope, and compare numbers here", "status": "a rule pauses only what is ACTIVE: leave the status out", "campaign": "select campaigns by scope, and compare numbers here",
}
