package hashing

import (
	"regexp"
	"strings"
	"sync"
)

// A number with fewer than longestNumber digits within a text, such as a time or the number
// of an order, is not taken for an id.
const longestNumber = 16

// possibleID matches a part of a text that may be an id: a UUID, with or without a
// separator between its groups, or at least 12 hexadecimal digits.
var possibleID = sync.OnceValue(func() *regexp.Regexp {
	const separator = `(?:[-_ .:/\x{AD}\x{2010}-\x{2015}\x{2212}]|%2[dD])?`
	return regexp.MustCompile(`[[:xdigit:]]{32,}|[[:xdigit:]]{8,}(?:` + separator + `[[:xdigit:]]{4}){3}` + separator + `[[:xdigit:]]{12,}|[[:xdigit:]]{12,}`)
})

// MaskIDs masks everything in a text that may be an id, even within words. It is for free
// text, and for names that come from an export, since the first row of an export may be
// taken for its header.
func MaskIDs(text string) string {
	if !mayHoldID(text) {
		return text
	}
	if IsDeviceID(text) || isNumber(text) && len(text) >= shortestID {
		return Mask([]byte(text))
	}
	var masked strings.Builder
	rest := 0
	for _, at := range possibleID().FindAllStringIndex(text, -1) {
		if id := text[at[0]:at[1]]; !isNumber(id) || len(id) >= longestNumber && !isFraction(text[:at[0]]) {
			masked.WriteString(text[rest:at[0]] + Mask([]byte(id)))
			rest = at[1]
		}
	}
	return masked.String() + text[rest:]
}

// mayHoldID reports whether a text has enough hexadecimal digits without another letter
// between them. It is a quick check, because most texts contain no id.
func mayHoldID(text string) bool {
	digits := 0
	for _, c := range []byte(text) {
		switch {
		case '0' <= c && c <= '9', 'a' <= c && c <= 'f', 'A' <= c && c <= 'F':
			digits++
		case 'g' <= c && c <= 'z', 'G' <= c && c <= 'Z':
			digits = 0
		}
		if digits >= shortestID {
			return true
		}
	}
	return false
}

// isNumber reports whether a text consists of decimal digits.
func isNumber(text string) bool { return strings.Trim(text, "0123456789") == "" }

// isFraction reports whether digits that follow the text before are the decimals of a
// number, as in 0.30000000000000004.
func isFraction(before string) bool {
	whole, dot := strings.CutSuffix(before, ".")
	return dot && whole != "" && isNumber(whole[len(whole)-1:])
}
