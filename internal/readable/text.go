package readable

import (
	"fmt"
	"slices"
	"strconv"
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
// line breaks and control sequences, and writes bidirectional controls as their numbers. Texts may
// come from any publisher.
func Printable(s string) string {
	return Unbidi(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s))
}

// Unbidi writes bidirectional controls as their numbers, such as \u202e, because they change the order
// in which the characters around them are shown (Unicode Standard Annex #9; CVE-2021-42574).
// Within JSON, the number is an escape, so that programs get the text itself.
func Unbidi(s string) string { return unbidi(s, `\u%04x`) }

// UnbidiShown is Unbidi for JSON whose texts a page shows: the page gets the number as text.
func UnbidiShown(json []byte) []byte { return []byte(unbidi(string(json), `\\u%04x`)) }

func unbidi(s, format string) string {
	if !strings.ContainsFunc(s, isBidi) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if isBidi(r) {
			fmt.Fprintf(&b, format, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func isBidi(r rune) bool { return unicode.In(r, unicode.Bidi_Control) }

// Cell returns a text as a cell of a CSV that a spreadsheet opens. A text that the spreadsheet would
// read as a formula begins with an apostrophe; a number does not.
func Cell(text string) string {
	text = Unbidi(text)
	if text == "" || !strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return text
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return text
	}
	return "'" + text
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

// Mentions reports whether a text contains a code of the platform as a whole word: "a-10" does not mention
// "a-1".
func Mentions(text, code string) bool {
	return slices.Contains(strings.FieldsFunc(text, func(r rune) bool {
		return r != '-' && r != '_' && r != '.' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
	}), code)
}

// ShellWord returns a word as a shell reads it: in quotes if it needs them.
func ShellWord(word string) string {
	if strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:=@%+") == "" && word != "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
