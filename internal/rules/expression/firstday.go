package expression

import (
	"math"

	"usher/internal/rules/figures"
)

// FirstDay says what sums over a window without a complete day are: this month on its first, this
// week on a Monday.
type FirstDay int

// On a first day, nothing has been spent. That lets a rule resume, and it does not exceed a cap;
// but nothing may be paused or increased because of it.
const (
	FirstDayUnknown FirstDay = iota // sums are UNKNOWN: of increase_when
	FirstDayPauses                  // sums are 0 where they make no condition hold: of pause_when and decrease_when
	FirstDayResumes                 // sums are 0: of resume_when
)

// isEmpty reports whether a column has no row because its window has no day.
func (e *Evaluation) isEmpty(source Source, i int) bool {
	switch source.Whose {
	case OfAccount, OfScope:
		w := &e.campaigns[source.Place]
		return w.IsEmpty() && w.NewestOf(e.scopeOf(source.Whose)) == 0
	case OfCampaign:
		w, at := &e.campaigns[source.Place], int(e.campaign[e.low+i])
		return w.IsEmpty() && (at < 0 || w.Days(at) == 0)
	}
	w := &e.windows[source.Place]
	return w.IsEmpty() && w.Days(e.low+i) == 0
}

// onFirstDay sets the sums of a column to 0 where its window has no day and the condition takes
// that as nothing.
func (e *Evaluation) onFirstDay(source Source, v values) values {
	if !e.hasEmpty || e.firstDay == FirstDayUnknown || !source.Field.AddsUp() {
		return v
	}
	for i := range v.low {
		if !e.isEmpty(source, i) {
			continue
		}
		v.low[i] = 0
		if v.high != nil {
			v.high[i] = 0
		}
	}
	return v
}

// tests reports whether the expression may hold because an argument does not: what ! negates, and the
// condition of ?:.
func (x *Expression) tests(arg int) bool { return x.Op == Not || x.Op == Choose && arg == 0 }

// within returns how an argument of an expression takes first days. That sums on them exceed nothing must not
// pause, so what may hold because of it has them as UNKNOWN.
func (f FirstDay) within(x *Expression, arg int) FirstDay {
	if f == FirstDayPauses && x.tests(arg) {
		return FirstDayUnknown
	}
	return f
}

// argument evaluates an argument of an expression.
func (e *Evaluation) argument(x *Expression, arg, n int) values {
	first := e.firstDay
	defer func() { e.firstDay = first }()
	e.firstDay = first.within(x, arg)
	return e.run(x.Args[arg], n)
}

// requireDay makes a comparison of pause_when UNKNOWN at the places of the block where it would
// hold, or be less, because a window has no day.
func (e *Evaluation) requireDay(x *Expression, out []float64) {
	if !e.hasEmpty || e.firstDay != FirstDayPauses {
		return
	}
	left, right := x.Args[0].Columns(), x.Args[1].Columns()
	for i := range out {
		op := x.Op
		switch isLeft, isRight := e.isAnyEmpty(left, i), e.isAnyEmpty(right, i); {
		case !isLeft && !isRight:
			continue
		case !isLeft && (op == Less || op == LessOrEqual): // the empty one is greater
			op = Greater
		case !isLeft:
			op = Less
		}
		if out[i] == 1 || op != Greater && op != GreaterOrEqual {
			out[i] = math.NaN()
		}
	}
}

func (e *Evaluation) isAnyEmpty(columns []*Expression, i int) bool {
	for _, x := range columns {
		if e.isEmpty(x.Source, i) {
			return true
		}
	}
	return false
}

// hasEmptyWindow reports whether one of some windows has no day.
func hasEmptyWindow(windows []figures.Sums) bool {
	for i := range windows {
		if windows[i].IsEmpty() {
			return true
		}
	}
	return false
}
