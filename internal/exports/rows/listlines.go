package rows

import (
	"bytes"
	"cmp"

	"usher/hashing"
)

// splitLists returns the lines of data with one line for each element of those that are
// lists of ids, in place, and counts the lines that there were. It refuses text whose lines
// end in CR, and lines of several ids that are no lists. split reports whether there are lists;
// the blank lines are left out then, so that every line is a row.
func (t *Text) splitLists(data []byte) (out []byte, split bool, err error) {
	before, beside := t.row, int64(0)
	for rest := data; len(rest) > 0; {
		size, lines := hashing.SingleLines(rest)
		t.row += int64(lines)
		if rest = rest[size:]; len(rest) == 0 {
			break
		}
		line, after := CutLine(rest)
		t.row++
		if hasLoneCR(line) {
			return nil, false, t.lines.loneCRError(t.row)
		}
		if !split && lineMayBeList(line) {
			if split = t.isList(line); !split {
				err = cmp.Or(err, t.severalIDs(line, t.row))
				beside += t.besideID(line)
			}
		}
		rest = after
	}
	if !split {
		t.beside += beside
		return data, false, cmp.Or(err, t.otherLines())
	}
	if err != nil {
		return data, false, err
	}
	out, err = t.appendLines(data[:0], data, before)
	return out, true, cmp.Or(err, t.otherLines())
}

// besideID returns 1 if a line that is no list has other words beside an id, otherwise 0. It is 0
// if the source declares that the export is a list.
func (t *Text) besideID(line []byte) int64 {
	if t.list.MostIDs > 0 && HasWordsBeside(line) {
		return 1
	}
	return 0
}

// HasWordsBeside reports whether a line has an id and other words.
func HasWordsBeside(line []byte) bool {
	return CountIDs(line, "") > 0 && len(bytes.FieldsFunc(line, func(c rune) bool { return c < 0x80 && !isWordByte(byte(c)) })) > 1
}

// otherLines returns an error if more than a few lines have other words beside an id.
func (t *Text) otherLines() error {
	const few = 10
	if t.beside <= few {
		return nil
	}
	return t.lines.Origin().Broken(AsCSV, "it begins as a plain list, and %d of its lines up to %s have other words beside an id", t.beside, t.lines.Row(t.row))
}

// AsCSV is what to do about a list whose lines have other words beside their ids.
const AsCSV = "submit a job for each of the exports that were put together here; if it is one export, write it as CSV, as sqlite3 does with .mode csv, or set source.delimiter to the character that separates the columns; or set source.format to text, if these lines may count as invalid"

// appendLines appends the lines of data to out, which may begin where data does, with one line
// for each element of a list. before is the number of lines before data.
func (t *Text) appendLines(out, data []byte, before int64) ([]byte, error) {
	for line := range bytes.Lines(data) {
		before++
		bare := bytes.TrimSuffix(line, []byte{'\n'})
		switch {
		case IsBlank(bare):
		case !lineMayBeList(bare):
			out = append(out, line...)
		default:
			t.scratch = append(t.scratch[:0], line...) // out may overwrite the line
			var n int
			if out, n = appendLine(out, Unquoted(TrimSpace(t.scratch))); n > 0 {
				continue
			}
			if err := t.severalIDs(t.scratch, before); err != nil {
				return nil, err
			}
			t.beside += t.besideID(t.scratch)
			out = append(out, t.scratch...)
		}
	}
	return out, nil
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
	_, n := appendLine(t.scratch[:0], Unquoted(TrimSpace(line)))
	return n > 0
}

// severalIDs returns an error if a line that is no list has several ids. row is its number.
func (t *Text) severalIDs(line []byte, row int64) error {
	ids := CountIDs(line, "")
	if t.list.MostIDs == 0 || ids <= t.list.MostIDs {
		return nil
	}
	return SeveralIDs(t.lines.Origin(), t.lines.Row(row)+" is no list of ids", ids, "; if such lines may count as invalid, set source.format to text")
}

// lineMayBeList reports whether a line has room for an id and a separator, and has one. An
// opening bracket is as good: there are lists of one id.
func lineMayBeList(line []byte) bool {
	const shortest = 13
	return len(line) >= shortest && bytes.ContainsAny(line, ", ;|\t[")
}
