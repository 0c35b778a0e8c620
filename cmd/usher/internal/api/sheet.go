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

// sheet is a list of records as rows. A list of records within a record
// follows it as rows of their own, which repeat its texts: of a campaign's
// report the campaign is a row, and each of its creatives.
type sheet struct {
	known []column // the interface's, in its order
	seen  map[string]bool
	extra []column // what else the platform sent
	rows  []sheetRow
}

type column struct {
	name   string
	number bool
}

// sheetRow is a row's cells by column.
type sheetRow map[string]json.RawMessage

// newSheet is an empty sheet for the list that out, an operation's answer,
// holds.
func newSheet(out reflect.Type) *sheet {
	s := &sheet{seen: map[string]bool{}}
	if t := out.Field(0).Type; t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct {
		s.known = columnsOfRecord(t.Elem(), "")
	}
	return s
}

// columnsOfRecord are a record's fields, those of the records in it by dotted
// names, and those of lists of records in it before its first number.
func columnsOfRecord(t reflect.Type, above string) []column {
	var list, inner []column
	for i := range t.NumField() {
		field := t.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		of := field.Type
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		switch {
		case field.Anonymous:
			list = append(list, columnsOfRecord(of, above)...)
		case of.Kind() == reflect.Struct:
			list = append(list, columnsOfRecord(of, above+name+".")...)
		case of.Kind() == reflect.Slice && of.Elem().Kind() == reflect.Struct:
			inner = append(inner, columnsOfRecord(of.Elem(), "")...)
		default:
			kind, isList := kindOf(of)
			list = append(list, column{above + name, kind == numberInput && !isList})
		}
	}
	inner = slices.DeleteFunc(inner, func(c column) bool { return slices.Contains(list, c) })
	if first := slices.IndexFunc(list, func(c column) bool { return c.number }); first >= 0 {
		return slices.Insert(list, first, inner...)
	}
	return append(list, inner...)
}

// add adds a record and what it holds; above is the row of the record that
// holds it.
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
		s.see(column{f.name, isNumber(f.value)})
	}
	s.rows = append(s.rows, row)
	for _, item := range within {
		if err := s.add(item, row); err != nil {
			return err
		}
	}
	return nil
}

func (s *sheet) see(c column) {
	if s.seen[c.name] {
		return
	}
	s.seen[c.name] = true
	if !slices.ContainsFunc(s.known, func(k column) bool { return k.name == c.name }) {
		s.extra = append(s.extra, c)
	}
}

// columns are the names of the columns: all, or those that occur. A CSV has all
// that the interface knows, so that its header does not hang on its rows.
func (s *sheet) columns(all bool) []string {
	var names []string
	for _, c := range append(slices.Clone(s.known), s.extra...) {
		if all || s.seen[c.name] {
			names = append(names, c.name)
		}
	}
	return names
}

// cells are the row's texts in the order of the columns.
func (r sheetRow) cells(columns []string, show func(json.RawMessage) string) []string {
	texts := make([]string, len(columns))
	for i, name := range columns {
		if value, found := r[name]; found {
			texts[i] = show(value)
		}
	}
	return texts
}

// grid is the sheet for people.
func (s *sheet) grid() *terminal.Table {
	columns := s.columns(false)
	table := &terminal.Table{Header: columns}
	for _, c := range append(slices.Clone(s.known), s.extra...) {
		if at := slices.Index(columns, c.name); at >= 0 && c.number {
			table.Right = append(table.Right, at+1)
		}
	}
	for _, row := range s.rows {
		table.Add(row.cells(columns, briefCell)...)
	}
	return table
}

func isNumber(value json.RawMessage) bool {
	return value[0] == '-' || value[0] >= '0' && value[0] <= '9'
}

// briefCell is a value as a table shows it: long texts are cut, and a number
// has at most four decimals.
func briefCell(value json.RawMessage) string {
	text := cell(value)
	if _, decimals, found := strings.Cut(text, "."); found && isNumber(value) && len(decimals) > 4 {
		if number, err := strconv.ParseFloat(text, 64); err == nil {
			return strconv.FormatFloat(number, 'f', 4, 64)
		}
	}
	return readable.Line(text, 60)
}
