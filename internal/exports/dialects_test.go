package exports_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"usher"
	"usher/internal/exports"
)

// writer is a model of a program that writes exports.
type writer struct {
	source usher.Source // what the job declares of the dialect
	cell   func(d drawnDialect, text string) string
	null   string
	fits   func(text string) bool // whether the program can write the text; nil: it always can
}

// drawnDialect is what a writer lets its user choose.
type drawnDialect struct {
	delimiter, lineEnd string
	always             bool // quotes stand around every cell
}

func (d drawnDialect) special(text, more string) bool {
	return d.always || strings.ContainsAny(text, d.delimiter+more)
}

// writers are models of the dialects that exports are written in.
var writers = map[string]writer{
	"RFC 4180": {
		source: usher.Source{Quote: "double", Escape: "double"},
		cell: func(d drawnDialect, text string) string {
			if d.special(text, "\"\r\n") {
				return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
			}
			return text
		},
	},
	"COPY with ESCAPE '\\'": {
		source: usher.Source{Quote: "double", Escape: "backslash_in_quotes"},
		cell: func(d drawnDialect, text string) string {
			if d.special(text, "\"\r\n\\") {
				return `"` + strings.NewReplacer(`"`, `\"`, `\`, `\\`).Replace(text) + `"`
			}
			return text
		},
	},
	"OUTFILE, enclosed": {
		source: usher.Source{Quote: "double", Escape: "backslash"},
		null:   `\N`,
		cell: func(_ drawnDialect, text string) string {
			return `"` + strings.NewReplacer(`"`, `\"`, `\`, `\\`, "\n", "\\\n").Replace(text) + `"`
		},
	},
	"OUTFILE": {
		source: usher.Source{Quote: "none", Escape: "backslash"},
		null:   `\N`,
		cell: func(d drawnDialect, text string) string {
			if d.lineEnd == "\r\n" {
				text = strings.ReplaceAll(text, "\r", `\r`)
			}
			return strings.NewReplacer(d.delimiter, `\`+d.delimiter, `\`, `\\`, "\n", "\\\n").Replace(text)
		},
	},
	"COPY in text": {
		source: usher.Source{Quote: "none", Escape: "backslash"},
		null:   `\N`,
		cell: func(d drawnDialect, text string) string {
			return strings.NewReplacer(d.delimiter, `\`+d.delimiter, `\`, `\\`, "\n", `\n`, "\r", `\r`).Replace(text)
		},
	},
	"without quotes": {
		source: usher.Source{Quote: "none", Escape: "double"},
		cell:   func(_ drawnDialect, text string) string { return text },
		fits:   func(text string) bool { return !strings.ContainsAny(text, "\r\n") },
	},
}

// wholeID matches a row that is a device id.
var wholeID = regexp.MustCompile(`^([0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}|[0-9a-f]{16})$`)

// drawNote draws the text of a cell that stands beside the ids.
func drawNote() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{
			"", "Berlin", `say "hi"`, `"quoted"`, `C:\temp\`, `\`, `\\`, `\"`, `a\"b`, `"`, `""`, `","`, "a,b;c|d\te", "two\nlines", "two\r\nlines",
			`\N`, "NULL", "é 😀 ü", "'", ` "x" `, "a\\\nb", `\,`, `\;`, `x\`, id3, `"` + id3 + `"`, "," + id3 + ",", id3 + "\n", "#1", "sep=;",
		}),
		rapid.StringOfN(rapid.RuneFrom([]rune("ab,;|\t\"\\\n\r é'")), 0, 12, -1),
	)
}

// drawID draws an id, or a cell without one.
func drawID() *rapid.Generator[string] {
	hex := rapid.StringOfN(rapid.RuneFrom([]rune("0123456789ABCDEF")), 32, 32, -1)
	return rapid.Custom(func(t *rapid.T) string {
		if rapid.IntRange(0, 7).Draw(t, "no id") == 0 {
			return ""
		}
		h := hex.Draw(t, "id")
		return h[:8] + "-" + h[8:12] + "-4" + h[13:16] + "-A" + h[17:20] + "-" + h[20:]
	})
}

// table is a table as a CRM system has it, with the ids in one of its columns.
type table struct {
	header []string
	cells  [][]string
	ids    []string // the ids, in order
	column int
}

func drawTable(t *rapid.T, fits func(string) bool) table {
	columns := rapid.IntRange(2, 5).Draw(t, "columns")
	made := table{column: rapid.IntRange(0, columns-1).Draw(t, "column")}
	for i := range columns {
		name := fmt.Sprintf("note %d", i)
		if i == made.column {
			name = "idfa"
		}
		made.header = append(made.header, name)
	}
	for range rapid.IntRange(1, 30).Draw(t, "rows") {
		row := make([]string, columns)
		for i := range row {
			if i == made.column {
				row[i] = drawID().Draw(t, "id")
				continue
			}
			for row[i] = drawNote().Draw(t, "note"); fits != nil && !fits(row[i]); {
				row[i] = drawNote().Draw(t, "note")
			}
		}
		if id := row[made.column]; id != "" {
			made.ids = append(made.ids, id)
		}
		made.cells = append(made.cells, row)
	}
	return made
}

// write writes the table as the program does.
func (w *writer) write(t *rapid.T, table table, d drawnDialect) string {
	var b strings.Builder
	line := func(cells []string, null string) {
		for i, cell := range cells {
			if i > 0 {
				b.WriteString(d.delimiter)
			}
			if cell == "" && null != "" {
				b.WriteString(null)
			} else {
				b.WriteString(w.cell(d, cell))
			}
		}
		b.WriteString(d.lineEnd)
	}
	line(table.header, "")
	for _, row := range table.cells {
		line(row, w.null)
	}
	if rapid.Bool().Draw(t, "no last line end") {
		return strings.TrimSuffix(b.String(), d.lineEnd)
	}
	return b.String()
}

// TestDialects reads tables as the models write them, whole and in parts of any size. If
// the job declares the dialect, the ids are exactly those of the table. If it declares
// nothing, they are these, or the export is refused. There is no third outcome.
func TestDialects(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	for name, w := range writers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			o := opener(t, dir, exports.Options{})
			path := filepath.Join(dir, "export")
			tables, exact := 0, 0
			rapid.Check(t, func(r *rapid.T) {
				delimiters := []string{",", ";", "|", "\t", "\x01"}
				if w.source.Quote == "none" {
					delimiters = []string{"\t", "\x01", "|"}
				}
				d := drawnDialect{
					delimiter: rapid.SampledFrom(delimiters).Draw(r, "delimiter"),
					lineEnd:   rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(r, "line end"),
					always:    rapid.Bool().Draw(r, "always"),
				}
				fits := func(text string) bool {
					return (w.fits == nil || w.fits(text)) && (w.source.Escape != "double" || w.source.Quote == "double" || !strings.Contains(text, d.delimiter))
				}
				table := drawTable(r, fits)
				must(t, os.WriteFile(path, []byte(w.write(r, table, d)), 0o600))
				part := rapid.OneOf(rapid.Just(int64(1<<40)), rapid.Int64Range(1, 400)).Draw(r, "part")
				declared := w.source
				declared.URL, declared.Delimiter, declared.Format = path, d.delimiter, "csv"
				checkTable(r, t, o, &declared, table, part, "declared", part == 1<<40)
				tables++
				if checkTable(r, t, o, &usher.Source{URL: path}, table, part, "auto", false) {
					exact++
				}
			})
			t.Logf("%d tables, %d read exactly with nothing declared, the others refused", tables, exact)
			if 10*exact < tables {
				t.Errorf("with nothing declared, only %d of %d tables are read", exact, tables)
			}
		})
	}
}

// checkTable reads an export of a table, and reports whether it was read. It fails
// unless the ids are those of the table, or the export is refused and need not be read.
func checkTable(r *rapid.T, t *testing.T, o *exports.Opener, src *usher.Source, table table, part int64, how string, needed bool) bool {
	rows, plan, err := read(t, o, src, part)
	if err != nil {
		if class(err) != usher.SourceBroken || needed {
			r.Fatalf("%s: %v\nplan %+v", how, err, plan)
		}
		return false
	}
	if slices.Contains(rows, usher.MalformedRow) && !needed {
		return false // more than maxMalformedPercent, so the job is refused
	}
	ids := slices.DeleteFunc(rows, func(row string) bool { return !wholeID.MatchString(strings.TrimSpace(row)) })
	for i := range ids {
		ids[i] = strings.TrimSpace(ids[i])
	}
	if !slices.Equal(ids, table.ids) {
		r.Fatalf("%s: ids %q\nwant %q\nplan %+v", how, ids, table.ids, plan)
	}
	return true
}

// TestBackslashBeforeQuote reads exports whose quoted cells end in a backslash: as a
// whole, in parts, and with cells that have line ends. It cannot be another dialect, since
// the rows would have another number of columns.
func TestBackslashBeforeQuote(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	const rows = 30_000
	for name, row := range map[string]string{
		"on every row": "1," + id1 + `,"c:\"` + "\n",
		"in a cycle":   "1," + id1 + `,"a ""q"", b` + "\nnext\"\n2," + id2 + ",plain\n3," + id3 + `,"c:\"` + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o, src := export(t, "n,idfa,note\n"+strings.Repeat(row, rows), exports.Options{})
			got, _, err := read(t, o, src, 1<<40)
			if want := rows * (strings.Count(row, "\n") - strings.Count(row, "\nnext")); err != nil || len(got) != want {
				t.Errorf("%d rows, %v", len(got), err)
			}
			if got, plan, err := read(t, o, src, 300_000); err != nil || strings.Contains(row, "\nnext") != (len(plan.Parts) == 1) {
				t.Errorf("in %d parts: %d rows, %v", len(plan.Parts), len(got), err)
			}
		})
	}
}

// TestEscapeSettles checks that a declared escape ends all doubts about quotes.
func TestEscapeSettles(t *testing.T) {
	t.Parallel()
	o, src := export(t, "n,idfa,note\n1,"+id1+`,"a\",b"`+"\n2,"+id2+",x\n", exports.Options{})
	if _, _, err := read(t, o, src, 1<<40); class(err) != usher.SourceBroken && err != nil {
		t.Error(err)
	}
	for _, escape := range []string{"double", "backslash", "backslash_in_quotes"} {
		src.Escape = escape
		if rows, _, err := read(t, o, src, 1<<40); err != nil || len(rows) != 2 {
			t.Errorf("%s: rows %q, %v", escape, rows, err)
		}
	}
}

// TestEscapeLeavesQuotesOpen reads what the MySQL client writes, with a backslash as the
// declared escape. That quotes are ordinary characters is seen in the head, or is still to
// be settled.
func TestEscapeLeavesQuotesOpen(t *testing.T) {
	t.Parallel()
	rows := "1\t" + id1 + "\tx\n2\t" + id2 + "\t\"a\n3\t" + id3 + "\tb\"\n4\t" + id1 + "\t\"c\" d\n"
	many := strings.Repeat("1\t"+id1+"\tx\n", 30_000)
	for name, c := range map[string]struct {
		data    string
		refused bool
	}{
		"in the head":         {rows, false},
		"behind it":           {many + rows, true},
		"behind it, in pairs": {many + strings.SplitAfter(rows, "b\"\n")[0], true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o, src := export(t, "n\tidfa\tnote\n"+c.data, exports.Options{})
			src.Escape = "backslash"
			got, _, err := read(t, o, src, 1<<40)
			if c.refused && (class(err) != usher.SourceBroken || !strings.Contains(permanent(t, err).Hint, "source.quote to none")) {
				t.Error(err)
			}
			if c.refused {
				src.Quote = "none"
				got, _, err = read(t, o, src, 1<<40)
			}
			if err != nil || len(got) != strings.Count(c.data, "\n") {
				t.Errorf("%d rows, %v", len(got), err)
			}
		})
	}
}

// TestReadingsThatFit refuses exports that two dialects read without a fault, and whose
// rows have other fields in each.
func TestReadingsThatFit(t *testing.T) {
	t.Parallel()
	for name, data := range map[string]string{
		"a delimiter in quotes, or escaped": "a|idfa|b|c|d\r\n" + `x\|y|` + id1 + `|z|"b|,,"` + "\r\n",
		"two rows, or an escaped line end":  "a|b|idfa|c\r\n" + `x|y\|z\|\` + "\n|" + id1 + `|,\|` + "t\r\n",
	} {
		o, src := export(t, data, exports.Options{})
		if rows, _, err := read(t, o, src, 1<<40); class(err) != usher.SourceBroken {
			t.Errorf("%s: rows %q, %v", name, rows, err)
		}
		src.Quote, src.Escape = "none", "backslash"
		if rows, _, err := read(t, o, src, 1<<40); err != nil || len(rows) != 1 || rows[0] != id1 {
			t.Errorf("%s, declared: rows %q, %v", name, rows, err)
		}
	}
}

// TestQuotedOrEscaped refuses an export without quotes around cells, in which a backslash may
// escape a line end, so that a row would vanish, or nothing, and then a cell has quotes at
// both ends.
func TestQuotedOrEscaped(t *testing.T) {
	t.Parallel()
	data := "idfa|a|b\n" + id2 + `|\b\|x\` + "\n" + id1 + `|\|"` + id3 + `"` + "\n" + id2 + `|"|'` + "\n"
	o, src := export(t, data, exports.Options{})
	if rows, _, err := read(t, o, src, 1<<40); class(err) != usher.SourceBroken {
		t.Errorf("rows %q, %v", rows, err)
	}
	src.Quote, src.Escape = "none", "double"
	if rows, _, err := read(t, o, src, 1<<40); err != nil || len(rows) != 3 {
		t.Errorf("declared: rows %q, %v", rows, err)
	}
}

// fputcsv writes a record as PHP does by default: a quote is doubled unless a backslash
// stands before it, and the backslash stays.
func fputcsv(cells ...string) string {
	for i, cell := range cells {
		if !strings.ContainsAny(cell, ",\"\\\n\r\t ") {
			continue
		}
		var b strings.Builder
		escaped := false
		for _, c := range []byte(cell) {
			if c == '"' && !escaped {
				b.WriteByte('"')
			}
			escaped = c == '\\'
			b.WriteByte(c)
		}
		cells[i] = `"` + b.String() + `"`
	}
	return strings.Join(cells, ",") + "\n"
}

// TestPHP reads what PHP writes by default. No dialect reads it, since a backslash protects
// some quotes and others are doubled, so the refusal must say how to write it.
func TestPHP(t *testing.T) {
	t.Parallel()
	for _, notes := range [][]string{
		{`5" and \"`, `6"`},
		{`a\", b`, `say "hi", you`},
		{`x \\", y`, `say "hi"`},
		{`C:\`, `say "hi, you"`, `\", z`},
		{`plain`, `a\b`},
		{`say "hi"`, `plain`},
	} {
		for _, late := range []int{0, 3000} { // behind the head
			data := fputcsv("n", "note", "idfa", "country") + strings.Repeat(fputcsv("1", "note", id1, "DE"), late)
			want := slices.Repeat([]string{id1}, late)
			for _, note := range notes {
				data += fputcsv("1", note, id2, "DE")
				want = append(want, id2)
			}
			o, src := export(t, data, exports.Options{})
			rows, _, err := read(t, o, src, 1<<40)
			for i, row := range rows {
				if row == usher.MalformedRow { // not read, and counted
					rows[i] = want[i]
				}
			}
			switch {
			case err == nil && !slices.Equal(rows, want):
				t.Errorf("%q: %d rows, want %d", notes, len(rows), len(want))
			case err != nil && (class(err) != usher.SourceBroken || !strings.Contains(permanent(t, err).Hint, `fputcsv($f, $row, escape: "")`)):
				t.Errorf("%q: %v: %s", notes, err, permanent(t, err).Hint)
			}
		}
	}
}
