package rows

import (
	"bytes"
	"cmp"

	"usher"
	"usher/hashing"
)

// List says how a plain list is read.
type List struct {
	Header     bool       // the first line that is not blank is a header, which is left out
	Skip       usher.Skip // its number of lines is 0 unless this is the first part
	DropLast   bool       // leave out a last line that is not complete
	ShortestID int        // the length of the shortest id that is known; 0: none
	MostIDs    int        // a line that is no list and has more ids is an error; 0: any number
}

// Text reads a plain list. Its blocks are the text itself, cut at line ends, unless lines
// have several ids: then each of these is a line of the block.
type Text struct {
	list  List
	lines *Lines
	pool  *Pool
	row   int64 // lines of all blocks so far

	beside int64 // lines that have other words beside an id

	scratch []byte // a line of several ids
}

// NewText returns a reader of lines.
func NewText(lines *Lines, pool *Pool, list List) *Text {
	lines.MostIDs = list.MostIDs
	return &Text{list: list, lines: lines, pool: pool}
}

// Next returns the next block, which has at least one row, or io.EOF.
func (t *Text) Next() (*usher.Block, error) {
	b := t.pool.Get()
	for {
		b.Data = nil
		data, err := t.lines.Next(b.Space)
		if err == nil {
			data, err = t.rowsOf(data)
		}
		whole, records, failed := t.splitLists(data)
		if err = cmp.Or(err, failed); hasRow(whole) {
			b.Data, b.Records = whole, records
		}
		if err != nil {
			return nil, t.pool.Refuse(b, err)
		}
		if b.Data != nil {
			return &b.Block, nil
		}
	}
}

// Warnings returns the warning for lines that have other words beside an id.
func (t *Text) Warnings() []usher.Warning {
	if t.beside == 0 {
		return nil
	}
	return []usher.Warning{{
		Code: usher.WarnWordsBesideIDs, Count: t.beside,
		Description: "lines of the list have other words beside an id, so that the id is not read: look at them (usher inspect FILE --rejects ROWS.csv writes them), and remove the words or write the list as CSV",
	}}
}

// rowsOf returns the lines of data that are rows, in place. It refuses a last line that
// was cut off, and returns those before it.
func (t *Text) rowsOf(data []byte) ([]byte, error) {
	data = t.dropFirst(data)
	if t.list.Skip.Prefix != "" {
		data = dropLines(data, t.list.Skip.Prefix)
	}
	if t.lines.AtEOF() && len(data) > 0 && data[len(data)-1] != '\n' {
		whole := data[:bytes.LastIndexByte(data, '\n')+1]
		if t.isCut(whole, TrimSpace(data[len(whole):])) {
			if !t.list.DropLast {
				return whole, t.lines.Incomplete(t.row + int64(bytes.Count(data, []byte{'\n'})) + 1)
			}
			data = whole
		}
	}
	return data, nil
}

// isCut reports whether the last line may be the beginning of an id. It is compared
// with the lines before it in the same block, and with the shortest id that is known.
func (t *Text) isCut(before, last []byte) bool {
	shortest := NewShortestID(t.list.ShortestID)
	if !shortest.IsCut(last) && shortest.Length() > 0 {
		return false
	}
	for line := range bytes.Lines(before) {
		shortest.Add(TrimSpace(line))
	}
	return shortest.IsCut(last)
}

// dropFirst returns data without the lines that are skipped at the beginning, and
// without the header.
func (t *Text) dropFirst(data []byte) []byte {
	for len(data) > 0 && (t.list.Skip.Lines > 0 || t.list.Header) {
		line, rest := CutLine(data)
		switch {
		case t.list.Skip.Lines > 0:
			t.list.Skip.Lines--
		case !IsBlank(line) && !t.isSkipped(line):
			t.list.Header = false
		}
		data = rest
	}
	return data
}

func (t *Text) isSkipped(line []byte) bool {
	return t.list.Skip.Prefix != "" && bytes.HasPrefix(line, []byte(t.list.Skip.Prefix))
}

// dropLines removes the lines that begin with prefix, in place.
func dropLines(data []byte, prefix string) []byte {
	out := data[:0]
	for line := range bytes.Lines(data) {
		if !bytes.HasPrefix(line, []byte(prefix)) {
			out = append(out, line...)
		}
	}
	return out
}

// CutLine returns the first line of data without its line feed, and the rest.
func CutLine(data []byte) (line, rest []byte) {
	line, rest, _ = bytes.Cut(data, []byte{'\n'})
	return line, rest
}

// hasRow reports whether data has a line that is not blank. The first byte is
// enough to tell most times.
func hasRow(data []byte) bool {
	for len(data) > 0 {
		if data[0] > ' ' && data[0] < 0x7F {
			return true
		}
		line, rest := CutLine(data)
		if !IsBlank(line) {
			return true
		}
		data = rest
	}
	return false
}

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
