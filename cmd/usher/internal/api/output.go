package api

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
)

// returnsList reports whether the response is a list of records.
func (c *apiCall) returnsList() bool {
	if c.op.Out.NumField() != 1 {
		return false
	}
	t := c.op.Out.Field(0).Type
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Struct
}

// print prints the data of the response without its warnings, which go to stderr.
func (c *apiCall) print(cmd *cobra.Command, data json.RawMessage) error {
	out := cmd.OutOrStdout()
	if c.json {
		return printJSON(out, data)
	}
	fields, err := readObject(data)
	if err != nil {
		return fmt.Errorf("decode the response: %w; use --json to see it", err)
	}
	fields = slices.DeleteFunc(fields, func(f member) bool { return f.name == "warnings" })
	if len(fields) == 0 {
		fmt.Fprintln(cmd.ErrOrStderr(), "done")
		return nil
	}
	if len(fields) > 1 {
		return printRecord(out, fields)
	}
	switch value := fields[0].value; value[0] {
	case '[':
		return c.printList(cmd, value)
	case '{':
		record, err := flatten(value, "")
		if err != nil {
			return err
		}
		return printRecord(out, record)
	default:
		fmt.Fprintln(out, cell(value))
		return nil
	}
}

// printJSON prints indented JSON.
func printJSON(w io.Writer, data json.RawMessage) error {
	var b bytes.Buffer
	if err := json.Indent(&b, data, "", "  "); err != nil {
		return fmt.Errorf("print JSON: %w", err)
	}
	b.WriteByte('\n')
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("print JSON: %w", err)
	}
	return nil
}

// member is a field of a JSON object.
type member struct {
	name  string
	value json.RawMessage
}

// readObject returns the fields of a JSON object in their order.
func readObject(object json.RawMessage) ([]member, error) {
	decoder := json.NewDecoder(bytes.NewReader(object))
	if _, err := decoder.Token(); err != nil {
		return nil, err
	}
	var list []member
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, err
		}
		list = append(list, member{fmt.Sprint(name), value})
	}
	return list, nil
}

// flatten returns an object's fields, with those of nested objects by dotted names:
// dimensions.width.
func flatten(object json.RawMessage, above string) ([]member, error) {
	fields, err := readObject(object)
	if err != nil {
		return nil, err
	}
	var list []member
	for _, f := range fields {
		f.name = above + f.name
		if f.value[0] != '{' {
			list = append(list, f)
			continue
		}
		inner, err := flatten(f.value, f.name+".")
		if err != nil {
			return nil, err
		}
		list = append(list, inner...)
	}
	return list, nil
}

// cell formats a JSON value for a table: strings without quotes, lists of strings and
// numbers separated by commas, anything else as JSON.
func cell(value json.RawMessage) string {
	var text string
	var list []json.RawMessage
	switch {
	case string(value) == "null":
		return ""
	case value[0] == '"' && json.Unmarshal(value, &text) == nil:
		return text
	case value[0] == '[' && json.Unmarshal(value, &list) == nil && !slices.ContainsFunc(list, isCompound):
		var texts []string
		for _, item := range list {
			texts = append(texts, cell(item))
		}
		return strings.Join(texts, ",")
	}
	var b bytes.Buffer
	if err := json.Compact(&b, value); err != nil {
		return string(value)
	}
	return b.String()
}

func isCompound(value json.RawMessage) bool { return value[0] == '{' || value[0] == '[' }

// printRecord prints a record with a line for each field, and a line for each record of
// a nested list.
func printRecord(w io.Writer, record []member) error {
	table := terminal.Table{}
	for _, f := range record {
		var items []json.RawMessage
		if f.value[0] != '[' || json.Unmarshal(f.value, &items) != nil || !slices.ContainsFunc(items, isCompound) {
			table.Add(f.name, cell(f.value))
			continue
		}
		for i, item := range items {
			table.Add(fmt.Sprintf("%s[%d]", f.name, i), cell(item))
		}
	}
	return table.Write(w)
}

// printList prints a list: strings with a line each, records as a table, CSV or chart.
func (c *apiCall) printList(cmd *cobra.Command, value json.RawMessage) error {
	out := cmd.OutOrStdout()
	var items []json.RawMessage
	if err := json.Unmarshal(value, &items); err != nil {
		return fmt.Errorf("decode the list: %w", err)
	}
	if len(items) == 0 && !c.csv {
		fmt.Fprintln(cmd.ErrOrStderr(), "none")
		return nil
	}
	if !slices.ContainsFunc(items, isCompound) && !c.csv {
		for _, item := range items {
			fmt.Fprintln(out, readable.Printable(cell(item)))
		}
		return nil
	}
	s := newSheet(c.op.Out)
	for _, item := range items {
		if !isCompound(item) {
			item = json.RawMessage(fmt.Sprintf(`{"value":%s}`, item))
		}
		if err := s.add(item, nil); err != nil {
			return fmt.Errorf("decode the list: %w", err)
		}
	}
	switch {
	case c.csv:
		return printCSV(out, s)
	case c.chart != "":
		return printChart(out, s, c.chart)
	}
	return s.table().Write(out)
}

func printCSV(w io.Writer, s *sheet) error {
	writer := csv.NewWriter(w)
	columns := s.columns(true)
	if err := writer.Write(columns); err != nil {
		return fmt.Errorf("print CSV: %w", err)
	}
	for _, row := range s.rows {
		if err := writer.Write(row.cells(columns, cell)); err != nil {
			return fmt.Errorf("print CSV: %w", err)
		}
	}
	writer.Flush()
	if err := writer.Error(); err != nil {
		return fmt.Errorf("print CSV: %w", err)
	}
	return nil
}
