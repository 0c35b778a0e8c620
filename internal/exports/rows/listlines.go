package rows

import (
	"bytes"

	"usher/hashing"
)

// splitLists returns the lines of data with one line for each element of those that are
// lists of ids, in place, and counts the lines that there were. split reports whether there
// are lists; the blank lines are left out then, so that every line is a row.
func (t *Text) splitLists(data []byte) (out []byte, split bool) {
	rest := data
	for len(rest) > 0 && !split {
		size, lines := beforeList(rest)
		t.row += lines
		if rest = rest[size:]; len(rest) > 0 {
			line, after := CutLine(rest)
			_, n := appendLine(t.scratch[:0], Unquoted(TrimSpace(line)))
			split, rest = n > 0, after
			t.row++
		}
	}
	if !split {
		return data, false
	}
	t.row += int64(bytes.Count(rest, []byte{'\n'}))
	out = data[:0]
	for line := range bytes.Lines(data) {
		bare := bytes.TrimSuffix(line, []byte{'\n'})
		switch {
		case IsBlank(bare):
		case !lineMayBeList(bare):
			out = append(out, line...)
		default:
			t.scratch = append(t.scratch[:0], line...) // out may overwrite the line
			var n int
			if out, n = appendLine(out, Unquoted(TrimSpace(t.scratch))); n == 0 {
				out = append(out, t.scratch...)
			}
		}
	}
	return out, true
}

// Unquoted returns the text of a line that is one quoted cell of CSV.
func Unquoted(line []byte) []byte {
	if n := len(line); n > 1 && line[0] == '"' && line[n-1] == '"' {
		return bytes.ReplaceAll(line[1:n-1], []byte(`""`), []byte{'"'})
	}
	return line
}

// beforeList returns the size and the number of the lines before the first one that may be
// a list of ids.
func beforeList(data []byte) (at int, lines int64) {
	for {
		size, n := hashing.SingleLines(data[at:])
		at += size
		lines += int64(n)
		if at == len(data) {
			return at, lines
		}
		line, _ := CutLine(data[at:])
		if lineMayBeList(line) {
			return at, lines
		}
		at = min(at+len(line)+1, len(data))
		lines++
	}
}

// lineMayBeList reports whether a line has room for an id and a separator, and has one. An
// opening bracket is as good: there are lists of one id.
func lineMayBeList(line []byte) bool {
	const shortest = 13
	return len(line) >= shortest && bytes.ContainsAny(line, ", ;|\t[")
}
