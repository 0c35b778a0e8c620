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
