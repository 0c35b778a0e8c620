package number

import (
	"math/big"
	"slices"
	"strconv"
)

// Scale returns an amount that is larger by a part of it, or smaller if part is below 0,
// rounded to a number of decimal digits, halves away from zero. It computes with decimal
// fractions, so that 20 % of 99.95 is what it is on paper.
func Scale(amount, part float64, digits int) float64 {
	factor := new(big.Rat).Add(big.NewRat(1, 1), decimal(part))
	scaled, err := strconv.ParseFloat(factor.Mul(factor, decimal(amount)).FloatString(digits), 64)
	if err != nil {
		return amount
	}
	return scaled
}

// decimal returns the decimal fraction that is meant by v.
func decimal(v float64) *big.Rat {
	r, _ := new(big.Rat).SetString(strconv.FormatFloat(Round(v), 'f', -1, 64))
	if r == nil { // not finite
		return new(big.Rat)
	}
	return r
}

// MinorDigits returns the number of decimal digits of amounts in a currency, by ISO 4217.
func MinorDigits(currency string) int {
	switch {
	case slices.Contains([]string{"BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF"}, currency):
		return 0
	case slices.Contains([]string{"BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"}, currency):
		return 3
	}
	return 2
}
