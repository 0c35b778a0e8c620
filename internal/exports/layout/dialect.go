package layout

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"usher"
	"usher/internal/exports/choose"
	"usher/internal/exports/csv"
	"usher/internal/exports/names"
	"usher/internal/exports/rows"
)

// DialectOf returns the plan's dialect as package csv takes it.
func DialectOf(plan *usher.Plan) csv.Dialect {
	d := csv.Dialect{Delimiter: plan.Delimiter[0], Bare: plan.Quote == "none", Assumed: plan.Assumed, Quoted: plan.Quoted}
	switch plan.Escape {
	case "backslash":
		d.Escape = csv.EscapeBackslash
	case "backslash_in_quotes":
		d.Escape = csv.EscapeBackslashInQuotes
	}
	return d
}

// DecideDialect decides on the plan's delimiter, quote and escape, and returns the
// records of the head. What the source does not declare is found out: it is the
// dialect that the fewest records of the head contradict. If a backslash may escape
// quotes or may not, and the fields differ by it, the export is refused.
func (h *Head) DecideDialect(src *usher.Source, plan *usher.Plan) ([]csv.Record, error) {
	if err := declareDialect(src, plan); err != nil {
		return nil, err
	}
	found, err := h.readings(plan)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		// One column. Its delimiter is the tab, since no list of ids in a cell has tabs.
		declare(&plan.Quote, "double")
		declare(&plan.Escape, "double")
		declare(&plan.Delimiter, "\t")
		records := h.records(plan)
		return complete(records), h.checkDialect(plan, records)
	}
	best := 0
	for i := range found {
		if found[i].faults() < found[best].faults() {
			best = i
		}
	}
	*plan = found[best].plan
	for _, other := range found[best+1:] {
		if other.faults() == found[best].faults() && other.plan.Delimiter == plan.Delimiter && !sameFields(other.records, found[best].records) {
			return nil, cmp.Or(h.jsonBehind(), h.Broken(csv.TellEscape,
				"it cannot be determined whether a backslash escapes or whether quotes are ordinary characters, and the columns depend on that"))
		}
	}
	return complete(found[best].records), h.checkDialect(plan, found[best].records)
}

// reading is the head as a dialect reads it.
type reading struct {
	plan    usher.Plan // with its dialect
	records []csv.Record
}

// readings reads the head in each dialect that the plan allows and that has a
// delimiter. It returns an error if several delimiters fit in all of them.
func (h *Head) readings(plan *usher.Plan) (found []reading, err error) {
	faulty := false // with the usual quotes, so that they may be ordinary characters
	for _, d := range dialects {
		try := *plan
		if !declare(&try.Quote, d.quote) || !declare(&try.Escape, d.escape) ||
			plan.Escape == "" && d.escape != "double" && bytes.IndexByte(h.Text, '\\') < 0 ||
			plan.Quote == "" && d.quote == "none" && (!faulty || h.hasQuotedCell(plan)) {
			continue
		}
		if failed := h.decideDelimiter(&try); failed != nil {
			err = failed
			continue
		}
		if try.Delimiter == "" {
			faulty = true
			continue
		}
		found = append(found, reading{try, h.records(&try)})
		last := found[len(found)-1]
		faulty = faulty || slices.ContainsFunc(last.records, func(r csv.Record) bool { return !r.Open && last.contradicts(&r) })
	}
	if len(found) > 0 {
		return found, nil
	}
	return nil, err
}

// hasQuotedCell reports whether a cell of the head stands in quotes, if quotes are
// ordinary characters, and with or without backslashes that escape.
func (h *Head) hasQuotedCell(plan *usher.Plan) bool {
	for _, escape := range []string{"backslash", "double"} {
		try := *plan
		try.Quote = "none"
		if !declare(&try.Escape, escape) || h.decideDelimiter(&try) != nil || try.Delimiter == "" {
			continue
		}
		if slices.ContainsFunc(h.records(&try), func(r csv.Record) bool {
			return slices.ContainsFunc(r.Fields, func(cell string) bool {
				return len(cell) > 1 && cell[0] == '"' && cell[len(cell)-1] == '"'
			})
		}) {
			return true
		}
	}
	return false
}

// dialects are the ways to write cells, the most usual one first.
var dialects = []struct{ quote, escape string }{
	{"double", "double"},
	{"double", "backslash_in_quotes"},
	{"double", "backslash"},
	{"none", "backslash"},
	{"none", "double"},
}

// declare sets value unless it has another one, and reports whether it has this one.
func declare(value *string, to string) bool {
	if *value == "" {
		*value = to
	}
	return *value == to
}

// complete returns records without one that does not end in the head.
func complete(records []csv.Record) []csv.Record {
	if n := len(records); n > 0 && records[n-1].Open {
		return records[:n-1]
	}
	return records
}

// declareDialect takes over what the source declares of the dialect.
func declareDialect(src *usher.Source, plan *usher.Plan) error {
	plan.Quote, plan.Escape = choose.Declared(src.Quote), choose.Declared(src.Escape)
	switch {
	case !slices.Contains([]string{"", "double", "none"}, plan.Quote):
		return usher.Refuse(usher.InvalidJob, "accepted are auto, double and none", "read source: source.quote is unknown")
	case !slices.Contains([]string{"", "double", "backslash", "backslash_in_quotes"}, plan.Escape):
		return usher.Refuse(usher.InvalidJob, "accepted are auto, double, backslash and backslash_in_quotes", "read source: source.escape is unknown")
	}
	plan.Assumed, plan.Quoted = plan.Escape == "", plan.Quote != ""
	d := src.Delimiter
	if choose.Declared(d) == "" {
		plan.Delimiter = ""
		return nil
	}
	if len(d) != 1 || strings.ContainsAny(d, "\"\r\n\x00") || d[0] > 0x7F {
		return usher.Refuse(usher.InvalidJob, "accepted are auto and any one ASCII character but a quote, a line end and NUL", "read source: source.delimiter is unknown")
	}
	plan.Delimiter = d
	return nil
}

// faults returns how many records contradict the dialect: text stands behind a closing
// quote, a quote is left open, or the number of fields is not that of the first record.
func (r reading) faults() int {
	faults := 0
	for i := range r.records {
		if r.contradicts(&r.records[i]) {
			faults++
		}
	}
	return faults
}

// contradicts reports whether a record speaks against the dialect.
func (r reading) contradicts(record *csv.Record) bool {
	fields, d := len(r.records[0].Fields), DialectOf(&r.plan)
	return record.Broken || record.Open || len(record.Fields) != fields ||
		record.LineFeed && !d.Bare && d.ReadsUnquoted(record.Raw, fields)
}

// sameFields reports whether two readings of the head find the same fields. An escape
// that one of them leaves in a text makes no difference.
func sameFields(a, b []csv.Record) bool {
	return slices.EqualFunc(a, b, func(a, b csv.Record) bool {
		return slices.Equal(a.Ends, b.Ends)
	})
}

// checkDialect refuses a head that cannot be read in the plan's dialect, if the source
// does not declare both quote and escape.
func (h *Head) checkDialect(plan *usher.Plan, records []csv.Record) error {
	if n := h.linesBeforeNames(records); n > 0 {
		return h.beforeTable(n, "its first row does not name the columns, but a row below it does")
	}
	if !plan.Assumed && plan.Quoted {
		return nil
	}
	if at := firstJSON(records); at > 0 {
		return csv.JSONBehind(h.Origin, "row "+strconv.Itoa(max(at+1-headers(records), 1)))
	}
	if n := h.linesBeforeHeader(records); n > 0 && isNamed([][]string{records[0].Fields}) {
		return h.Broken("have the header name each column; or set source.skip to "+strconv.Itoa(n)+", which leaves the header out, and source.column to the number of the column of device ids",
			"its header has %d columns, but most rows have more", len(records[0].Fields))
	} else if n > 0 {
		usual, _ := usualFields(fieldsOf(records))
		return h.beforeTable(n, "its first row has %d columns, and most others have %d", len(records[0].Fields), usual)
	}
	usual, _ := usualFields(fieldsOf(records))
	for i := range records {
		row := max(i+1-headers(records), 1)
		switch r := &records[i]; {
		case r.LineEnd:
			return csv.LoneCR(h.Origin, "row "+strconv.Itoa(row))
		case len(r.Fields) == 2*usual-1 && csv.JoinsRows(r.Fields):
			return csv.JoinedRows(h.Origin, "row "+strconv.Itoa(row))
		case r.Broken:
			if err := h.refusePHP(plan); err != nil {
				return err
			}
			return h.Broken(csv.SetEscape, "text follows a closing quote in row %d", row)
		}
	}
	return nil
}

// jsonBehind returns the error for an export to which NDJSON was appended, which may be why its dialect
// or its column cannot be determined. It returns nil for any other export.
func (h *Head) jsonBehind() error {
	const few = 10
	lines := h.lines(math.MaxInt)
	n := 0
	for n < len(lines) && csv.IsJSON(lines[len(lines)-1-n]) {
		n++
	}
	if n <= few || n == len(lines) {
		return nil
	}
	before, _, _ := bytes.Cut(h.Text, lines[len(lines)-n])
	return csv.JSONBehind(h.Origin, fmt.Sprintf("line %d", bytes.Count(before, []byte{'\n'})+h.skippedLines+1))
}

// headers returns 1 if the first record names columns, otherwise 0.
func headers(records []csv.Record) int {
	if isNamed(fieldsOf(complete(records))) {
		return 1
	}
	return 0
}

// firstJSON returns the index of the first record that is one of NDJSON, if more than one in a hundred
// are, otherwise 0.
func firstJSON(records []csv.Record) int {
	first, n := 0, 0
	for i := range records {
		if csv.IsJSON(rows.TrimSpace(records[i].Raw)) {
			if n++; n == 1 {
				first = i
			}
		}
	}
	if 100*n <= len(records) {
		return 0
	}
	return first
}

// decideDelimiter decides on the plan's delimiter: the declared one, the one that
// the first line declares, or the one that fits the head. It stays empty if none does.
func (h *Head) decideDelimiter(plan *usher.Plan) error {
	if plan.Delimiter != "" {
		return nil
	}
	first, _ := rows.CutLine(h.Text)
	if d, ok := csv.DeclaredDelimiter(first); ok {
		plan.Delimiter = string(d)
		return nil
	}
	switch found := h.delimiters(plan); len(found) {
	case 0:
		return nil
	case 1:
		plan.Delimiter = string(found[0])
		return nil
	default:
		return h.Broken("set source.delimiter to one of them, and source.column if need be", "several characters may be its delimiter: %q", found)
	}
}

// delimiters returns the delimiters that split the head into records of the same
// number of fields, at least two. If some of them lead to a known name or to a
// column of ids, it returns only those.
func (h *Head) delimiters(plan *usher.Plan) []byte {
	if h.holdsLists() {
		return nil
	}
	var fitting, telling []byte
	for _, d := range []byte(csv.Delimiters) {
		if bytes.IndexByte(h.Text, d) < 0 {
			continue
		}
		try := *plan
		try.Delimiter = string(d)
		records := fieldsOf(complete(h.records(&try)))
		if !isEven(records) && !isNamed(records) {
			continue
		}
		fitting = append(fitting, d)
		_, columns := h.columnsOf(records)
		if slices.ContainsFunc(columns, func(c choose.Column) bool { return c.HoldsIDs() || names.RankOf(c.Name) >= names.RankTelling }) {
			telling = append(telling, d)
		}
	}
	if len(telling) > 0 {
		return telling
	}
	return fitting
}
