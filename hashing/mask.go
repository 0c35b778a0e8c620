package hashing

import "strings"

// mask stands for what is not shown.
const mask = "****"

// Mask returns a value as it may be shown: 6D92****-E7DC. Of a third of it at
// most, and of 4 characters at either end at most, are shown; nothing at all of
// what is short, or is not made of the letters, digits and hyphens of an id:
// what was rejected may be anything, an e-mail address too. The result is
// printable and never contains the value.
func Mask(value []byte) string {
	shown, _ := trim(value)
	shown = unquote(shown)
	if n := len(shown); n > 1 && shown[0] == '{' && shown[n-1] == '}' {
		shown = shown[1 : n-1]
	}
	masked := mask
	if k := min(len(shown)/6, 4); k > 0 && isPlain(shown) {
		masked = string(shown[:k]) + mask + "-" + string(shown[len(shown)-k:])
	}
	if len(value) > 0 && strings.Contains(masked, string(value)) {
		return "####" // a value of nothing but asterisks
	}
	return masked
}

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
