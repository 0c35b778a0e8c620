package hashing

import (
	"bytes"
	"slices"
)

// isSpreadsheet reports whether a value is what a spreadsheet, or a program that takes ids for
// numbers, makes of an id: 1.2E+15, 1234567890123450.0, 1.234.567.890.123.450, #NAME?, ####, inf.
// No such value is an id, and the id that it was cannot be restored. The value has none of the
// usual shapes.
func isSpreadsheet(v []byte) bool {
	switch {
	case v[0] == '#':
		return isCellError(v)
	case bytes.HasPrefix(v, []byte("Err:")): // LibreOffice
		return len(v) > 4 && isDigits(v[4:])
	}
	number := bytes.TrimLeft(v, "+-")
	switch {
	case len(number) == 0 || len(v)-len(number) > 1:
		return false
	case '0' <= number[0] && number[0] <= '9':
		return isScientific(number) || isWhole(number) || isGrouped(number)
	}
	return bytes.EqualFold(number, []byte("inf")) || bytes.EqualFold(number, []byte("infinity")) // of 1e999
}

// isCellError reports whether a value that begins with # is an error of a cell, in any language,
// or a number that its column was too narrow for.
func isCellError(v []byte) bool {
	if string(v) == "#NV" { // the #N/A of a German Excel
		return true
	}
	if len(bytes.TrimLeft(v, "#")) == 0 {
		return len(v) > 1
	}
	last := v[len(v)-1]
	return len(v) > 2 && (last == '!' || last == '?') && bytes.IndexByte(v, ' ') < 0
}

// isScientific reports whether a value is a number with an exponent, such as 1.2E+15. Without a
// sign and a decimal point it may be hexadecimal digits.
func isScientific(v []byte) bool {
	at := bytes.IndexAny(v, "eE")
	if at < 0 {
		return false
	}
	mantissa, exponent := v[:at], v[at+1:]
	signless := bytes.TrimLeft(exponent, "+-")
	whole, decimals, point := cutDecimals(mantissa)
	return isDigits(whole) && (len(decimals) == 0 || isDigits(decimals)) &&
		isDigits(signless) && len(signless) <= 3 && len(exponent)-len(signless) <= 1 &&
		(point || len(signless) < len(exponent))
}

// isWhole reports whether a value is a large whole number with decimals, such as
// 1234567890123450.0.
func isWhole(v []byte) bool {
	whole, decimals, _ := cutDecimals(v)
	return len(whole) >= shortestAndroidID && isDigits(whole) && len(decimals) > 0 && len(bytes.Trim(decimals, "0")) == 0
}

// isGrouped reports whether a value is a number in at least five groups of digits, such as
// 1.234.567.890.123.450. An IP address has four.
func isGrouped(v []byte) bool {
	const fewest = 5
	at := bytes.IndexAny(v, ",.' \u00a0\u202f")
	if at < 1 || at > 3 {
		return false
	}
	separator := v[at : at+1]
	for _, long := range []string{"\u00a0", "\u202f"} {
		if bytes.HasPrefix(v[at:], []byte(long)) {
			separator = []byte(long)
		}
	}
	groups := bytes.Split(v, separator)
	return len(groups) >= fewest && isDigits(groups[0]) &&
		!slices.ContainsFunc(groups[1:], func(group []byte) bool { return len(group) != 3 || !isDigits(group) })
}

// cutDecimals cuts a number at its decimal point or comma.
func cutDecimals(v []byte) (whole, decimals []byte, found bool) {
	at := bytes.IndexAny(v, ".,")
	if at < 0 {
		return v, nil, false
	}
	return v[:at], v[at+1:], true
}

// isDigits reports whether a value is nothing but decimal digits, at least one.
func isDigits(v []byte) bool {
	for _, c := range v {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(v) > 0
}
