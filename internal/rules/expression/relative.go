package expression

import (
	"math"

	"usher/internal/rules/figures"
)

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
