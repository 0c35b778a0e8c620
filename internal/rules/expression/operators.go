package expression

import "math"

// hide returns a column with UNKNOWN where hidden is set.
func hide(out, column []float64, hidden []bool) []float64 {
	for i, v := range column {
		if hidden[i] {
			v = math.NaN()
		}
		out[i] = v
	}
	return out
}

func fill(out []float64, number float64) []float64 {
	for i := range out {
		out[i] = number
	}
	return out
}

func unary(op Op, out, a []float64) {
	for i, v := range a {
		if op == Not {
			out[i] = 1 - v // NaN stays NaN
		} else {
			out[i] = -v
		}
	}
}

func choose(out, condition, yes, no []float64) {
	for i, holds := range condition {
		switch holds {
		case 1:
			out[i] = yes[i]
		case 0:
			out[i] = no[i]
		default:
			out[i] = math.NaN()
		}
	}
}

// arithmetic returns UNKNOWN for a result that is not finite: x/0, 0/0, and an
// overflow.
func arithmetic(op Op, out, a, b []float64) {
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

// compare returns UNKNOWN if either side is UNKNOWN.
func compare(op Op, out, a, b []float64) {
	b = b[:len(a)]
	for i, v := range a {
		w := b[i]
		var yes bool
		switch op {
		case Less:
			yes = v < w
		case LessOrEqual:
			yes = v <= w
		case Greater:
			yes = v > w
		case GreaterOrEqual:
			yes = v >= w
		case Equal:
			yes = v == w
		default:
			yes = v != w
		}
		switch {
		case math.IsNaN(v) || math.IsNaN(w):
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
