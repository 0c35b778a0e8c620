package hashing

import (
	"encoding/binary"
	"regexp"
	"strings"
	"sync"
)

// mask replaces the hidden part of a value.
const mask = "****"

// Mask returns a value in a form that may be shown, such as 6D92****-E7DC. It shows at
// most a third of the value and at most 4 characters at either end. It shows nothing of
// a value that is short or has characters other than the letters, digits and hyphens of
// an id, because a rejected value may be anything, such as an e-mail address. The
// result is printable and never contains the value.
func Mask(value []byte) string {
	shown, _ := trim(value)
	shown = unquote(shown)
	if inBraces(shown) {
		shown = shown[1 : len(shown)-1]
	}
	masked := mask
	if k := min(len(shown)/6, 4); k > 0 && isPlain(shown) {
		masked = string(shown[:k]) + mask + "-" + string(shown[len(shown)-k:])
	}
	if len(value) > 0 && strings.Contains(masked, string(value)) {
		return "####" // the value consists of asterisks
	}
	return masked
}

// isPlain reports whether v has only ASCII letters, digits and hyphens.
func isPlain(v []byte) bool {
	for _, c := range v {
		switch {
		case '0' <= c && c <= '9', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '-':
		default:
			return false
		}
	}
	return true
}

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

// shortestID is the length from which digits are taken for an id: an ANDROID_ID without
// its leading zeros.
const shortestID = 12

// IsDeviceID reports whether a word is an id in any profile. Short hex words, such as
// "feed", are not.
func IsDeviceID(word string) bool {
	if len(word) < shortestID {
		return false
	}
	for _, v := range Explain(word) {
		if v.Reason == None {
			return true
		}
	}
	return false
}

// IsHexID reports whether a value is 32 hex characters, or 16 with a letter among them: an MD5
// digest, a UUID without hyphens or most ANDROID_IDs.
func IsHexID(value []byte) bool {
	switch len(value) {
	case 16:
		x, y := binary.LittleEndian.Uint64(value[:8]), binary.LittleEndian.Uint64(value[8:])
		_, first := unhex(x)
		_, second := unhex(y)
		return first|second == 0 && (x|y)&(0x40*ones) != 0
	case 32:
		return IsHex(value)
	}
	return false
}
