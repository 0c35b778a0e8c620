package expression

import "math"

func (e *Evaluation) unary(op Op, a values, n int) values {
	if a.high != nil {
		out := e.ranges(n)
		for i, low := range a.low {
			out.low[i], out.high[i] = -a.high[i], -low
		}
		return out
	}
	out := e.register(n)
	for i, v := range a.low {
		if op == Not {
			out.low[i] = 1 - v // NaN stays NaN
		} else {
			out.low[i] = -v
		}
	}
	return out
}

func (e *Evaluation) choose(condition, yes, no values, n int) values {
	out := e.ranges(n)
	if yes.high == nil && no.high == nil {
		out.high = nil
	}
	for i, holds := range condition.low {
		low, high := math.NaN(), math.NaN()
		switch holds {
		case 1:
			low, high = yes.low[i], yes.upper()[i]
		case 0:
			low, high = no.low[i], no.upper()[i]
		}
		out.low[i] = low
		if out.high != nil {
			out.high[i] = high
		}
	}
	return out
}

// arithmetic returns UNKNOWN for a result that is not finite: x/0, 0/0, and an
// overflow.
func (e *Evaluation) arithmetic(op Op, a, b values, n int) values {
	if a.high != nil || b.high != nil {
		out := e.ranges(n)
		aHigh, bHigh := a.upper(), b.upper()
		for i := range out.low {
			r := combine(op, Range{a.low[i], aHigh[i]}, Range{b.low[i], bHigh[i]})
			out.low[i], out.high[i] = r.Low, r.High
		}
		return out
	}
	out := e.register(n)
	calculate(op, out.low, a.low, b.low)
	return out
}

// calculate is arithmetic for numbers without a range.
func calculate(op Op, out, a, b []float64) {
	b = b[:len(a)]
	switch op {
	case Add:
		for i, v := range a {
			out[i] = v + b[i]
		}
	case Subtract:
		for i, v := range a {
			out[i] = v - b[i]
		}
	case Multiply:
		for i, v := range a {
			out[i] = v * b[i]
		}
	default:
		for i, v := range a {
			out[i] = v / b[i]
		}
	}
	for i, v := range out {
		if v-v != 0 { // infinite or NaN
			out[i] = math.NaN()
		}
	}
}

// wilson returns a bound of ctr for the block. It is UNKNOWN if the clicks or the impressions
// have a range.
func (e *Evaluation) wilson(op Op, events, trials values, n int) values {
	var isRange []bool
	for _, v := range []values{events, trials} {
		for i, high := range v.high {
			if isRange == nil {
				isRange = make([]bool, len(v.high))
			}
			isRange[i] = isRange[i] || v.low[i] < high
		}
	}
	out := e.register(n)
	wilson(op, out.low, events.low, trials.low)
	for i, is := range isRange {
		if is {
			out.low[i] = math.NaN()
		}
	}
	return out
}

// wilson returns a bound of the two-sided 95 % confidence interval of a share, by events
// in trials: E. B. Wilson, Probable Inference, the Law of Succession, and Statistical
// Inference, Journal of the American Statistical Association 22 (1927), 209-212. It is
// UNKNOWN without trials, and if there are more events than trials.
func wilson(op Op, out, events, trials []float64) {
	const z = 1.959963984540054 // of 97.5 % of the normal distribution
	trials = trials[:len(events)]
	for i, k := range events {
		n := trials[i]
		if !(n > 0 && k >= 0 && k <= n) {
			out[i] = math.NaN()
			continue
		}
		margin := z * math.Sqrt(k*(1-k/n)+z*z/4)
		if op == LowerBound {
			margin = -margin
		}
		out[i] = min(max((k+z*z/2+margin)/(n+z*z), 0), 1)
	}
}

// compare returns UNKNOWN if either side is UNKNOWN, or if the ranges do not decide.
func compare(op Op, out []float64, a, b values) {
	if a.high != nil || b.high != nil {
		aHigh, bHigh := a.upper(), b.upper()
		for i := range out {
			out[i] = (Range{a.low[i], aHigh[i]}).compare(op, Range{b.low[i], bHigh[i]})
		}
		return
	}
	w := b.low[:len(a.low)]
	for i, v := range a.low {
		var yes bool
		switch op {
		case Less:
			yes = v < w[i]
		case LessOrEqual:
			yes = v <= w[i]
		case Greater:
			yes = v > w[i]
		case GreaterOrEqual:
			yes = v >= w[i]
		case Equal:
			yes = v == w[i]
		default:
			yes = v != w[i]
		}
		switch {
		case math.IsNaN(v) || math.IsNaN(w[i]):
			out[i] = math.NaN()
		case yes:
			out[i] = 1
		default:
			out[i] = 0
		}
	}
}

// logic is three-valued: one side decides alone if it can.
func logic(op Op, out, a, b []float64) {
	b = b[:len(a)]
	decides := 0.0
	if op == Or {
		decides = 1
	}
	for i, v := range a {
		switch w := b[i]; {
		case v == decides || w == decides:
			out[i] = decides
		case math.IsNaN(v) || math.IsNaN(w):
			out[i] = math.NaN()
		default:
			out[i] = 1 - decides
		}
	}
}
