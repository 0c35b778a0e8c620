package api

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
)

// sheet is a list of records as rows. The records of a nested list follow as separate
// rows that repeat the strings of the outer record: a campaign's report has a row for
// the campaign and one for each creative.
type sheet struct {
	known []column        // the columns that the interface documents, in its order
	used  map[string]bool // columns that have a value
	extra []column        // further columns in the response
	rows  []sheetRow
}

type column struct {
	name   string
	number bool
}

// sheetRow has the values of a row by column.
type sheetRow map[string]json.RawMessage

// newSheet returns an empty sheet for the list in out, the type of a response.
func newSheet(out reflect.Type) *sheet {
	s := &sheet{used: map[string]bool{}}
	if t := out.Field(0).Type; t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct {
		s.known = columnsOfRecord(t.Elem(), "")
	}
	return s
}

// columnsOfRecord returns a record's fields, with those of nested records by dotted
// names. The fields of nested lists of records come before the first number.
func columnsOfRecord(t reflect.Type, above string) []column {
	var list, inner []column
	for i := range t.NumField() {
		field := t.Field(i)
		name := jsonName(field)
		fieldType := field.Type
		if fieldType.Kind() == reflect.Pointer {
			fieldType = fieldType.Elem()
		}
		switch {
		case field.Anonymous:
			list = append(list, columnsOfRecord(fieldType, above)...)
		case fieldType.Kind() == reflect.Struct:
			list = append(list, columnsOfRecord(fieldType, above+name+".")...)
		case fieldType.Kind() == reflect.Slice && fieldType.Elem().Kind() == reflect.Struct:
			inner = append(inner, columnsOfRecord(fieldType.Elem(), "")...)
		default:
			kind, isList := kindOf(fieldType)
			list = append(list, column{above + name, kind == numberInput && !isList})
		}
	}
	inner = slices.DeleteFunc(inner, func(c column) bool { return slices.Contains(list, c) })
	if first := slices.IndexFunc(list, func(c column) bool { return c.number }); first >= 0 {
		return slices.Insert(list, first, inner...)
	}
	return append(list, inner...)
}

// add adds a record and its nested lists. above is the row of the outer record, or nil.
func (s *sheet) add(record json.RawMessage, above sheetRow) error {
	fields, err := flatten(record, "")
	if err != nil {
		return err
	}
	row := sheetRow{}
	for name, value := range above {
		if !isNumber(value) {
			row[name] = value
		}
	}
	var within []json.RawMessage
	for _, f := range fields {
		var items []json.RawMessage
		if f.value[0] == '[' && json.Unmarshal(f.value, &items) == nil && len(items) > 0 && items[0][0] == '{' {
			within = append(within, items...)
			continue
		}
		row[f.name] = f.value
		s.markUsed(column{f.name, isNumber(f.value)})
	}
	s.rows = append(s.rows, row)
	for _, item := range within {
		if err := s.add(item, row); err != nil {
			return err
		}
	}
	return nil
}

// markUsed records that a column has a value.
func (s *sheet) markUsed(c column) {
	if s.used[c.name] {
		return
	}
	s.used[c.name] = true
	if !slices.ContainsFunc(s.known, func(k column) bool { return k.name == c.name }) {
		s.extra = append(s.extra, c)
	}
}

// columns returns the names of the columns: all, or those in use. A CSV has all columns
// of the interface, so that its header does not depend on the data.
func (s *sheet) columns(all bool) []string {
	var names []string
	for _, c := range append(slices.Clone(s.known), s.extra...) {
		if all || s.used[c.name] {
			names = append(names, c.name)
		}
	}
	return names
}

// cells returns the row's values, formatted, in the order of the columns.
func (r sheetRow) cells(columns []string, show func(json.RawMessage) string) []string {
	texts := make([]string, len(columns))
	for i, name := range columns {
		if value, found := r[name]; found {
			texts[i] = show(value)
		}
	}
	return texts
}

// table returns the sheet as a table with some columns, or those in use. A width and a
// height share a column: 300×250.
func (s *sheet) table(columns []string) *terminal.Table {
	if len(columns) == 0 {
		columns = s.columns(false)
	}
	names, sizes := joinSizes(columns)
	table := &terminal.Table{Header: names}
	for _, c := range append(slices.Clone(s.known), s.extra...) {
		if at := slices.Index(names, c.name); at >= 0 && c.number {
			table.Right = append(table.Right, at+1)
		}
	}
	for _, row := range s.rows {
		cells := row.cells(names, briefCell)
		for i, name := range names {
			if sizes[name] && row[name+".width"] != nil && row[name+".height"] != nil {
				cells[i] = briefCell(row[name+".width"]) + "×" + briefCell(row[name+".height"])
			}
		}
		table.Add(cells...)
	}
	return table
}

// joinSizes replaces the columns a.width and a.height by a, and returns these as sizes.
func joinSizes(columns []string) (names []string, sizes map[string]bool) {
	sizes = map[string]bool{}
	for _, name := range columns {
		above, isWidth := strings.CutSuffix(name, ".width")
		if isWidth && slices.Contains(columns, above+".height") {
			sizes[above] = true
			name = above
		}
		if above, isHeight := strings.CutSuffix(name, ".height"); isHeight && slices.Contains(columns, above+".width") {
			continue
		}
		names = append(names, name)
	}
	return names, sizes
}

func isNumber(value json.RawMessage) bool {
	return value[0] == '-' || value[0] >= '0' && value[0] <= '9'
}

// briefCell formats a value for a table: long strings are truncated, and numbers have at
// most four decimals.
func briefCell(value json.RawMessage) string {
	text := cell(value)
	if _, decimals, found := strings.Cut(text, "."); found && isNumber(value) && len(decimals) > 4 {
		if number, err := strconv.ParseFloat(text, 64); err == nil {
			return strconv.FormatFloat(number, 'f', 4, 64)
		}
	}
	return readable.Line(text, 60)
}
