package expression

import (
	"iter"
	"math"
	"slices"

	"usher/internal/rules/calendar"
	"usher/internal/rules/figures"
	"usher/internal/rules/targets"
)

// blockSize is the number of places that are evaluated at once: few enough that the
// results of an operator stay in the processor's cache.
const blockSize = 1024

// Reader says how the conditions of a rule read figures.
type Reader struct {
	File       int // among the files of the figures
	Level      figures.Level
	Conditions []*Expression
	Window     int // the place of the rule's window
	Before     int // that of the window before it; -1: no condition reads it
	MinDays    int
	MinData    []figures.Minimum
	Ahead      float64 // see HoursAhead
	// Oldest is the first day whose rows are not too old.
	Oldest calendar.Day
	// Covers reports whether the rule may have creatives of a campaign in scope.
	Covers func(campaign string) bool
	// Rule names the rule whose campaigns are ranked, and InScope reports whether a campaign is one
	// of them, and of those that are summed with level account. Creatives are ranked within their
	// campaign, whatever the rule is.
	Rule    string
	InScope func(campaign string) bool
	// Targets are the targets of campaigns; nil: no condition reads one.
	Targets *targets.Table
}

// Evaluation evaluates the conditions of a rule, block by block.
type Evaluation struct {
	Reader
	data      *Data
	windows   []figures.Sums
	low, high int // the places of the current block
	month     float64
	registers []values

	several   bool           // the campaigns in the rule's scope have several currencies
	campaigns []figures.Sums // the windows of campaigns
	campaign  []int32        // by creative: its campaign; nil: no condition reads it
	recent    *figures.Sums  // the days in which a campaign must have a row to lack one; nil: no condition reads the account
	totals    map[total]Range
	scope     figures.Scope // of level account; nil: none of its columns was read
	hidden    []bool        // the places of the block whose window before is UNKNOWN; nil: none
	old       []bool        // the places of the block whose rows are too old; nil: none

	hasEmpty bool // a window has no day
	firstDay FirstDay
}

// values are the values of an expression by place, as bounds. NaN is UNKNOWN. A truth is 0 or
// 1 and has no range.
type values struct {
	low, high []float64 // high is nil if it is low
}

// upper returns the upper bounds.
func (v values) upper() []float64 {
	if v.high == nil {
		return v.low
	}
	return v.high
}

// Evaluate returns the evaluation of a rule's conditions, before its first block.
func (d *Data) Evaluate(r Reader) *Evaluation {
	f := d.figures
	e := &Evaluation{
		Reader: r, data: d, windows: f.Windows(r.File, r.Level), month: f.MonthHours(r.File),
		campaigns: f.Windows(r.File, figures.CampaignLevel), totals: map[total]Range{},
	}
	if r.Level == figures.CreativeLevel && e.readsCampaigns() {
		e.campaign = d.campaignPlaces()
	}
	for i := range e.campaigns {
		if w := &e.campaigns[i]; w.Window.IsRecent() && !w.Previous {
			e.recent = w
		}
	}
	e.several = f.HasSeveralCurrencies() && e.scopeHasSeveral()
	e.hasEmpty = hasEmptyWindow(e.windows) || hasEmptyWindow(e.campaigns)
	return e
}

// Blocks yields all places block by block: from low up to high.
func (e *Evaluation) Blocks() iter.Seq2[int, int] {
	return func(yield func(low, high int) bool) {
		n := e.data.figures.Len(e.Level)
		if e.Level == figures.AccountLevel {
			n = 1
		}
		for low := 0; low < n; low = e.high {
			e.block(low, min(low+blockSize, n))
			if !yield(e.low, e.high) {
				return
			}
		}
	}
}

// block makes the places from low up to high the current ones. The window before the
// rule's is UNKNOWN for those of which it has too little data.
func (e *Evaluation) block(low, high int) {
	e.low, e.high, e.hidden, e.old = low, high, nil, nil
	if e.Level == figures.AccountLevel {
		return
	}
	if e.Oldest > 0 {
		e.old = make([]bool, high-low)
		for i := range e.old {
			e.old[i] = e.windows[e.Window].Newest(low+i) < e.Oldest
		}
	}
	if e.Before < 0 {
		return
	}
	w := &e.windows[e.Before]
	e.hidden = make([]bool, high-low)
	for i := range e.hidden {
		e.hidden[i] = !w.Reaches(low+i, e.MinData)
	}
}

// Value returns the value of an expression that reads no column.
func Value(x *Expression) float64 {
	e := Evaluation{high: 1, data: &Data{}}
	return e.run(x, 0).low[0]
}

// Run returns the values of a condition over the block. The caller must not write to
// them, and they are valid until the next Run.
func (e *Evaluation) Run(x *Expression, first FirstDay) []float64 {
	e.firstDay = first
	return e.run(x, 0).low
}

// register returns room for values. The upper bounds are written only by what has a range.
func (e *Evaluation) register(n int) values {
	for len(e.registers) <= n {
		e.registers = append(e.registers, values{low: make([]float64, max(e.high-e.low, 1))})
	}
	return values{low: e.registers[n].low[:e.high-e.low]}
}

// ranges returns room for values with a range.
func (e *Evaluation) ranges(n int) values {
	v := e.register(n)
	if e.registers[n].high == nil {
		e.registers[n].high = make([]float64, len(e.registers[n].low))
	}
	v.high = e.registers[n].high[:len(v.low)]
	return v
}

// run evaluates x over the block, which must not be larger than the first one. The
// result may be a column. n is the first free register.
func (e *Evaluation) run(x *Expression, n int) values {
	switch x.Op {
	case Number, Truth:
		return e.fill(n, x.Number)
	case HoursAhead:
		return e.fill(n, e.Ahead)
	case MonthHours:
		return e.fill(n, e.month)
	case Column:
		return e.column(x, n)
	case Target:
		return e.target(x, n)
	case Metric:
		return e.run(x.Args[0], n)
	case Rank, Count:
		return values{low: e.ranked(x, e.register(n).low)}
	case Negate:
		return e.unary(x.Op, e.run(x.Args[0], n), n)
	case Not:
		return e.unary(x.Op, e.argument(x, 0, n), n)
	case Choose:
		return e.choose(e.argument(x, 0, n), e.run(x.Args[1], n+1), e.run(x.Args[2], n+2), n)
	case Add, Subtract, Multiply, Divide:
		return e.arithmetic(x.Op, e.factor(x, 0, n), e.factor(x, 1, n+1), n)
	case UpperBound, LowerBound:
		return e.wilson(x.Op, e.run(x.Args[0], n), e.run(x.Args[1], n+1), n)
	}
	a, b := e.run(x.Args[0], n), e.run(x.Args[1], n+1)
	out := e.register(n)
	if x.Op == And || x.Op == Or {
		logic(x.Op, out.low, a.low, b.low)
		return out
	}
	compare(x.Op, out.low, a, b)
	e.requireCurrencies(x, out.low)
	e.requireDay(x, out.low)
	return out
}

func (e *Evaluation) fill(n int, number float64) values {
	out := e.register(n)
	for i := range out.low {
		out.low[i] = number
	}
	return out
}

// column returns a column for the block.
func (e *Evaluation) column(x *Expression, n int) values {
	switch source := x.Source; source.Whose {
	case OfAccount, OfScope:
		return e.account(source, n)
	case OfCampaign:
		return e.ofCampaign(source, n)
	}
	w, f, isHidden := &e.windows[x.Source.Place], x.Source.Field, e.hidden != nil && x.Source.Place == e.Before
	if e.old == nil && !isHidden && w.IsExact(f, e.low, e.high, e.MinDays) {
		return values{low: w.Known(f)[e.low:e.high]}
	}
	out := e.ranges(n)
	for i := range out.low {
		if isHidden && e.hidden[i] {
			out.low[i], out.high[i] = math.NaN(), math.NaN()
			continue
		}
		out.low[i], out.high[i] = w.Range(f, e.low+i, e.MinDays, e.old != nil && e.old[i])
	}
	return e.onFirstDay(x.Source, out).collapsed()
}

// collapsed returns the values without their upper bounds if none of them is a range.
func (v values) collapsed() values {
	for i, low := range v.low {
		if low < v.high[i] {
			return v
		}
	}
	return values{low: v.low}
}

// ofCampaign returns a column of the creatives' campaigns for the block. It is UNKNOWN for a
// campaign that has no figures.
func (e *Evaluation) ofCampaign(source Source, n int) values {
	w, f, out := &e.campaigns[source.Place], source.Field, e.ranges(n)
	for i := range out.low {
		at := int(e.campaign[e.low+i])
		if at < 0 {
			out.low[i], out.high[i] = math.NaN(), math.NaN()
			continue
		}
		out.low[i], out.high[i] = w.Range(f, at, e.MinDays, w.Newest(at) < e.Oldest)
	}
	return e.onFirstDay(source, out).collapsed()
}

// account returns a column of the account, or of the campaigns in scope together, for the block. It
// is UNKNOWN if only an event's numbers are known.
func (e *Evaluation) account(source Source, n int) values {
	sum := e.total(source)
	switch {
	case sum.IsExact():
		return e.fill(n, sum.Low)
	case sum.IsUnknown() && e.data.figures.IsReported():
		return e.onFirstDay(source, e.fill(n, sum.Low))
	}
	out := e.ranges(n)
	for i := range out.low {
		out.low[i], out.high[i] = sum.Low, sum.High
	}
	return out
}

// total returns the sum of a column over all campaigns, or those in scope. That of the window before
// is UNKNOWN if it has too little data.
func (e *Evaluation) total(source Source) Range {
	column := total{source.Place, source.Field, source.Whose}
	sum, known := e.totals[column]
	if known {
		return sum
	}
	sum = Range{math.NaN(), math.NaN()}
	isHidden := source.Whose == OfScope && source.Place == e.Before && !e.reaches(e.Before)
	if e.data.figures.IsReported() && !isHidden {
		sum.Low, sum.High = e.campaigns[source.Place].Total(source.Field, e.MinDays, e.recent, e.oldestOf(source.Whose), e.scopeOf(source.Whose))
	}
	e.totals[column] = sum
	return sum
}

// oldestOf returns the first day whose rows are not too old for a sum. With level account, the newest
// row of the rule's window decides whether all windows are too old, as it does on other levels.
func (e *Evaluation) oldestOf(whose Whose) calendar.Day {
	switch {
	case whose == OfAccount || e.Oldest == 0:
		return e.Oldest
	case e.campaigns[e.Window].NewestOf(e.scopeOf(OfScope)) < e.Oldest:
		return math.MaxInt
	}
	return 0
}

// reaches reports whether the campaigns in scope together have the data that the rule requires in a
// window.
func (e *Evaluation) reaches(window int) bool {
	return !slices.ContainsFunc(e.MinData, func(least figures.Minimum) bool {
		return !(e.totalIn(window, least.Field).Low >= least.Least) // true for NaN
	})
}

// totalIn returns what is known of the sum of a field over the campaigns in scope in a window, whatever
// min_data says.
func (e *Evaluation) totalIn(window int, f figures.Field) (sum Range) {
	sum.Low, sum.High = e.campaigns[window].Total(f, e.MinDays, e.recent, e.oldestOf(OfScope), e.scopeOf(OfScope))
	return sum
}

// scopeOf returns which campaigns are summed for an owner of figures.
func (e *Evaluation) scopeOf(whose Whose) figures.Scope {
	if whose != OfScope {
		return nil
	}
	if e.scope == nil {
		e.scope = make(figures.Scope, e.data.figures.Len(figures.CampaignLevel))
		for at, campaign := range e.data.figures.Campaigns() {
			e.scope[at] = e.InScope(campaign)
		}
	}
	return e.scope
}

// Together says what is known of the rule's window for the campaigns in scope together: the newest day
// with a row, and whether min_data is met.
func (e *Evaluation) Together() (newest calendar.Day, hasData bool) {
	return e.campaigns[e.Window].NewestOf(e.scopeOf(OfScope)), e.reaches(e.Window)
}

// factor evaluates an argument of an arithmetic operation. A budget of 0, or one that may be
// 0, is UNKNOWN in a product or a quotient.
func (e *Evaluation) factor(x *Expression, arg, n int) values {
	factors := e.run(x.Args[arg], n)
	if !x.isZeroUnknown(arg) {
		return factors
	}
	out, upper := e.ranges(n), factors.upper()
	for i, v := range factors.low {
		out.low[i], out.high[i] = v, upper[i]
		if v == 0 || v < 0 && upper[i] > 0 {
			out.low[i], out.high[i] = math.NaN(), math.NaN()
		}
	}
	if factors.high == nil {
		out.high = nil
	}
	return out
}

// isZeroUnknown reports whether an argument of the expression is a budget in a product
// or a quotient.
func (x *Expression) isZeroUnknown(arg int) bool {
	return (x.Op == Multiply || x.Op == Divide) && x.Args[arg].Op == Column && x.Args[arg].Source.Field.IsBudget()
}

// readsCampaigns reports whether a condition reads figures of the creative's campaign.
func (e *Evaluation) readsCampaigns() bool {
	return slices.ContainsFunc(e.Conditions, func(x *Expression) bool {
		return slices.ContainsFunc(x.Columns(), func(column *Expression) bool { return column.Source.Whose == OfCampaign })
	})
}

// total is a column of the account.
type total struct {
	place int
	field figures.Field
	whose Whose
}
