package names

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"usher/hashing"
	"usher/internal/exports/rows"
)

// HoldsID reports whether a cell that is taken for a header may hold a device id, which
// would be shown and stored with it.
func HoldsID(cell []byte) bool {
	text := string(cell[:min(len(cell), longestHeader)])
	return hashing.MaskIDs(text) != text
}

const longestHeader = 1 << 10 // bytes that are looked at

// HeaderText returns a header cell as text, without quotes and spaces, at most 64
// bytes. A cell that is not UTF-8 is read as Latin-1.
func HeaderText(cell []byte) string {
	cell = rows.TrimSpace(bytes.Trim(rows.TrimSpace(cell), `"`))
	cell = cell[:min(len(cell), longestHeader)]
	text := string(cell)
	if !utf8.Valid(cell) {
		runes := make([]rune, len(cell))
		for i, c := range cell {
			runes[i] = rune(c)
		}
		text = string(runes)
	}
	if len(text) > 64 {
		text = hashing.MaskIDs(text) // the rest of an id that is cut would no longer look like one
	}
	if len(text) > 64 {
		text = strings.ToValidUTF8(text[:64], "")
	}
	return text
}

// LooksLikeName reports whether a cell looks like the name of a column and not like
// a value: it begins with a letter and has few digits, and it is neither a
// placeholder nor possibly an id.
func LooksLikeName(cell string) bool {
	if cell == "" || len(cell) >= 64 || hashing.IsPlaceholder([]byte(cell)) || strings.EqualFold(cell, "true") || strings.EqualFold(cell, "false") {
		return false
	}
	first, _ := utf8.DecodeRuneInString(cell)
	if !unicode.IsLetter(first) || strings.ContainsAny(cell, "@{}[]%$=<>\"\\\x00") {
		return false
	}
	digits, hex := 0, 0
	for _, c := range []byte(cell) {
		if '0' <= c && c <= '9' {
			digits++
		}
		if hashing.IsHexDigit(c) || c == '-' {
			hex++
		}
	}
	return digits <= 2 && (hex < len(cell) || len(cell) < 8)
}
