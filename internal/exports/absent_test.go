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
