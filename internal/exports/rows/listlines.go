package rows

import (
	"bytes"

	"usher/hashing"
)

// splitLists returns the lines of data with one line for each element of those that are
// lists of ids, in place, and counts the lines that there were. It refuses text whose lines
// end in CR. split reports whether there are lists; the blank lines are left out then, so
// that every line is a row.
func (t *Text) splitLists(data []byte) (out []byte, split bool, err error) {
	for rest := data; len(rest) > 0; {
		size, lines := hashing.SingleLines(rest)
		t.row += int64(lines)
		if rest = rest[size:]; len(rest) == 0 {
			break
		}
		line, after := CutLine(rest)
		t.row++
		if hasLoneCR(line) {
			return nil, false, t.lines.LoneCR(t.row)
		}
		split = split || t.isList(line)
		rest = after
	}
	if !split {
		return data, false, nil
	}
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
	return out, true, nil
}

// Unquoted returns the text of a line that is one quoted cell of CSV.
func Unquoted(line []byte) []byte {
	if n := len(line); n > 1 && line[0] == '"' && line[n-1] == '"' {
		return bytes.ReplaceAll(line[1:n-1], []byte(`""`), []byte{'"'})
	}
	return line
}

// isList reports whether a line is a list of ids.
func (t *Text) isList(line []byte) bool {
	if !lineMayBeList(line) {
		return false
	}
	_, n := appendLine(t.scratch[:0], Unquoted(TrimSpace(line)))
	return n > 0
}

// lineMayBeList reports whether a line has room for an id and a separator, and has one. An
// opening bracket is as good: there are lists of one id.
func lineMayBeList(line []byte) bool {
	const shortest = 13
	return len(line) >= shortest && bytes.ContainsAny(line, ", ;|\t[")
}
