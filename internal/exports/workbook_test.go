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

// TestTitleOfSheet reads sheets with rows before their header.
func TestTitleOfSheet(t *testing.T) {
	t.Parallel()
	header, row := []string{"n", "idfa", "note"}, []string{"1", id1, "x"}
	for name, c := range map[string]struct {
		rows [][]string
		skip int // that the hint names; 0: it is read
	}{
		"none":                     {[][]string{header, row, row}, 0},
		"a title":                  {[][]string{{"Contacts"}, header, row, row}, 1},
		"a title and an empty row": {[][]string{{"Contacts"}, {}, header, row, row}, 2},
		"a title of two cells":     {[][]string{{"Contacts", "March"}, header, row, row}, 1},
		"an unknown header":        {[][]string{{"Contacts"}, {"a", "device id", "c"}, row, row}, 1},
		"two columns":              {[][]string{{"Contacts"}, {"n", "idfa"}, row[:2], row[:2]}, 1},
		"one column":               {[][]string{{"idfa"}, {"NULL"}, {"", "a remark", "another"}, {id1}}, 0},
		"no header":                {[][]string{row, {"2"}, {"3", "", "y"}}, 0},
	} {
		o, src := export(t, workbookOf(t, c.rows), exports.Options{})
		rows, _, err := read(t, o, src, 0)
		if c.skip == 0 {
			if err != nil || len(rows) == 0 {
				t.Errorf("%s: %d rows, %v", name, len(rows), err)
			}
			continue
		}
		if class(err) != usher.SourceBroken || !strings.Contains(permanent(t, err).Hint, fmt.Sprintf("source.skip to %d, the number of rows before the header", c.skip)) {
			t.Errorf("%s: %d rows, %v", name, len(rows), err)
		}
		src.Skip = usher.Skip{Lines: c.skip}
		if rows, _, err := read(t, o, src, 0); err != nil || !slices.Equal(rows, []string{id1, id1}) {
			t.Errorf("%s: skipped: %q, %v", name, rows, err)
		}
	}
}

// TestWorkbook reads workbooks of the corpus in the ways that the corpus does not.
func TestWorkbook(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	book, err := os.ReadFile(filepath.Join(writersDir, "sheetjs-second-sheet.xlsx"))
	must(t, err)
	dir := t.TempDir()
	for _, name := range []string{"a.xlsx", "b.xlsx"} {
		must(t, os.WriteFile(filepath.Join(dir, name), book, 0o600))
	}
	o := opener(t, dir, exports.Options{})
	single := filepath.Join(dir, "a.xlsx")
	rows, plan, err := read(t, o, &usher.Source{URL: single, Sheet: "Contacts"}, 1)
	if err != nil || plan.Format != "xlsx" || plan.Sheet != "Contacts" || len(rows) != 42 {
		t.Errorf("%d rows of sheet %q, %v", len(rows), plan.Sheet, err)
	}
	both, _, err := read(t, o, &usher.Source{URL: dir + "/", Sheet: "Contacts"}, 1)
	if err != nil || !slices.Equal(both, slices.Concat(rows, rows)) {
		t.Errorf("%d rows of two workbooks, %v", len(both), err)
	}
	_, _, err = read(t, o, &usher.Source{URL: single, Sheet: "Kontakte"}, 1)
	if p := permanent(t, err); p.Class != usher.SourceBroken || !strings.Contains(p.Hint, `"About", "Contacts"`) {
		t.Errorf("a sheet that there is not: %v: %s", err, p.Hint)
	}
	if survey, err := o.Survey(t.Context(), &usher.Source{URL: single, Sheet: "Contacts"}, plan); err != nil || survey.Cells == 0 {
		t.Errorf("survey %+v, %v", survey, err)
	}
	for bit := range 8 * 64 { // each has a checksum
		at := len(book) * bit / (8 * 64)
		flipped := slices.Clone(book)
		flipped[at] ^= 1 << (bit % 8)
		must(t, os.WriteFile(single, flipped, 0o600))
		got, _, err := read(t, o, &usher.Source{URL: single, Sheet: "Contacts"}, 1)
		if err == nil && !slices.Equal(got, rows) || err != nil && class(err) != usher.SourceBroken {
			t.Errorf("bit %d of byte %d: %d rows, %v", bit%8, at, len(got), err)
		}
	}
}

// TestHiddenSheets reads the first sheet that people see, and says which it is.
func TestHiddenSheets(t *testing.T) {
	t.Parallel()
	sheet := func(id string) string {
		return `<worksheet><sheetData><row><c t="inlineStr"><is><t>idfa</t></is></c></row><row><c t="inlineStr"><is><t>` + id + `</t></is></c></row></sheetData></worksheet>`
	}
	for states, want := range map[[2]string]string{
		{"", ""}: id1, {"visible", "hidden"}: id1, {"hidden", ""}: id2, {"veryHidden", "visible"}: id2, {"hidden", "hidden"}: id1,
	} {
		o, src := export(t, zipped(t,
			member{"[Content_Types].xml", "<x/>", zip.Deflate, 0},
			member{"xl/workbook.xml", fmt.Sprintf(`<workbook xmlns:r="x"><sheets><sheet name="One" state=%q r:id="r1"/><sheet name="Two" state=%q r:id="r2"/></sheets></workbook>`, states[0], states[1]), zip.Deflate, 0},
			member{"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="r1" Type="x/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="x/worksheet" Target="worksheets/sheet2.xml"/></Relationships>`, zip.Deflate, 0},
			member{"xl/worksheets/sheet1.xml", sheet(id1), zip.Deflate, 0},
			member{"xl/worksheets/sheet2.xml", sheet(id2), zip.Deflate, 0},
		), exports.Options{})
		rows, plan, err := read(t, o, src, 0)
		if states == [2]string{} { // both are seen
			if p := permanent(t, err); p.Class != usher.SourceBroken || !strings.Contains(p.Error(), `goes on in another sheet: "Two"`) {
				t.Errorf("%q: %v", states, err)
			}
			continue
		}
		if err != nil || !slices.Equal(rows, []string{want}) {
			t.Errorf("%q: %q, %v", states, rows, err)
		}
		if sheet := exports.Understood(src, &plan).Sheet; sheet != map[string]string{id1: "One", id2: "Two"}[want] {
			t.Errorf("%q: understood as sheet %q", states, sheet)
		}
	}
}

// Rows that a filter hides are read, and told.
func TestHiddenRows(t *testing.T) {
	t.Parallel()
	const n = 1500 // more than the head has
	rows := [][]string{{"idfa", "city"}}
	for i := range n {
		rows = append(rows, []string{uuid(i + 1), "Berlin"})
	}
	book := func(hidden func(row int) bool) string {
		return workbookWith(t, rows, func(row int) string {
			if hidden(row) {
				return ` hidden="1"`
			}
			return ""
		})
	}
	for name, c := range map[string]struct {
		data    string
		sampled string
		hidden  int64
	}{
		"none":   {book(func(int) bool { return false }), "", 0},
		"some":   {book(func(row int) bool { return row > 0 && row%10 == 0 }), "99 of 1000 sampled rows are hidden", 150},
		"beyond": {book(func(row int) bool { return row == n }), "", 1},
	} {
		o, src := export(t, c.data, exports.Options{})
		plan, err := o.Plan(t.Context(), src, exports.Wanted{Type: usher.IDFA}, 0)
		must(t, err)
		sampled := ""
		for _, w := range plan.Warnings {
			if w.Code == "hidden_rows" {
				sampled = w.Description
			}
		}
		if !strings.HasPrefix(sampled, c.sampled) || (sampled == "") != (c.sampled == "") {
			t.Errorf("%s: %q, want %q", name, sampled, c.sampled)
		}
		r, err := o.Open(t.Context(), src, plan, plan.Parts[0])
		must(t, err)
		for err == nil {
			var block *usher.Block
			if block, err = r.Next(t.Context()); err == nil {
				block.Release()
			}
		}
		var found int64
		for _, w := range usher.AddWarnings(plan.Warnings, r.Warnings()...) {
			if w.Code == "hidden_rows" {
				found += w.Count
			}
		}
		if err := r.Close(); err != nil || found != c.hidden {
			t.Errorf("%s: %d rows are hidden, want %d; %v", name, found, c.hidden, err)
		}
	}
}
