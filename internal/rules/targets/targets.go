// Package targets reads tables of targets: CSV files with a number for each campaign, such as its
// highest cost of an install, to which conditions compare.
package targets

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The limits of a table.
const (
	MaxBytes   = 256 << 10
	MaxRows    = 5000
	MaxColumns = 50
)

// maxCell is the number of bytes of a cell that messages show.
const maxCell = 40

// Table is a table of targets. It is immutable.
type Table struct {
	Name    string // of the file, for messages
	columns []string
	rows    []row
	exact   map[string]int // rows of campaigns' codes
	globs   []int          // rows of patterns
}

type row struct {
	campaign string
	line     int
	cells    []string
}

// Fault is an error in a table, or a likely mistake, and its line.
type Fault struct {
	Line          int
	Warning       bool
	Message, Hint string
}

// Parse reads a table: a header whose first column is campaign, and rows with the code of a campaign
// or a pattern. If one of the faults is an error, there is no table.
func Parse(name string, data []byte) (*Table, []Fault) {
	switch {
	case len(data) > MaxBytes:
		return nil, []Fault{{Line: 1, Message: fmt.Sprintf("the table has more than %d bytes", MaxBytes), Hint: "split the rule file, and give each its own table"}}
	case !utf8.Valid(data):
		return nil, []Fault{{Line: 1, Message: "the table is not UTF-8", Hint: "save it as CSV UTF-8"}}
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	in := csv.NewReader(bytes.NewReader(data))
	in.Comma, in.FieldsPerRecord = separator(data), -1
	t := &Table{Name: name, exact: map[string]int{}}
	header, err := in.Read()
	if err != nil {
		return nil, []Fault{readFault(err)}
	}
	if fault := t.readHeader(header); fault != nil {
		return nil, []Fault{*fault}
	}
	var faults []Fault
	for {
		cells, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, append(faults, readFault(err))
		}
		if len(t.rows) == MaxRows {
			return nil, []Fault{{Line: 1, Message: fmt.Sprintf("the table has more than %d rows", MaxRows), Hint: "use patterns such as SANDBOX1-ios-*"}}
		}
		line, _ := in.FieldPos(0)
		if fault := t.addRow(line, cells); fault != nil {
			faults = append(faults, *fault)
		}
	}
	if slices.ContainsFunc(faults, func(f Fault) bool { return !f.Warning }) {
		return nil, faults
	}
	return t, faults
}

// separator returns the first sign of the header that separates cells.
func separator(data []byte) rune {
	header, _, _ := bytes.Cut(data, []byte("\n"))
	if at := bytes.IndexAny(header, ",;\t"); at >= 0 {
		return rune(header[at])
	}
	return ','
}

func readFault(err error) Fault {
	var wrong *csv.ParseError
	switch {
	case errors.Is(err, io.EOF):
		return Fault{Line: 1, Message: "the table is empty", Hint: "write a header such as campaign,cpa"}
	case errors.As(err, &wrong):
		return Fault{Line: wrong.Line, Message: "the line is not CSV: " + wrong.Err.Error(), Hint: `write "" for a quote inside of quotes`}
	}
	return Fault{Line: 1, Message: err.Error()}
}

func (t *Table) readHeader(cells []string) *Fault {
	for _, cell := range cells {
		t.columns = append(t.columns, strings.TrimSpace(cell))
	}
	if len(cells) > MaxColumns {
		return &Fault{Line: 1, Message: fmt.Sprintf("the table has %d columns; %d are allowed", len(cells), MaxColumns), Hint: "leave out those that no condition reads"}
	}
	if t.columns[0] != "campaign" {
		return &Fault{Line: 1, Message: fmt.Sprintf("the first column is %q", shortened(t.columns[0])), Hint: "write campaign: it has the codes of campaigns, or patterns"}
	}
	for i, name := range t.columns {
		if name != "" && slices.Contains(t.columns[:i], name) {
			return &Fault{Line: 1, Message: fmt.Sprintf("there are two columns %q", shortened(name)), Hint: "give each its own name"}
		}
	}
	return nil
}

// addRow adds a row, if that has no error.
func (t *Table) addRow(line int, cells []string) *Fault {
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	glob := cells[0]
	_, err := path.Match(glob, "")
	switch {
	case !slices.ContainsFunc(cells, func(cell string) bool { return cell != "" }):
		return nil
	case len(cells) != len(t.columns):
		return &Fault{Line: line, Message: fmt.Sprintf("the line has %d cells, and the header %d", len(cells), len(t.columns)), Hint: "write one cell for each column; a number has a decimal point"}
	case glob == "":
		return &Fault{Line: line, Message: "the line has no campaign", Hint: "write the code of a campaign, or * for all others"}
	case err != nil || strings.ContainsFunc(glob, isForeign):
		return &Fault{Line: line, Message: fmt.Sprintf("%q is no pattern of campaign codes: they have letters, digits and hyphens", shortened(glob)), Hint: "write the campaign's code, not its name, or a pattern with *"}
	}
	if before := t.Row(glob); before >= 0 && t.hides(before, glob) {
		return &Fault{Line: line, Warning: true, Message: fmt.Sprintf("the line is never read: %q in line %d matches first", t.rows[before].campaign, t.rows[before].line), Hint: "remove it, or put it above that line"}
	}
	if strings.ContainsAny(glob, `*?[\`) {
		t.globs = append(t.globs, len(t.rows))
	} else {
		t.exact[glob] = len(t.rows)
	}
	t.rows = append(t.rows, row{glob, line, cells})
	return nil
}

// hides reports whether a row, whose pattern matches the text of a later one, matches all that the later
// one does: that is a code, or the * of the row stand for its signs.
func (t *Table) hides(row int, glob string) bool {
	return !strings.ContainsAny(glob, `*?[\`) || !strings.ContainsAny(t.rows[row].campaign, `?[\`)
}

// isForeign reports whether a character is in no pattern of campaign codes.
func isForeign(c rune) bool {
	isLetter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
	return !isLetter && (c < '0' || c > '9') && !strings.ContainsRune(`-*?[]^\`, c)
}

// Columns returns the names of the columns, without campaign.
func (t *Table) Columns() []string { return t.columns[1:] }

// Check returns a fault for each cell of a column that is not empty and no finite number.
func (t *Table) Check(column string) []Fault {
	at := slices.Index(t.columns, column)
	var faults []Fault
	for _, row := range t.rows {
		text := row.cells[at]
		if text == "" || !math.IsNaN(number(text)) {
			continue
		}
		hint := "write a number such as 12.50, or leave the cell empty"
		if plain := strings.ReplaceAll(text, ",", "."); !math.IsNaN(number(plain)) {
			hint = "write " + plain
		}
		faults = append(faults, Fault{Line: row.line, Message: fmt.Sprintf("%s of %s is %q, which is no finite number", column, row.campaign, shortened(text)), Hint: hint})
	}
	return faults
}

// Row returns the first row that matches a campaign, or -1.
func (t *Table) Row(campaign string) int {
	first, found := t.exact[campaign]
	if !found {
		first = -1
	}
	for _, at := range t.globs {
		if found && at > first {
			break
		}
		if matches, _ := path.Match(t.rows[at].campaign, campaign); matches {
			return at
		}
	}
	return first
}

// Numbers returns a column by rows. NaN is an empty cell.
func (t *Table) Numbers(column string) []float64 {
	at := slices.Index(t.columns, column)
	numbers := make([]float64, len(t.rows))
	for i, row := range t.rows {
		numbers[i] = number(row.cells[at])
	}
	return numbers
}

// Cell returns a cell as it is written, and its line.
func (t *Table) Cell(row int, column string) (text string, line int) {
	return t.rows[row].cells[slices.Index(t.columns, column)], t.rows[row].line
}

// number returns a number as it is written in conditions, or NaN.
func number(text string) float64 {
	if strings.Trim(text, "+-.0123456789eE") != "" {
		return math.NaN()
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil { // infinite numbers are out of range
		return math.NaN()
	}
	return v
}

func shortened(text string) string {
	if len(text) <= maxCell {
		return text
	}
	return strings.ToValidUTF8(text[:maxCell], "") + "…"
}
