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
		"an unknown header":           {[]string{"idfa", "name", "segment"}, []string{"kunde", "person", "gruppe"}, "", false},
		"below a known one":           {[]string{"idfa", "name", "segment"}, []string{"kunde", "person", "gruppe"}, "", false},
		"without a first":             {nil, []string{"kunde", "person", "gruppe"}, "", false},
		"a known header":              {[]string{"idfa", "name", "segment"}, []string{"idfv", "name", "segment"}, "", false},
		"a known header, named":       {[]string{"idfa", "name", "segment"}, []string{"idfv", "name", "segment"}, "idfa", false},
		"columns in another order":    {[]string{"idfa", "name", "segment"}, []string{"segment", "name", "idfa"}, "", false},
		"ids of any kind":             {[]string{"idfa", "name", "segment"}, []string{"id", "person", "gruppe"}, "", false},
		"the same again":              {[]string{"idfa", "name", "segment"}, []string{"idfa", "name", "segment"}, "", true},
		"the column is named":         {[]string{"idfa", "name", "segment"}, []string{"kunde", "person", "gruppe"}, "idfa", true},
		"a word beside a known value": {[]string{"idfa", "name", "segment"}, []string{"entfällt", "Berta", "gold"}, "", true},
		"a state":                     {[]string{"idfa", "name", "segment"}, []string{"denied", "Berta", "platinum"}, "", true},
		"a word beside a number":      {[]string{"idfa", "name", "segment"}, []string{"entfällt", "Berta", "17"}, "", true},
		"a placeholder":               {[]string{"idfa", "name", "segment"}, []string{"unknown", "Berta", "platinum"}, "", true},
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

// Two exports of different formats in one file are refused, with the row where the second one begins,
// and not counted as rows that cannot be parsed.
func TestFormatsInOneFile(t *testing.T) {
	t.Parallel()
	notes := []string{`"plain"`, `"say ""hi"""`, `"a, b"`}
	csv := func(n int) string {
		return "n,idfa,note\n" + rowsFrom(0, n, func(i int) string { return fmt.Sprintf("%d,%s,%s\n", i, uuid(i), notes[i%len(notes)]) })
	}
	hardNotes := []string{`"said ""hi"", left"`, `C:\new\table`, `"comma, and ""x\"", end"`, `ends in \`, `"""quoted"""`, `semi;colon | pipe`, `"a \""b\"" c"`}
	hard := func(n int) string {
		return "n,note,idfa,country\n" + rowsFrom(0, n, func(i int) string { return fmt.Sprintf("%d,%s,%s,DE\n", i, hardNotes[i%len(hardNotes)], uuid(i)) })
	}
	corpus := func(name string) string {
		data, err := os.ReadFile(filepath.Join(writersDir, name))
		must(t, err)
		return string(data)
	}
	texts := []string{"plain", "said 'hi', left", "line, two", "semi;colon | pipe", "tab"}
	idOrNone := func(i int, id string) string {
		if i%9 == 8 {
			return ""
		}
		return id
	}
	two := func(n int) string {
		return "n,idfa\n" + rowsFrom(0, n, func(i int) string { return fmt.Sprintf("%d,%s\n", i, uuid(i)) })
	}
	record := func(i int) string {
		return fmt.Sprintf(`{"n": %d, "idfa": %q, "note": "say \"hi\", or"}`+"\n", i, uuid(i))
	}
	records := func(n int) string { return rowsFrom(90_000, n, record) }
	short := rowsFrom(90_000, 100, func(i int) string { return fmt.Sprintf(`{"idfa":%q}`+"\n", uuid(i)) })
	for name, c := range map[string]struct {
		data, want string
	}{
		"NDJSON behind CSV": {csv(100) + records(100), "from row 101 on, its rows are records of NDJSON"},
		"NDJSON behind CSV with backslashes": {hard(300) + rowsFrom(300, 300, func(i int) string {
			return fmt.Sprintf(`{"n":%d,"note":"said \"hi\", a","idfa":%q}`+"\n", i, uuid(i))
		}), "from row 301 on, its rows are records of NDJSON"},
		"NDJSON behind CSV of another dialect": {corpus("duckdb.csv") + corpus("duckdb.ndjson"), "from row 43 on, its rows are records of NDJSON"},
		"NDJSON behind CSV with rows without ids": {"n,note,idfa,country\n" + rowsFrom(0, 300, func(i int) string {
			return fmt.Sprintf("%d,%q,%s,DE\n", i, texts[i%len(texts)], idOrNone(i, uuid(i)))
		}) + rowsFrom(0, 300, func(i int) string {
			return fmt.Sprintf(`{"n":%d,"note":%q,"idfa":%s,"country":"DE"}`+"\n", i, texts[i%len(texts)], strings.ReplaceAll(fmt.Sprintf("%q", idOrNone(i, uuid(i))), `""`, "null"))
		}), ", its rows are records of NDJSON"},
		"one record behind CSV":               {csv(5) + records(1), "from row 6 on, its rows are records of NDJSON"},
		"more NDJSON than CSV":                {csv(3) + records(500), "from row 4 on, its rows are records of NDJSON"},
		"NDJSON in the middle":                {csv(5000) + records(50) + strings.SplitAfterN(csv(5000), "\n", 2)[1], "from row 5001 on, its rows are records of NDJSON"},
		"NDJSON behind CSV of two columns":    {two(100) + short, "from row 101 on, its rows are records of NDJSON"},
		"NDJSON, with columns of the header":  {two(100) + rowsFrom(1, 100, func(i int) string { return fmt.Sprintf(`{"n":%d,"idfa":%q}`+"\n", i, uuid(i)) }), "row 101"},
		"CSV behind NDJSON":                   {records(100) + csv(100), "from row 101 on, its lines are no JSON"},
		"CSV in the middle":                   {records(3000) + csv(50) + records(3000), "from row 3001 on, its lines are no JSON"},
		"one row of CSV behind NDJSON":        {records(5) + fmt.Sprintf("7,%s,x\n", uuid(1)), "from row 6 on, its lines are no JSON"},
		"a list behind NDJSON":                {records(300) + rowsFrom(1, 100, func(i int) string { return uuid(i) + "\n" }), "from row 301 on, its lines are no JSON"},
		"a long list of NDJSON, then a list":  {records(20_000) + rowsFrom(1, 11, func(i int) string { return uuid(i) + "\n" }), "from row 20001 on, its lines are no JSON"},
		"CSV behind NDJSON without line ends": {records(100) + strings.TrimSuffix(csv(30), "\n"), "from row 101 on, its lines are no JSON"},
	} {
		for _, part := range []int64{0, 1 << 40} {
			o, src := export(t, c.data, exports.Options{})
			_, _, err := readType(t, o, src, usher.IDFA, part)
			if class(err) != usher.SourceBroken || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(permanent(t, err).Hint, "submit a job for each of the exports that were put together here") {
				t.Errorf("%s: %v, want %q", name, err, c.want)
			}
		}
	}
	for name, data := range map[string]string{
		"a record in CSV":          csv(500) + records(1) + strings.SplitAfterN(csv(500), "\n", 2)[1],
		"ten records in CSV":       csv(5000) + records(10) + strings.SplitAfterN(csv(5000), "\n", 2)[1],
		"lines that are cut":       records(500) + strings.Repeat(`{"n": 7, "idfa": "6D92078A-`+"\n", 100) + records(500),
		"lines without ids":        records(500) + strings.Repeat("# page 2\n", 100) + records(500),
		"ten ids in NDJSON":        records(5000) + rowsFrom(1, 10, func(i int) string { return uuid(i) + "\n" }) + records(500),
		"ids here and there":       strings.Repeat(records(20)+uuid(1)+"\n", 100),
		"a few at the end, of 100": records(2000) + uuid(1) + "\n",
	} {
		o, src := export(t, data, exports.Options{})
		if _, _, err := readType(t, o, src, usher.IDFA, 0); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
