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
		w := &e.campaigns[x.Source.Place]
		for i := range out {
			out[i] = w.Value(x.Source.Field, int(e.campaign[e.low+i]), e.MinDays)
		}
	default:
		w := &e.windows[x.Source.Place]
		for i := range out {
			out[i] = w.Value(x.Source.Field, e.low+i, e.MinDays)
		}
	}
	return out
}

// total returns a column of the account. It is UNKNOWN if only an event's numbers are
// known.
func (e *Evaluation) total(of total) float64 {
	if !e.data.figures.IsReported() {
		return math.NaN()
	}
	sum, known := e.totals[of]
	if !known {
		sum = e.campaigns[of.place].Total(of.field, e.MinDays)
		e.totals[of] = sum
	}
	return sum
}
