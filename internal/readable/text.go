package readable

import (
	"strings"
	"unicode"
)

// Line returns text on one line, shortened to n characters.
func Line(text string, n int) string {
	text = strings.Join(strings.Fields(Printable(text)), " ")
	if runes := []rune(text); len(runes) > n {
		return string(runes[:n-1]) + "…"
	}
	return text
}

// Printable replaces by spaces all characters that a terminal would interpret, such as
// line breaks and control sequences. Texts may come from any publisher.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control) {
			return ' '
		}
		return r
	}, s)
}
