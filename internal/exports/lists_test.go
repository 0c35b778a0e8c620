package exports_test

import (
	"fmt"
	"slices"
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
		"notes, as sqlite3 aligns them": {rowsFrom(1, 30, note("  ")), "separated by blanks", 0},
		"notes behind one blank":        {rowsFrom(1, 30, note(" ")), "separated by blanks", 0},
		"notes behind short ids":        {rowsFrom(1, 30, func(i int) string { return fmt.Sprintf("%016x  Anna\n", uint64(i)+0xabcdef<<40) }), "separated by blanks", 0},
		"notes before":                  {rowsFrom(1, 30, func(i int) string { return fmt.Sprintf("Anna  %s\n", uuid(i)) }), "separated by blanks", 0},
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

// TestLateList reads plain lists whose first line of several ids stands behind the head: it
// has a row for each id.
func TestLateList(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	const android = "af3802a465767e36"
	short := android[:12]
	for _, c := range []struct {
		line string
		want []string
	}{
		{id1 + "," + id2, []string{id1, id2}},
		{" " + id1 + " " + id2 + " ", []string{id1, id2}},
		{id1 + "\t" + id2, []string{id1, id2}},
		{"{" + id1 + "," + id2 + ",NULL}", []string{id1, id2, "NULL"}},
		{`["` + id1 + `","` + id2 + `"]`, []string{id1, id2}},
		{`"[""` + id1 + `"",""` + id2 + `""]"`, []string{id1, id2}},
		{`["` + id1 + `"]`, []string{id1}},
		{"[" + short + "]", []string{short}},
		{short + ",", []string{short}},
		{id1 + ",," + id2, []string{id1, "", id2}},
		{`"` + id1 + "; " + id2 + `"`, []string{id1, id2}},
		{short + "|" + android, []string{short, android}},
		{"{" + id1 + "}", []string{"{" + id1 + "}"}},
		{`"` + id1 + `"`, []string{`"` + id1 + `"`}},
		{"user, " + id1 + " of us", []string{"user, " + id1 + " of us"}},
		{`{"a":"b"}`, []string{`{"a":"b"}`}},
	} {
		for _, filler := range []string{
			id1, id2 + "\r", android, strings.Repeat("ab", 16), short, `"` + id1 + `"`, "{" + id1 + "}", "no id at all", id1 + "\n" + android + "\nnull\n\n \n",
		} {
			for _, end := range []string{"\n", "\r\n", "\n" + id1 + "\n \n", ""} {
				t.Run(c.line+" behind "+filler+" before "+end, func(t *testing.T) {
					t.Parallel()
					before := strings.Repeat(filler+"\n", 70_000/len(filler))
					o, src := export(t, before+c.line+end, exports.Options{})
					want := trimAll(slices.DeleteFunc(strings.Split(before+"\n", "\n"), func(line string) bool { return strings.TrimSpace(line) == "" }))
					want = append(want, c.want...)
					if strings.Contains(end, id1) {
						want = append(want, id1)
					}
					for _, partBytes := range []int64{1 << 20, 1 << 14} {
						rows, plan, err := read(t, o, src, partBytes)
						if end == "" && err != nil && strings.Contains(err.Error(), "ends in the middle") {
							continue // its last id is shorter than the others
						}
						if err != nil || plan.Format != "text" || !slices.Equal(rows, want) {
							t.Fatalf("parts of %d: %d rows end in %q, %v\nwant %d", partBytes, len(rows), rows[max(len(rows)-4, 0):], err, len(want))
						}
					}
				})
			}
		}
	}
}

// TestLateListCounts counts the rows of a list in which every seventh line has several ids.
func TestLateListCounts(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	lists := int64(0)
	for i := range 30_000 {
		b.WriteString(uuid(i))
		if i > 10_000 && i%7 == 0 {
			b.WriteString(", " + uuid(i+30_000) + ";null," + uuid(i+60_000))
			lists++
		}
		b.WriteString([]string{"\n", "\r\n", "\n\n"}[i%3])
	}
	o, src := export(t, b.String(), exports.Options{})
	line := writersLine{Profile: usher.Profile{Type: usher.IDFA}}
	for _, partBytes := range []int64{0, 100_000, 4099} {
		count, err := line.count(t, o, src.URL, []byte("{}"), partBytes)
		must(t, err)
		f := count.figures()
		if want := 30_000 + 2*lists; f.IDs != want || f.Distinct != want || f.Junk != lists || f.Invalid != 0 || f.Rows != want+lists {
			t.Errorf("parts of %d: %+v, %d lists", partBytes, f, lists)
		}
	}
}

// A list that was put together with CSV is refused, wherever the CSV stands: the ids of its rows
// are not lost.
func TestListsWithOtherLines(t *testing.T) {
	t.Parallel()
	list := func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(uuid(i) + "\n")
		}
		return b.String()
	}
	rows := func(n int, row string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, row+"\n", uuid(100_000+i))
		}
		return b.String()
	}
	for name, data := range map[string]string{
		"in the head":           list(100) + rows(100, "7,a note,%s,DE"),
		"quoted":                list(100) + rows(100, `"7","a, ""note""","%s","DE"`),
		"columns":               list(100) + rows(100, "7    a note    %s    DE"),
		"columns, named":        "n    note        idfa                                    country\n" + rows(100, "7    a note    %s    DE"),
		"between samples":       list(3000) + rows(100, "7,a note,%s,DE") + list(20_000),
		"between lists":         list(3000) + rows(20, uuid(1)+","+"%s") + rows(100, "7,a note,%s,DE") + list(20_000),
		"few in several blocks": strings.Repeat(list(8000)+rows(6, "7;note;%s"), 4),
	} {
		for _, part := range []int64{1 << 40, 1 << 20} {
			o, src := export(t, data, exports.Options{})
			_, _, err := read(t, o, src, part)
			if class(err) != usher.SourceBroken || !strings.Contains(permanent(t, err).Error(), "other words beside an id") {
				t.Errorf("%s: %v", name, err)
			}
			src.Format, src.Column = "text", "1"
			if _, _, err := read(t, o, src, part); err != nil {
				t.Errorf("%s, declared: %v", name, err)
			}
		}
	}
	for name, c := range map[string]struct {
		data string
		few  int64 // lines for which the record has a warning
	}{
		"few":           {list(3000) + rows(3, "7,a note,%s,DE") + list(20_000), 3},
		"few, sampled":  {list(1500) + rows(3, "%s Berlin") + list(1500), 3},
		"commas behind": {rows(100, "%s,"), 0},
		"in quotes":     {rows(100, `"%s",`), 0},
		"in braces":     {rows(100, "{ %s }"), 0},
		"blanks":        {rows(100, "  %s\t"), 0},
		"lists":         {rows(100, "%s, null"), 0},
	} {
		forms := []string{c.data, gzipped(t, c.data)}
		if c.few > 0 {
			forms = append(forms, zipped(t, member{"a.txt", list(1), 8, 0}, member{"b.txt", c.data, 8, 0}))
		}
		for _, data := range forms {
			o, src := export(t, data, exports.Options{})
			planned, read := warningsOf(t, o, src, usher.IDFA, 0)
			if len(planned) > 0 || c.few == 0 && len(read) > 0 || c.few > 0 && (len(read) != 1 || read[0].Code != "words_beside_ids" || read[0].Count != c.few) {
				t.Errorf("%s: planned %+v, read %+v", name, planned, read)
			}
		}
	}
}
