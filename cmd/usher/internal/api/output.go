package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
)

// print prints the data of the response without its warnings, which go to stderr.
func (c *apiCall) print(cmd *cobra.Command, data json.RawMessage) error {
	out := cmd.OutOrStdout()
	if c.json {
		if _, isList := c.list(); isList {
			selected, err := c.selectJSON(cmd, data)
			if err != nil {
				return fmt.Errorf("decode the response: %w", err)
			}
			data = selected
		}
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

// printRecord prints a record with a line for each field, and then a table for each nested
// list of records.
func printRecord(w io.Writer, record []member) error {
	facts := terminal.Table{}
	var nested []member
	for _, f := range record {
		var items []json.RawMessage
		if f.value[0] == '[' && json.Unmarshal(f.value, &items) == nil && slices.ContainsFunc(items, isCompound) {
			facts.Add(f.name, readable.Number(int64(len(items)))+", see below")
			nested = append(nested, f)
			continue
		}
		facts.Add(f.name, cell(f.value))
	}
	if err := facts.Write(w); err != nil {
		return err
	}
	for _, f := range nested {
		if err := printNested(w, f); err != nil {
			return err
		}
	}
	return nil
}

// printNested prints a nested list of records under its name.
func printNested(w io.Writer, f member) error {
	var items []json.RawMessage
	if err := json.Unmarshal(f.value, &items); err != nil {
		return fmt.Errorf("decode %s: %w", f.name, err)
	}
	s := &sheet{used: map[string]bool{}}
	for _, item := range items {
		if !isCompound(item) {
			item = json.RawMessage(fmt.Sprintf(`{"value":%s}`, item))
		}
		if err := s.add(item, nil); err != nil {
			return fmt.Errorf("decode %s: %w", f.name, err)
		}
	}
	if _, err := fmt.Fprintf(w, "\n%s\n", readable.Printable(f.name)); err != nil {
		return fmt.Errorf("print record: %w", err)
	}
	return s.table(nil).Write(w)
}

// printList prints a list: strings with a line each, records as a table, CSV or chart.
func (c *apiCall) printList(cmd *cobra.Command, value json.RawMessage) error {
	out := cmd.OutOrStdout()
	var items []json.RawMessage
	if err := json.Unmarshal(value, &items); err != nil {
		return fmt.Errorf("decode the list: %w", err)
	}
	items, matching := c.choose(cmd, items)
	if matching == 0 && !c.csv {
		fmt.Fprintln(cmd.ErrOrStderr(), "none")
		return nil
	}
	defer c.remark(cmd, len(items), matching)
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
		return printCSV(out, s, c.selected.fields)
	case c.chart != "":
		return c.printChart(out, s)
	}
	return s.table(c.selected.fields).Write(out)
}

func printCSV(w io.Writer, s *sheet, columns []string) error {
	writer := readable.NewCSV(w)
	if len(columns) == 0 {
		columns = s.columns(true)
	}
	if err := writer.Write(columns...); err != nil {
		return fmt.Errorf("print CSV: %w", err)
	}
	for _, row := range s.rows {
		if err := writer.Write(row.cells(columns, cell)...); err != nil {
			return fmt.Errorf("print CSV: %w", err)
		}
	}
	if err := writer.Flush(); err != nil {
		return fmt.Errorf("print CSV: %w", err)
	}
	return nil
}
