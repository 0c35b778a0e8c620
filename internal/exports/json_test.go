package exports_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
)

// TestJSON reads JSON that is not one object a line.
func TestJSON(t *testing.T) {
	t.Parallel()
	object := func(id string) string { return "{\n \"n\": 1,\n \"idfa\": \"" + id + "\"}" }
	for _, c := range []struct {
		name, data string
		want       []string
	}{
		{"objects over several lines", object(id1) + "\n" + object(id2), []string{id1, id2}},
		{"an array", "[" + object(id1) + ",\n" + object(id2) + "\n]\n", []string{id1, id2}},
		{"an array in one line", `[{"idfa":"` + id1 + `"},{},{"idfa":"` + id2 + `"}]`, []string{id1, "", id2}},
		{"two arrays", "[\n" + object(id1) + "][" + object(id2) + "]", []string{id1, id2}},
		{"UTF-16", utf16le("\ufeff[" + object(id1) + "]"), []string{id1}},
		{"a record that does not parse", "[" + object(id1) + ",\n" + `{"idfa": nope}` + ",\n" + object(id2) + "]", []string{id1, usher.MalformedRow, id2}},
		{"a record that is too long", "[" + object(id1) + ",\n" + object(strings.Repeat("x", 1<<20)) + ",\n" + object(id2) + "]", []string{id1, usher.MalformedRow, id2}},
		{"several ids", "[\n{\"idfa\": [\"" + id1 + "\",\n\"" + id2 + "\"]}]", []string{id1, id2}},
		{"an empty array", "[\n]\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o, src := export(t, c.data, exports.Options{})
			rows, plan, err := read(t, o, src, 1)
			if err != nil || plan.Format != "json" || strings.Join(rows, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("%s: %q, %v\nwant %q", plan.Format, rows, err, c.want)
			}
		})
	}
}

// TestAbsentField reads folders of NDJSON in which a file lacks the field of ids, or has
// it in a few records only.
func TestAbsentField(t *testing.T) {
	t.Parallel()
	const records = 6000
	write := func(field string, has func(i int) bool) (text string, rows []string) {
		var b strings.Builder
		for i := range records {
			row := ""
			if has(i) {
				row = uuid(i)
				fmt.Fprintf(&b, `{"n":%d,"note":"%s",%q:%q}`+"\n", i, strings.Repeat("x", 30), field, row)
			} else {
				fmt.Fprintf(&b, `{"n":%d,"note":"%s"}`+"\n", i, strings.Repeat("x", 60))
			}
			rows = append(rows, row)
		}
		return b.String(), rows
	}
	always := func(int) bool { return true }
	full, fullRows := write("idfa", always)
	other, _ := write("gaid", always)
	rare, rareRows := write("idfa", func(i int) bool { return i == records-1 })
	sorted, sortedRows := write("idfa", func(i int) bool { return i >= records/2 })
	for _, c := range []struct {
		name   string
		files  []string
		column string
		many   bool // the export has several parts
		want   []string
		says   string
	}{
		{"in all records", []string{full}, "", true, fullRows, ""},
		{"a misspelt field", []string{full}, "idfaa", false, nil, "none of its rows has the field idfaa"},
		{"in the last record", []string{rare}, "idfa", false, rareRows, ""},
		{"in the second half", []string{sorted}, "idfa", true, sortedRows, ""},
		{"not in the second file", []string{full, other}, "", true, nil, "b.json"},
		{"rarely in the second file", []string{full, rare}, "", true, slices.Concat(fullRows, rareRows), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for i, text := range c.files {
				must(t, os.WriteFile(filepath.Join(dir, string(rune('a'+i))+".json"), []byte(text), 0o600))
			}
			o, src := opener(t, dir, exports.Options{}), &usher.Source{URL: filepath.Join(dir, "a.json"), Column: c.column}
			if len(c.files) > 1 {
				src.URL = dir + "/"
			}
			rows, plan, err := read(t, o, src, 50_000)
			if many := len(plan.Parts) > len(c.files); many != c.many {
				t.Errorf("%d parts", len(plan.Parts))
			}
			if c.says == "" {
				if err != nil || !slices.Equal(rows, c.want) {
					t.Errorf("%d rows, %v", len(rows), err)
				}
			} else if class(err) != usher.SourceBroken || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%d rows, %v", len(rows), err)
			}
		})
	}
}
