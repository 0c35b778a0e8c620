package exports_test

import (
	"archive/zip"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
)

// Two files whose rows stand on one line, because the first one has no final line end, are
// refused with the number of the row.
func TestRowsOnOneLine(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	note := func(i int) string { return fmt.Sprintf("%d,%s,Anna\n", i, uuid(i)) }
	last := func(i int) string { return fmt.Sprintf("%d,%s\n", i, uuid(i)) }
	first := func(i int) string { return fmt.Sprintf("%s,Anna %d\n", uuid(i), i) }
	quoted := func(i int) string { return fmt.Sprintf("%d,\"%s\"\n", i, uuid(i)) }
	allQuoted := func(i int) string { return fmt.Sprintf("\"%d\",\"%s\"\n", i, uuid(i)) }
	android := func(i int) string { return fmt.Sprintf("%d,%016x\n", i, uint64(i)+0xabcdef<<40) }
	for name, c := range map[string]struct {
		header string
		row    func(i int) string
		end    string // behind the first file
	}{
		"ids in the middle":              {"n,idfa,note\n", note, ""},
		"ids at the end":                 {"n,idfa\n", last, ""},
		"ids at the end, no header":      {"", last, ""},
		"ids at the beginning":           {"idfa,note\n", first, ""},
		"quoted ids at the end":          {"n,idfa\n", quoted, ""},
		"all quoted":                     {"n,idfa\n", allQuoted, ""},
		"a byte order mark in between":   {"n,idfa\n", last, "\uFEFF"},
		"short ids":                      {"n,android_id\n", android, ""},
		"lists of ids":                   {"n,idfa,x\n", func(i int) string { return fmt.Sprintf("%d,%s|%s,x\n", i, uuid(i), uuid(i+9000)) }, ""},
		"an empty cell behind the id":    {"idfa,note\n", func(i int) string { return uuid(i) + ",\n" }, ""},
		"other columns of ids beside it": {"idfa,gaid\n", func(i int) string { return uuid(i) + "," + lowerUUID(i) + "\n" }, ""},
	} {
		for _, n := range []int{20, 3000} {
			for _, part := range []int64{0, 50_000} {
				data := c.header + strings.TrimSuffix(rowsFrom(1, n, c.row), "\n") + c.end + rowsFrom(n+1, 20, c.row)
				o, src := export(t, data, exports.Options{})
				wanted := usher.IDFA
				if strings.Contains(c.header, "android") {
					wanted = usher.AndroidID
				}
				rows, _, err := readType(t, o, src, wanted, part)
				if class(err) != usher.SourceBroken || !strings.Contains(err.Error(), "on one line in row ") || part == 0 && !strings.Contains(err.Error(), fmt.Sprintf("row %d:", n)) {
					t.Errorf("%s, behind %d rows, parts of %d: %d rows, %v", name, n, part, len(rows), err)
				}
			}
		}
	}
}

// A header without a line end and the first row of another file stand on one line.
func TestRowBehindHeader(t *testing.T) {
	t.Parallel()
	for _, data := range []string{
		"n,idfa" + rowsFrom(1, 20, func(i int) string { return fmt.Sprintf("%d,%s\n", i, uuid(i)) }),
		"idfa,note" + rowsFrom(1, 20, func(i int) string { return uuid(i) + ",x\n" }),
	} {
		o, src := export(t, data, exports.Options{})
		if rows, _, err := read(t, o, src, 0); class(err) != usher.SourceBroken {
			t.Errorf("%q: %d rows, %v", data[:12], len(rows), err)
		}
	}
}

// Rows with an unquoted delimiter are malformed, as always, if they do not have two ids.
func TestUnquotedDelimiters(t *testing.T) {
	t.Parallel()
	row := func(i int) string { return fmt.Sprintf("%d,%s,Anna\n", i, uuid(i)) }
	for _, odd := range []string{"7," + id1 + ",a,b,c\n", "a,b,c," + id1 + ",x\n", "7,a," + id1 + ",b\n"} {
		o, src := export(t, "n,idfa,note\n"+rowsFrom(1, 200, row)+odd+rowsFrom(300, 20, row), exports.Options{})
		rows, _, err := read(t, o, src, 0)
		if err != nil || rows[200] != usher.MalformedRow || len(rows) != 221 {
			t.Errorf("%q: %d rows, %v", odd, len(rows), err)
		}
	}
}

// Records of NDJSON on one line are read one by one: nothing is lost where files were put
// together without a line end.
func TestRecordsOnOneLine(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	record := func(i int) string { return fmt.Sprintf(`{"n":%d,"os":"ios","idfa":%q}`, i, uuid(i)) }
	for _, between := range []string{"", " ", "\uFEFF", record(7000)} {
		for _, n := range []int{3, 1000} {
			data := strings.TrimSuffix(rowsFrom(1, n, func(i int) string { return record(i) + "\n" }), "\n") +
				between + record(n+1) + "\n" + record(n+2) + between + record(n+3)
			for _, part := range []int64{0, 10_000} {
				for _, types := range []string{"", "os"} {
					o, src := export(t, data, exports.Options{})
					src.TypeColumn = types
					rows, _, err := readType(t, o, src, usher.IDFA, part)
					want := n + 3
					if len(between) > 10 {
						want += 2
					}
					if err != nil || len(rows) != want || slices.Contains(rows, usher.MalformedRow) {
						t.Errorf("%q between, behind %d records: %d rows, want %d, %v", between, n, len(rows), want, err)
					}
				}
			}
		}
	}
}

// What is no whole record behind another one is malformed.
func TestNoRecordOnOneLine(t *testing.T) {
	t.Parallel()
	record := `{"idfa":"` + id1 + `"}`
	for _, behind := range []string{`{"idfa":`, "x", `{"idfa"}`, "[1]", `"a"`} {
		path := filepath.Join(t.TempDir(), "export")
		must(t, os.WriteFile(path, []byte(strings.Repeat(record+"\n", 20)+record+behind+"\n"+record+"\n"), 0o600))
		o := opener(t, filepath.Dir(path), exports.Options{})
		rows, _, err := read(t, o, &usher.Source{URL: path}, 0)
		if err != nil || len(rows) != 22 || rows[20] != usher.MalformedRow {
			t.Errorf("%q: %d rows, %v", behind, len(rows), err)
		}
	}
}

// Another header within a sheet is refused as in CSV, and rows of words are not.
func TestHeadersInSheet(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("long")
	}
	for name, c := range map[string]struct {
		first, second []string
		column        string
		want          bool // it is read
	}{
		"an unknown header":           {[]string{"customer", "name", "segment"}, []string{"kunde", "person", "gruppe"}, "", false},
		"below a known one":           {[]string{"idfa", "name", "segment"}, []string{"kunde", "person", "gruppe"}, "", false},
		"without a first":             {nil, []string{"kunde", "person", "gruppe"}, "", false},
		"a known header":              {[]string{"idfa", "name", "segment"}, []string{"idfv", "name", "segment"}, "", false},
		"a known header, named":       {[]string{"idfa", "name", "segment"}, []string{"idfv", "name", "segment"}, "idfa", false},
		"columns in another order":    {[]string{"idfa", "name", "segment"}, []string{"segment", "name", "idfa"}, "", false},
		"ids of any kind":             {[]string{"idfa", "name", "segment"}, []string{"id", "person", "gruppe"}, "", false},
		"the same again":              {[]string{"customer", "name", "segment"}, []string{"customer", "name", "segment"}, "", true},
		"the column is named":         {[]string{"customer", "name", "segment"}, []string{"kunde", "person", "gruppe"}, "customer", true},
		"a word beside a known value": {[]string{"customer", "name", "segment"}, []string{"entfällt", "Berta", "gold"}, "", true},
		"a state":                     {[]string{"customer", "name", "segment"}, []string{"denied", "Berta", "platinum"}, "", true},
		"a word beside a number":      {[]string{"customer", "name", "segment"}, []string{"entfällt", "Berta", "17"}, "", true},
		"a placeholder":               {[]string{"customer", "name", "segment"}, []string{"unknown", "Berta", "platinum"}, "", true},
	} {
		for _, n := range []int{30, 3000} { // in the head, and behind it
			for _, write := range []func(testing.TB, [][]string) string{workbookOf, sharedWorkbookOf} {
				row := func(i int) []string {
					return []string{uuid(i), fmt.Sprintf("Anna %d", i), []string{"gold", "silver"}[i%2]}
				}
				var sheet [][]string
				if c.first != nil {
					sheet = append(sheet, c.first)
				}
				for i := range n {
					sheet = append(sheet, row(i))
				}
				sheet = append(sheet, c.second)
				for i := range 30 {
					sheet = append(sheet, row(n+i))
				}
				o, src := export(t, write(t, sheet), exports.Options{})
				src.Column = c.column
				rows, _, err := readType(t, o, src, usher.IDFA, 0)
				if name == "ids of any kind" && n == 3000 && err == nil {
					continue // which the pipeline refuses
				}
				if c.want != (err == nil) || !c.want && class(err) != usher.SourceBroken || c.want && !slices.Contains(rows, uuid(n+29)) {
					t.Errorf("%s, behind %d rows: %d rows, %v", name, n, len(rows), err)
				}
			}
		}
	}
}

// sharedWorkbookOf returns a workbook of one sheet, whose texts are shared strings.
func sharedWorkbookOf(t testing.TB, sheet [][]string) string {
	t.Helper()
	var cells, texts strings.Builder
	at := map[string]int{}
	for _, row := range sheet {
		cells.WriteString("<row>")
		for i, text := range row {
			if _, known := at[text]; !known {
				at[text] = len(at)
				fmt.Fprintf(&texts, "<si><t>%s</t></si>", text)
			}
			fmt.Fprintf(&cells, `<c r="%c1" t="s"><v>%d</v></c>`, 'A'+i, at[text])
		}
		cells.WriteString("</row>")
	}
	return zipped(t,
		member{"[Content_Types].xml", "<x/>", zip.Deflate, 0},
		member{"xl/workbook.xml", `<workbook xmlns:r="x"><sheets><sheet name="One" r:id="rId1"/></sheets></workbook>`, zip.Deflate, 0},
		member{"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="worksheets/sheet1.xml"/>` +
			`<Relationship Id="rId2" Type="x/sharedStrings" Target="sharedStrings.xml"/></Relationships>`, zip.Deflate, 0},
		member{"xl/worksheets/sheet1.xml", "<worksheet><sheetData>" + cells.String() + "</sheetData></worksheet>", zip.Deflate, 0},
		member{"xl/sharedStrings.xml", "<sst>" + texts.String() + "</sst>", zip.Deflate, 0},
	)
}
