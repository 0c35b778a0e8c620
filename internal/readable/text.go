package readable

import (
	"fmt"
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

// Suggest returns a hint with the known word that is nearest to a misspelt one, or
// otherwise another hint.
func Suggest(word string, known []string, otherwise string) string {
	if near := Nearest(word, known); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return otherwise
}

// Nearest returns the known word with the smallest distance, if that is at most a
// third of the word's length; otherwise it returns "".
func Nearest(word string, known []string) string {
	return NearestWithin(word, known, max(1, (len(word)+1)/3))
}

// NearestWithin returns the known word with the smallest distance, if that is at most edits;
// otherwise it returns "". Case is ignored.
func NearestWithin(word string, known []string, edits int) string {
	best, least := "", edits+1
	for _, k := range known {
		if d := distance(strings.ToLower(word), strings.ToLower(k)); d < least {
			best, least = k, d
		}
	}
	return best
}

// distance returns the edit distance: the number of letters that must be changed,
// added, removed, or swapped with their neighbour.
func distance(a, b string) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(row[j-1]+1, last[j]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
