package choose

import "math"

// atLeast returns the probability that at least k of n independent values have a property that
// each has with probability p: the upper tail of the binomial distribution (NIST/SEMATECH,
// e-Handbook of Statistical Methods, 1.3.6.6.18). Each term of the sum is the one before it, times
// the ratio of neighbouring terms; the first is computed by logarithms of factorials.
func atLeast(k, n int, p float64) float64 {
	switch {
	case k <= 0:
		return 1
	case k > n:
		return 0
	case float64(k) <= float64(n)*p:
		return 1 // not less than a half, about
	}
	term := math.Exp(logFactorial(n) - logFactorial(k) - logFactorial(n-k) + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
	sum := term
	for i := k; i < n && term > sum*1e-17; i++ {
		term *= float64(n-i) / float64(i+1) * p / (1 - p)
		sum += term
	}
	return min(sum, 1)
}

// logFactorial returns the natural logarithm of n!.
func logFactorial(n int) float64 {
	log, _ := math.Lgamma(float64(n) + 1)
	return log
}

// tooRare is the probability below which chance explains nothing: 1e-9, divided by the number of
// questions that are asked about a column.
const tooRare = 1e-9 / 12
