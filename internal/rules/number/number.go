// Package number writes numbers as rule files and reasons have them, and reads those that
// people write in other ways.
package number

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Text returns a number without needless digits.
func Text(n float64) string {
	if magnitude := math.Abs(n); magnitude >= 1e15 || magnitude < 1e-6 && n != 0 {
		return strconv.FormatFloat(n, 'g', 6, 64)
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

// Short returns a number with six significant digits, without exponent. NaN is unknown.
func Short(v float64) string {
	if math.IsNaN(v) {
		return "unknown"
	}
	decimals := 6
	if v != 0 {
		decimals = min(max(5-int(math.Floor(math.Log10(math.Abs(v)))), 0), 12)
	}
	if math.Abs(v) >= 100 {
		decimals = min(decimals, 2)
	}
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// Round rounds v to 12 digits, which removes the errors of summing decimal fractions.
func Round(v float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 12, 64), 64)
	if err != nil {
		return v
	}
	return r
}

// Of returns a number with the form of a word for one or for several: Of(1, "day", "days").
func Of(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, several)
}

// Days returns a number of days: 1 day, 2 days.
func Days(n int) string { return Of(n, "day", "days") }

// Plain returns the digits of a number without separators of thousands and units, and with
// a decimal point: 1500 for 1,500 and for 1.5k.
func Plain(text string) string {
	digits := strings.TrimRight(text, "kKMmiotlhusand ")
	factor := 1.0
	switch unit := strings.TrimSpace(strings.ToLower(text[len(digits):])); {
	case strings.HasPrefix(unit, "k"), unit == "thousand":
		factor = 1e3
	case unit != "":
		factor = 1e6
	}
	decimals := ""
	if at := strings.LastIndexAny(digits, ".,"); at >= 0 && isDecimal(digits, at) {
		digits, decimals = digits[:at], "."+digits[at+1:]
	}
	digits = strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, digits)
	if factor == 1 {
		return digits + decimals
	}
	v, _ := strconv.ParseFloat(digits+decimals, 64) // digits alone
	return Text(v * factor)
}

// isDecimal reports whether the last point or comma of a number separates decimals, not
// thousands.
func isDecimal(digits string, at int) bool {
	if strings.Count(digits, digits[at:at+1]) > 1 {
		return false // it separates more than two groups
	}
	return digits[at] == '.' || len(digits)-at != 4 || strings.HasPrefix(digits, "0") || strings.ContainsAny(digits[:at], ".,_' ’")
}

// IsGrouped reports whether a number has three decimals and may be meant as thousands:
// 1.000, but not 0.950.
func IsGrouped(text string) bool {
	whole, decimals, _ := strings.Cut(text, ".")
	return len(decimals) == 3 && len(whole) <= 3 && whole != "" && whole[0] != '0' && strings.Trim(text, "0123456789.") == ""
}
