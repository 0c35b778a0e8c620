package expression

import (
	"iter"
	"math"
	"slices"

	"usher/internal/rules/figures"
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
	// Covers reports whether the rule may have creatives of a campaign in scope.
	Covers func(campaign string) bool
}

// Evaluation evaluates the conditions of a rule, block by block.
type Evaluation struct {
	Reader
	data      *Data
	windows   []figures.Sums
	low, high int // the places of the current block
	month     float64
	registers [][]float64

	several   bool           // the campaigns in the rule's scope have several currencies
	campaigns []figures.Sums // the windows of campaigns
	campaign  []int32        // by creative: its campaign; nil: no condition reads it
	totals    map[total]float64
	hidden    []bool // the places of the block whose window before is UNKNOWN; nil: none
}

// Evaluate returns the evaluation of a rule's conditions, before its first block.
func (d *Data) Evaluate(r Reader) *Evaluation {
	f := d.figures
	e := &Evaluation{
		Reader: r, data: d, windows: f.Windows(r.File, r.Level), month: f.MonthHours(r.File),
		campaigns: f.Windows(r.File, figures.CampaignLevel), totals: map[total]float64{},
	}
	if r.Level == figures.CreativeLevel && e.readsCampaigns() {
		e.campaign = d.campaignPlaces()
	}
	e.several = f.HasSeveralCurrencies() && e.scopeHasSeveral()
	return e
}

// Blocks yields all places block by block: from low up to high.
func (e *Evaluation) Blocks() iter.Seq2[int, int] {
	return func(yield func(low, high int) bool) {
		n := e.data.figures.Len(e.Level)
		for low := 0; low < n; low = e.high {
			e.block(low, min(low+blockSize, n))
			if !yield(e.low, e.high) {
				return
			}
		}
	}
}

// block makes the places from low up to high the current ones. The window before the
// rule's is UNKNOWN for those of which it has too few days or too little data.
func (e *Evaluation) block(low, high int) {
	e.low, e.high, e.hidden = low, high, nil
	if e.Before < 0 {
		return
	}
	w := &e.windows[e.Before]
	required := w.Required(e.MinDays)
	e.hidden = make([]bool, high-low)
	for i := range e.hidden {
		e.hidden[i] = w.Days(low+i) < required || !w.Reaches(low+i, e.MinData)
	}
}

// Value returns the value of an expression that reads no column.
func Value(x *Expression) float64 {
	e := Evaluation{high: 1, data: &Data{}}
	return e.run(x, 0)[0]
}

// Run returns the values of an expression over the block. The caller must not write to
// them, and they are valid until the next Run.
func (e *Evaluation) Run(x *Expression) []float64 { return e.run(x, 0) }

func (e *Evaluation) register(n int) []float64 {
	for len(e.registers) <= n {
		e.registers = append(e.registers, make([]float64, max(e.high-e.low, 1)))
	}
	return e.registers[n][:e.high-e.low]
}

// run evaluates x over the block, which must not be larger than the first one. The
// result may be a column. n is the first free register.
func (e *Evaluation) run(x *Expression, n int) []float64 {
	out := e.register(n)
	switch x.Op {
	case Number, Truth:
		return fill(out, x.Number)
	case HoursAhead:
		return fill(out, e.Ahead)
	case MonthHours:
		return fill(out, e.month)
	case Column:
		return e.column(x, out)
	case Metric:
		return e.run(x.Args[0], n)
	case Rank, Count:
		return e.ranked(x, out)
	case Negate, Not:
		unary(x.Op, out, e.run(x.Args[0], n))
	case Choose:
		choose(out, e.run(x.Args[0], n), e.run(x.Args[1], n+1), e.run(x.Args[2], n+2))
	case And, Or:
		a, b := e.run(x.Args[0], n), e.run(x.Args[1], n+1)
		logic(x.Op, out, a, b)
	case Add, Subtract, Multiply, Divide:
		a, b := e.factor(x, 0, n), e.factor(x, 1, n+1)
		arithmetic(x.Op, out, a, b)
	case UpperBound, LowerBound:
		wilson(x.Op, out, e.run(x.Args[0], n), e.run(x.Args[1], n+1))
	default:
		a, b := e.run(x.Args[0], n), e.run(x.Args[1], n+1)
		compare(x.Op, out, a, b)
		e.requireCurrencies(x, out)
	}
	return out
}

// column returns a column for the block.
func (e *Evaluation) column(x *Expression, out []float64) []float64 {
	if x.Source.Whose != Own || x.Source.Other {
		return e.relative(x, out)
	}
	column := e.windows[x.Source.Place].Column(x.Source.Field)[e.low:e.high]
	if e.hidden != nil && x.Source.Place == e.Before {
		return hide(out, column, e.hidden)
	}
	return column
}

// factor evaluates an argument of an arithmetic operation. A budget of 0 is UNKNOWN in
// a product or a quotient.
func (e *Evaluation) factor(x *Expression, arg, n int) []float64 {
	values := e.run(x.Args[arg], n)
	if !x.isZeroUnknown(arg) {
		return values
	}
	out := e.register(n)
	for i, v := range values {
		if v == 0 {
			v = math.NaN()
		}
		out[i] = v
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
}

// relative returns a column of campaigns, of the account, or of another window, for the
// block. It is UNKNOWN where the window has too few days.
func (e *Evaluation) relative(x *Expression, out []float64) []float64 {
	switch x.Source.Whose {
	case OfAccount:
		return fill(out, e.total(total{x.Source.Place, x.Source.Field}))
	case OfCampaign:
		e.complete(&e.campaigns[x.Source.Place], x.Source.Field, e.campaign[e.low:e.high], out)
	default:
		e.complete(&e.windows[x.Source.Place], x.Source.Field, nil, out)
	}
	return out
}

// complete sets the values of a field for the block, at places or, if these are nil, at the
// block's own. It is UNKNOWN where the window has too few days, or the place is -1.
func (e *Evaluation) complete(w *figures.Sums, f figures.Field, places []int32, out []float64) {
	column, required := w.Column(f), w.Required(e.MinDays)
	for i := range out {
		at := e.low + i
		if places != nil {
			at = int(places[i])
		}
		if at < 0 || w.Days(at) < required {
			out[i] = math.NaN()
			continue
		}
		out[i] = column[at]
	}
}

// total returns a column of the account. It is UNKNOWN if only an event's numbers are
// known.
func (e *Evaluation) total(column total) float64 {
	if !e.data.figures.IsReported() {
		return math.NaN()
	}
	sum, known := e.totals[column]
	if !known {
		sum = e.campaigns[column.place].Total(column.field, e.MinDays)
		e.totals[column] = sum
	}
	return sum
}
