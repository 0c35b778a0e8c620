package readable

import (
	"strings"
	"unicode"
)

// Line is text in one line, at most n characters of it.
func Line(text string, n int) string {
	text = strings.Join(strings.Fields(Printable(text)), " ")
	if runes := []rune(text); len(runes) > n {
		return string(runes[:n-1]) + "…"
	}
	return text
}

// Printable is s without what would move a terminal's cursor or break a line:
// it may come from a publisher.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control) {
			return ' '
		}
		return r
	}, s)
}
