package hashing

import "strings"

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
