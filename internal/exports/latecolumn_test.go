package exports_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/twmb/avro"
	"github.com/twmb/avro/ocf"

	"usher"
	"usher/internal/exports"
)

// lateRows is how many rows the following exports have: several times their head.
const lateRows = 6000

// lateAvro writes records of a key that looks like an id, a reference, and a field of a
// device, in blocks of 4 KiB.
func lateAvro(t testing.TB, field string, row func(i int) (key string, ref, device any)) string {
	t.Helper()
	schema, err := avro.Parse(`{"type":"record","name":"r","fields":[{"name":"key","type":"string"},{"name":"ref","type":["null","string"]},{"name":"note","type":"string"},
		{"name":"device","type":["null",{"type":"record","name":"d","fields":[{"name":"` + field + `","type":["null","string"]}]}]}]}`)
	must(t, err)
	var out bytes.Buffer
	w, err := ocf.NewWriter(&out, schema, ocf.WithBlockBytes(4<<10), ocf.WithSyncMarker([16]byte{7, 1, 2}))
	must(t, err)
	for i := range lateRows {
		key, ref, device := row(i)
		record := map[string]any{"key": key, "ref": ref, "note": strings.Repeat("x", 40), "device": nil}
		if device != nil {
			record["device"] = map[string]any{field: device}
		}
		must(t, w.Encode(record))
	}
	must(t, w.Close())
	return out.String()
}

// lateWorkbook writes a workbook of keys and references without a header.
func lateWorkbook(t testing.TB, row func(i int) (key string, ref, device any)) string {
	t.Helper()
	var rows [][]string
	for i := range lateRows {
		key, ref, _ := row(i)
		cells := []string{key, "", "x"}
		if ref != nil {
			cells[1] = fmt.Sprint(ref)
		}
		rows = append(rows, cells)
	}
	return workbookOf(t, rows)
}

// workbookOf writes a workbook of one sheet.
func workbookOf(t testing.TB, rows [][]string) string {
	t.Helper()
	return workbookWith(t, rows, func(int) string { return "" })
}

// workbookWith is workbookOf with attributes of rows.
func workbookWith(t testing.TB, rows [][]string, attributes func(row int) string) string {
	t.Helper()
	var sheet strings.Builder
	sheet.WriteString("<worksheet><sheetData>")
	for row, cells := range rows {
		sheet.WriteString("<row" + attributes(row) + ">")
		for i, cell := range cells {
			if cell != "" {
				fmt.Fprintf(&sheet, `<c r="%s1" t="inlineStr"><is><t>%s</t></is></c>`, columnLetters(i), cell)
			}
		}
		sheet.WriteString("</row>")
	}
	sheet.WriteString("</sheetData></worksheet>")
	return zipped(t,
		member{"[Content_Types].xml", "<x/>", zip.Deflate, 0},
		member{"xl/workbook.xml", `<workbook xmlns:r="x"><sheets><sheet name="One" r:id="rId1"/></sheets></workbook>`, zip.Deflate, 0},
		member{"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`, zip.Deflate, 0},
		member{"xl/worksheets/sheet1.xml", sheet.String(), zip.Deflate, 0},
	)
}

// columnLetters returns the letters of a column of a sheet, counted from 0.
func columnLetters(i int) string {
	if i < 26 {
		return string(rune('A' + i))
	}
	return columnLetters(i/26-1) + columnLetters(i%26)
}

// TestLateColumn reads workbooks whose column of ids is chosen by values, and in which another
// column has ids later.
func TestLateColumn(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	key := func(i int) string { return md5Of(i)[:16] }
	late := func(from, to int) func(i int) (string, any, any) {
		return func(i int) (string, any, any) {
			if from <= i && i < to {
				return key(i), uuid(i), nil
			}
			return key(i), nil, nil
		}
	}
	for _, c := range []struct {
		name    string
		row     func(i int) (key string, ref, device any)
		refused bool
	}{
		{"ids in the second half", late(lateRows/2, lateRows), true},
		{"ids at the end", late(lateRows-20, lateRows), true},
		{"an id at the end", late(lateRows-1, lateRows), true},
		{"no other ids", late(0, 0), false},
		{"an id among other references", func(i int) (string, any, any) {
			if i == lateRows-1 {
				return key(i), uuid(i), nil
			}
			return key(i), fmt.Sprintf("order %d", i), nil
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o, src := export(t, lateWorkbook(t, c.row), exports.Options{})
			if _, err := o.Plan(t.Context(), src, exports.Wanted{}, 0); err != nil {
				t.Errorf("planned: %v", err)
			}
			rows, plan, err := read(t, o, src, 0)
			switch {
			case !c.refused && (err != nil || len(rows) != lateRows || !plan.ByValues):
				t.Errorf("%d rows, %v", len(rows), err)
			case c.refused && (class(err) != usher.SourceBroken || !strings.Contains(permanent(t, err).Hint, "one of: 1, 2")):
				t.Errorf("%d rows, %v", len(rows), err)
			}
			src.Column = "2"
			if rows, _, err := read(t, o, src, 0); err != nil || len(rows) != lateRows {
				t.Errorf("named: %d rows, %v", len(rows), err)
			}
		})
	}
}

// TestAvroFieldOfSchema takes a field by its name that no sampled record has.
func TestAvroFieldOfSchema(t *testing.T) {
	t.Parallel()
	var want []string
	data := lateAvro(t, "idfa", func(i int) (string, any, any) {
		want = append(want, "")
		if i < lateRows-20 {
			return md5Of(i)[:16], nil, nil
		}
		want[i] = uuid(i)
		return "", nil, uuid(i)
	})
	o, src := export(t, data, exports.Options{})
	rows, plan, err := read(t, o, src, 0)
	if err != nil || plan.Path != "device.idfa" || !slices.Equal(rows, want) {
		t.Errorf("%d rows of %s, %v", len(rows), plan.Path, err)
	}
	o, src = export(t, lateAvro(t, "idfa", func(i int) (string, any, any) { return md5Of(i)[:16], nil, nil }), exports.Options{})
	if rows, plan, err := read(t, o, src, 0); err != nil || plan.Path != "device.idfa" || len(rows) != lateRows {
		t.Errorf("without values: %d rows of %s, %v", len(rows), plan.Path, err)
	}
}
