package exports_test

import (
	"fmt"
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
)

// Lines that have as many ids each, and no header, are lists or rows of several columns of
// ids. They are refused unless the job says which.
func TestListsOrColumns(t *testing.T) {
	t.Parallel()
	spaced := func(between string) func(i int) string {
		return func(i int) string { return uuid(i) + between + lowerUUID(1000+i) + "\n" }
	}
	array := func(i int) string { return fmt.Sprintf("[%q,%q]\n", uuid(i), lowerUUID(1000+i)) }
	for name, c := range map[string]struct {
		data   string
		source usher.Source // that settles it; none: it is read
		rows   int
	}{
		"a blank":                        {rowsFrom(1, 30, spaced(" ")), usher.Source{Delimiter: " ", Column: "1"}, 30},
		"a blank, lists":                 {rowsFrom(1, 30, spaced(" ")), usher.Source{Format: "text"}, 60},
		"two blanks":                     {rowsFrom(1, 30, spaced("  ")), usher.Source{Delimiter: " ", Column: "3"}, 30},
		"a blank, some without a second": {rowsFrom(1, 20, spaced(" ")) + rowsFrom(100, 10, func(i int) string { return uuid(i) + "\n" }), usher.Source{Format: "text"}, 50},
		"arrays":                         {rowsFrom(1, 30, array), usher.Source{Format: "text"}, 60},
		"arrays with null":               {rowsFrom(1, 29, array) + fmt.Sprintf("[null,%q]\n", uuid(30)), usher.Source{Format: "text"}, 60},
		"arrays with null first":         {fmt.Sprintf("[null,%q]\n", uuid(30)) + rowsFrom(1, 29, array), usher.Source{Format: "text"}, 60},
		"bullets":                        {rowsFrom(1, 30, func(i int) string { return "- " + uuid(i) + "\n" }), usher.Source{}, 60},
		"ids in turns":                   {rowsFrom(1, 20, func(i int) string { return []string{uuid(i) + " null\n", "null " + uuid(i) + "\n"}[i%2] }), usher.Source{Format: "text"}, 40},
		"lists of other lengths": {rowsFrom(1, 30, func(i int) string {
			return strings.TrimSpace(strings.Repeat(uuid(i)+" ", 1+i%4)) + "\n"
		}), usher.Source{}, 75},
		"arrays of other lengths": {rowsFrom(1, 30, func(i int) string {
			return "[" + strings.Repeat(fmt.Sprintf("%q,", uuid(1000+i)), i%2) + fmt.Sprintf("%q]\n", uuid(i))
		}), usher.Source{}, 45},
		"arrays of one id": {rowsFrom(1, 30, func(i int) string { return fmt.Sprintf("[%q]\n", uuid(i)) }), usher.Source{}, 30},
		"one array":        {fmt.Sprintf("[%q,%q]\n", uuid(1), uuid(2)), usher.Source{}, 2},
		"lists in braces":  {rowsFrom(1, 30, func(i int) string { return "{" + uuid(i) + "," + uuid(100+i) + "}\n" }), usher.Source{}, 60},
		"under a name":     {"idfa\n" + rowsFrom(1, 30, spaced(" ")), usher.Source{}, 60},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o, src := export(t, c.data, exports.Options{})
			rows, _, err := readType(t, o, src, usher.IDFA, 0)
			if c.source.Format+c.source.Delimiter != "" {
				if class(err) != usher.SourceBroken || !strings.Contains(permanent(t, err).Hint, "set source.format to text") {
					t.Errorf("%d rows, %v", len(rows), err)
				}
				c.source.URL = src.URL
				rows, _, err = readType(t, o, &c.source, usher.IDFA, 0)
			}
			if err != nil || len(rows) != c.rows {
				t.Errorf("%d rows, %v", len(rows), err)
			}
		})
	}
}

// A plain list whose lines are partly of another format is refused.
func TestOtherLinesInList(t *testing.T) {
	t.Parallel()
	one := func(i int) string { return uuid(i) + "\n" }
	record := func(i int) string { return fmt.Sprintf(`{"idfa":%q}`+"\n", uuid(i)) }
	note := func(between string) func(i int) string {
		return func(i int) string { return uuid(i) + between + fmt.Sprintf("Anna %d\n", i) }
	}
	for name, c := range map[string]struct {
		data string
		says string // "": it is read
		rows int
	}{
		"NDJSON behind a list":          {rowsFrom(1, 30, one) + rowsFrom(100, 30, record), "NDJSON", 0},
		"NDJSON far behind":             {rowsFrom(1, 3000, one) + rowsFrom(10_000, 300, record), "NDJSON", 0},
		"a record among many ids":       {rowsFrom(1, 300, one) + record(1000), "", 301},
		"notes, as sqlite3 aligns them": {rowsFrom(1, 30, note("  ")), ".mode csv", 0},
		"notes behind one blank":        {rowsFrom(1, 30, note(" ")), ".mode csv", 0},
		"notes behind short ids":        {rowsFrom(1, 30, func(i int) string { return fmt.Sprintf("%016x  Anna\n", uint64(i)+0xabcdef<<40) }), ".mode csv", 0},
		"notes before":                  {rowsFrom(1, 30, func(i int) string { return fmt.Sprintf("Anna  %s\n", uuid(i)) }), ".mode csv", 0},
		"notes behind some":             {rowsFrom(1, 30, one) + rowsFrom(100, 5, note(" ")), ".mode csv", 0},
		"notes behind a few":            {rowsFrom(1, 300, one) + rowsFrom(1000, 3, note(" ")), "", 303},
		"empty braces":                  {rowsFrom(1, 30, func(i int) string { return "{" + uuid(i) + "}\n{}\n" }), "", 60},
		"words alone":                   {rowsFrom(1, 30, one) + rowsFrom(100, 30, func(int) string { return "no id at all\n" }), "", 60},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o, src := export(t, c.data, exports.Options{})
			rows, _, err := readType(t, o, src, usher.IDFA, 0)
			if c.says == "" && (err != nil || len(rows) != c.rows) {
				t.Errorf("%d rows, %v", len(rows), err)
			}
			if c.says != "" && (class(err) != usher.SourceBroken || !strings.Contains(err.Error()+permanent(t, err).Hint, c.says)) {
				t.Errorf("%d rows, %v", len(rows), err)
			}
		})
	}
}
