package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
)

// screenLimit is the number of rows that a terminal gets if --limit is not given.
const screenLimit = 100

// selection has the flags that select from a list.
type selection struct {
	search string
	limit  int
	fields []string
}

// addListFlags adds --search, --limit and, for lists of records, --fields.
func (c *apiCall) addListFlags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&c.selected.search, "search", "", "print only entries that contain the `TEXT` in any field, in any case")
	cmd.Flags().IntVar(&c.selected.limit, "limit", -1, fmt.Sprintf("print at most `N` entries, 0 for all (default %d on a terminal, otherwise all)", screenLimit))
	if c.listOfRecords() {
		cmd.Flags().StringSliceVar(&c.selected.fields, "fields", nil, "print only these `FIELDS`, separated by commas: "+strings.Join(c.columnNames(), ", "))
		complete(cmd, "fields", c.columnNames())
	}
}

// list returns the list in the response's type, and false if it has none.
func (c *apiCall) list() (reflect.Type, bool) {
	if c.op.Out.NumField() != 1 {
		return nil, false
	}
	t := c.op.Out.Field(0).Type
	return t, t.Kind() == reflect.Slice
}

// listOfRecords reports whether the response is a list of records.
func (c *apiCall) listOfRecords() bool {
	t, isList := c.list()
	return isList && t.Elem().Kind() == reflect.Struct
}

func (c *apiCall) columnNames() []string {
	var names []string
	for _, k := range newSheet(c.op.Out).known {
		names = append(names, k.name)
	}
	return names
}

// checkOutput checks the flags about the output before anything is sent.
func (c *apiCall) checkOutput() error {
	if c.selected.limit < -1 {
		return command.Usagef("--limit takes a number of entries, 0 for all")
	}
	for _, field := range c.selected.fields {
		if err := command.CheckWord(field, c.columnNames()); err != nil {
			return command.Usagef("--fields %s: %w", readable.Printable(field), err)
		}
	}
	return c.checkChart()
}

// choose returns the selected entries of a list, and how many match --search.
func (c *apiCall) choose(cmd *cobra.Command, items []json.RawMessage) (chosen []json.RawMessage, matching int) {
	if text := strings.ToLower(c.selected.search); text != "" {
		items = slices.DeleteFunc(items, func(item json.RawMessage) bool { return !mayContain(item, text) || !contains(item, text) })
	}
	matching = len(items)
	limit := c.selected.limit
	if limit < 0 && !c.json && !c.csv && c.chart == "" && terminal.IsTerminal(cmd.OutOrStdout()) {
		limit = screenLimit
	}
	if limit > 0 && limit < matching {
		items = items[:limit]
	}
	return items, matching
}

// remark says on stderr how many entries were left out.
func (c *apiCall) remark(cmd *cobra.Command, printed, matching int) {
	if printed < matching {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s of %s printed; --limit 0 prints all, --search TEXT finds some\n", readable.Number(int64(printed)), readable.Number(int64(matching)))
	}
}

// mayContain is a quick filter before contains: it searches the JSON as it is, without parsing
// it. It returns true for each value that contains accepts, and for some others, such as one with
// the text in the name of a field. If the JSON has escapes, it returns true without a search,
// because they may hide the text.
func mayContain(value json.RawMessage, text string) bool {
	return bytes.IndexByte(value, '\\') >= 0 || bytes.Contains(bytes.ToLower(value), []byte(text))
}

// contains reports whether a value, or a value inside it, contains a text in lower case.
func contains(value json.RawMessage, text string) bool {
	var inside []json.RawMessage
	switch value[0] {
	case '{':
		members, _ := readObject(value) // valid JSON
		for _, m := range members {
			inside = append(inside, m.value)
		}
	case '[':
		_ = json.Unmarshal(value, &inside) // valid JSON
	default:
		return strings.Contains(strings.ToLower(cell(value)), text)
	}
	return slices.ContainsFunc(inside, func(v json.RawMessage) bool { return contains(v, text) })
}

// selectJSON returns the data of a response with the selected entries and fields only.
func (c *apiCall) selectJSON(cmd *cobra.Command, data json.RawMessage) (json.RawMessage, error) {
	members, err := readObject(data)
	if err != nil {
		return nil, err
	}
	name := jsonName(c.op.Out.Field(0))
	at := slices.IndexFunc(members, func(m member) bool { return m.name == name && m.value[0] == '[' })
	if at < 0 {
		return data, nil
	}
	var items []json.RawMessage
	if err := json.Unmarshal(members[at].value, &items); err != nil {
		return nil, err
	}
	items, matching := c.choose(cmd, items)
	c.remark(cmd, len(items), matching)
	for i := range items {
		if items[i], err = pick(items[i], c.selected.fields, ""); err != nil {
			return nil, err
		}
	}
	if members[at].value, err = json.Marshal(append([]json.RawMessage{}, items...)); err != nil {
		return nil, err
	}
	return writeObject(members)
}

// pick returns an object with only some of its fields. The names are those of columns: the
// fields of nested objects have dotted names, those of nested lists of records have not.
func pick(object json.RawMessage, fields []string, above string) (json.RawMessage, error) {
	if len(fields) == 0 || object[0] != '{' {
		return object, nil
	}
	members, err := readObject(object)
	if err != nil {
		return nil, err
	}
	var picked []member
	for _, m := range members {
		var records []json.RawMessage
		switch {
		case slices.Contains(fields, above+m.name):
		case m.value[0] == '{':
			if m.value, err = pick(m.value, fields, above+m.name+"."); err != nil {
				return nil, err
			}
			if string(m.value) == "{}" {
				continue
			}
		case m.value[0] == '[' && json.Unmarshal(m.value, &records) == nil && len(records) > 0 && records[0][0] == '{':
			if m.value, err = pickEach(records, fields); err != nil {
				return nil, err
			}
			if strings.HasPrefix(string(m.value), "[{}") {
				continue
			}
		default:
			continue
		}
		picked = append(picked, m)
	}
	return writeObject(picked)
}

func pickEach(records []json.RawMessage, fields []string) (json.RawMessage, error) {
	for i := range records {
		var err error
		if records[i], err = pick(records[i], fields, ""); err != nil {
			return nil, err
		}
	}
	return json.Marshal(records)
}

// writeObject returns an object with its fields in their order.
func writeObject(members []member) (json.RawMessage, error) {
	var b strings.Builder
	b.WriteString("{")
	for i, m := range members {
		name, err := json.Marshal(m.name)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b.WriteString(",")
		}
		b.Write(name)
		b.WriteString(":")
		b.Write(m.value)
	}
	b.WriteString("}")
	return json.RawMessage(b.String()), nil
}
