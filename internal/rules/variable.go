package rules

import (
	"slices"
	"strings"
)

// Variable is a metric that conditions may use.
type Variable struct {
	Name    string
	Formula string // empty: a field of the report, summed
	About   string

	make func(b *binder) *expression
	// ratio is true if it divides by a count, so that it means little while that
	// is small.
	ratio bool
	// falls is true if it may fall in the course of a day, and does not take into
	// account how much of the day has passed.
	falls bool
}

// binder makes the expressions of the metrics in a rule's condition.
type binder struct {
	set      *Set
	rule     *Rule
	previous bool // of the window before the rule's
	of       whose
	window   Window // if not zero: instead of the rule's
}

// whose says whose figures a column has.
type whose int

const (
	own        whose = iota // those of the campaign or creative that is evaluated
	ofCampaign              // those of the creative's campaign
	ofAccount               // the sums of all campaigns
)

// column returns a column of the window.
func (b *binder) column(f Field) *expression {
	level, window := b.rule.Scope.Level, b.rule.Window
	if b.of == ofAccount || b.of == ofCampaign && level == CreativeLevel {
		level = CampaignLevel
	}
	x := &expression{op: opColumn, column: f, of: b.of}
	if b.of == ofCampaign && b.rule.Scope.Level == CampaignLevel {
		x.of = own
	}
	if b.window != (Window{}) {
		x.over = b.window != window && b.window.kind != lifetime
		window = b.window
	}
	x.slot = b.set.slotOf(level, window, b.previous, f)
	x.leaf = leaf{level: level, window: window, previous: b.previous, account: b.of == ofAccount, field: f}
	return x
}

func operate(o op, args ...*expression) *expression { return &expression{op: o, args: args} }

func constant(n float64) *expression { return &expression{op: opNumber, number: n} }

// ratioOf returns the metric numerator / denominator * factor.
func ratioOf(name, formula, about string, numerator, denominator Field, factor float64) Variable {
	isRatio := denominator.counts()
	return Variable{Name: name, Formula: formula, About: about, ratio: isRatio, falls: isRatio, make: func(b *binder) *expression {
		x := operate(opDivide, b.column(numerator), b.column(denominator))
		if factor != 1 {
			x = operate(opMultiply, x, constant(factor))
		}
		return x
	}}
}

// boundOf returns a bound of ctr, which is meaningful without min_data.
func boundOf(name, side string, bound op) Variable {
	return Variable{
		Name: name, Formula: "Wilson interval of clicks in impressions, 95 %, " + side + " bound",
		About: "ctr is " + map[op]string{opUpper95: "below", opLower95: "above"}[bound] + " it with a confidence of 97.5 %, however few impressions there are",
		make:  func(b *binder) *expression { return operate(bound, b.column(Clicks), b.column(Impressions)) },
	}
}

// field returns the metric of a field of the report.
func field(f Field, about string) Variable {
	return Variable{Name: f.String(), About: about, make: func(b *binder) *expression { return b.column(f) }}
}

// Variables returns all metrics that conditions may use. Each is a number. With the
// prefix previous., a name means the metric of the window before; with campaign. and
// account., that of the creative's campaign and of the sum of all campaigns; with
// over("last 14 days")., that of another window.
func Variables() []Variable {
	return []Variable{
		field(Auctions, "auctions the campaign could have bid in"),
		field(BidsPlaced, "bids placed"),
		field(Won, "auctions won"),
		field(Impressions, "impressions"),
		field(Clicks, "clicks"),
		field(Engagements, "engagements"),
		field(UniqueClicks, "unique clicks, summed by day"),
		field(UniqueEngagements, "unique engagements, summed by day"),
		field(NetMediaSpend, "net spend, in the account's currency"),
		field(GrossMediaSpend, "gross spend, in the account's currency"),
		field(Budget, "the daily budgets of the days"),
		field(MediaMargin, "the media margin in percent, of the newest row"),
		field(LifetimeBudget, "the lifetime budget, of the newest row"),

		ratioOf("ctr", "clicks / impressions", "click-through rate", Clicks, Impressions, 1),
		ratioOf("cpc", "grossMediaSpend / clicks", "cost of a click", GrossMediaSpend, Clicks, 1),
		ratioOf("ecpm", "grossMediaSpend / impressions * 1000", "cost of a thousand impressions", GrossMediaSpend, Impressions, 1000),
		boundOf("ctr_upper95", "upper", opUpper95),
		boundOf("ctr_lower95", "lower", opLower95),
		ratioOf("engagementRate", "engagements / impressions", "engagements an impression", Engagements, Impressions, 1),
		ratioOf("winRate", "won / bidsPlaced", "auctions won a bid", Won, BidsPlaced, 1),
		ratioOf("displayRate", "impressions / won", "impressions an auction won", Impressions, Won, 1),
		ratioOf("budgetUsed", "grossMediaSpend / budget", "spend against the budgets of the same days", GrossMediaSpend, Budget, 1),
		{
			Name: "lifetimeUsed", Formula: "gross spend of all days / lifetimeBudget", About: "spend until now against the lifetime budget, whatever the window is",
			make: func(b *binder) *expression {
				all := binder{set: b.set, rule: &Rule{Scope: Scope{Level: b.rule.Scope.Level}, Window: Window{kind: lifetime}}, of: b.of}
				return operate(opDivide, all.column(GrossMediaSpend), all.column(LifetimeBudget))
			},
		},
		ratioOf("pacing", "grossMediaSpend / the part of budget that is due by now", "1 is on plan; of complete days the same as budgetUsed", GrossMediaSpend, budgetDue, 1),
		ratioOf("spendRate", "grossMediaSpend / hours that have passed", "spend an hour, over the days that have a row", GrossMediaSpend, hours, 1),
		{
			Name: "projectedSpend", Formula: "grossMediaSpend + spendRate * hours ahead",
			About: "spend by the time of the next evaluation; hours ahead: until the rule is due again, and its report_lag, but not beyond the end of today; 0 for windows of complete days",
			make: func(b *binder) *expression {
				rate := operate(opDivide, b.column(GrossMediaSpend), b.column(hours))
				if b.previous || !b.rule.Window.running() {
					return b.column(GrossMediaSpend)
				}
				return operate(opAdd, b.column(GrossMediaSpend), operate(opMultiply, rate, &expression{op: opAhead, name: "hoursAhead"}))
			},
		},
		{
			Name: "monthEndSpend", Formula: "gross spend of this month / its complete days * all of its days",
			About: "spend by the end of the month at the pace until now, whatever the window is; UNKNOWN on the first",
			make: func(b *binder) *expression {
				month := binder{set: b.set, rule: b.rule, of: b.of, window: Window{kind: thisMonth}}
				rate := operate(opDivide, month.column(GrossMediaSpend), month.column(hours))
				return operate(opMultiply, rate, &expression{op: opMonth, name: "monthHours"})
			},
		},
	}
}

// variableNamed returns the variable with that name, or an empty one.
func variableNamed(name string) Variable {
	for _, v := range Variables() {
		if v.Name == name {
			return v
		}
	}
	return Variable{}
}

// bind returns the expression of a metric.
func (b *binder) bind(name string) *expression {
	prefix, bare := splitMetric(name)
	if name == count {
		return &expression{op: opNamed, args: []*expression{{op: opCount}}, name: name}
	}
	if prefix == rankOf {
		return &expression{op: opNamed, args: []*expression{operate(opRank, b.bind(bare))}, name: name}
	}
	of := &binder{set: b.set, rule: b.rule}
	switch prefix {
	case "":
	case "previous.":
		of.previous = true
	case "campaign.":
		of.of = ofCampaign
	case "account.":
		of.of = ofAccount
	default: // over("last 14 days").
		of.window, _ = parseWindow(strings.Split(prefix, `"`)[1]) // it has been checked
	}
	x := variableNamed(bare).make(of)
	if x.op == opColumn {
		x.name = name
		return x
	}
	return &expression{op: opNamed, args: []*expression{x}, name: name}
}

// The beginning of a rank, such as rank(ctr), and the number of a campaign's creatives.
const (
	rankOf = "rank("
	count  = "count()"
)

// splitMetric returns the prefix of a metric, such as previous., rank( or over("last 14
// days")., and its name without it.
func splitMetric(name string) (prefix, bare string) {
	if metric, isRank := strings.CutPrefix(name, rankOf); isRank {
		return rankOf, strings.TrimSuffix(metric, ")")
	}
	at := strings.LastIndexByte(name, '.') + 1
	return name[:at], name[at:]
}

// slotOf returns the slot of a window at a level, which it adds if it does not
// exist, and adds the fields to those that the slot reads.
func (s *Set) slotOf(l Level, w Window, previous bool, fields ...Field) int {
	slots := &s.slots[levelOf(l)]
	at := slices.IndexFunc(*slots, func(known slot) bool { return known.window == w && known.previous == previous })
	if at < 0 {
		at = len(*slots)
		*slots = append(*slots, slot{window: w, previous: previous})
	}
	for _, f := range fields {
		(*slots)[at].reads[f] = true
	}
	return at
}

// metricNames returns the names of all metrics, of the rule's window, of the one before
// it, of the campaign and of the account.
func metricNames() []string {
	var list []string
	for _, prefix := range []string{"", "previous.", "campaign.", "account."} {
		for _, v := range Variables() {
			if prefix != "account." || v.Name != MediaMargin.String() { // margins do not add up
				list = append(list, prefix+v.Name)
			}
		}
	}
	return list
}
