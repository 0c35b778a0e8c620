package exports_test

import (
	"archive/zip"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
)

// sheet is a sheet of a workbook.
type sheet struct {
	name  string
	rows  [][]string // a cell that begins with = is a formula without a value
	state string
}

// bookOf returns a workbook.
func bookOf(t *testing.T, sheets ...sheet) string {
	t.Helper()
	var list, relations strings.Builder
	members := []member{{"[Content_Types].xml", "<x/>", zip.Deflate, 0}}
	for i, s := range sheets {
		fmt.Fprintf(&list, `<sheet name=%q state=%q r:id="r%d"/>`, s.name, s.state, i)
		fmt.Fprintf(&relations, `<Relationship Id="r%d" Type="x/worksheet" Target="worksheets/sheet%d.xml"/>`, i, i)
		var text strings.Builder
		for _, cells := range s.rows {
			text.WriteString("<row>")
			for j, cell := range cells {
				if formula, is := strings.CutPrefix(cell, "=="); is { // its value is an empty text
					fmt.Fprintf(&text, `<c r="%c1" t="str"><f>%s</f><v></v></c>`, 'A'+j, formula)
				} else if formula, is := strings.CutPrefix(cell, "="); is {
					fmt.Fprintf(&text, `<c r="%c1"><f>%s</f></c>`, 'A'+j, formula)
				} else if cell != "" {
					fmt.Fprintf(&text, `<c r="%c1" t="inlineStr"><is><t>%s</t></is></c>`, 'A'+j, cell)
				}
			}
			text.WriteString("</row>")
		}
		members = append(members, member{fmt.Sprintf("xl/worksheets/sheet%d.xml", i), "<worksheet><sheetData>" + text.String() + "</sheetData></worksheet>", zip.Deflate, 0})
	}
	members = append(members,
		member{"xl/workbook.xml", `<workbook xmlns:r="x"><sheets>` + list.String() + `</sheets></workbook>`, zip.Deflate, 0},
		member{"xl/_rels/workbook.xml.rels", `<Relationships>` + relations.String() + `</Relationships>`, zip.Deflate, 0})
	return zipped(t, members...)
}

// TestSheets checks that no sheet with ids is left out in silence.
func TestSheets(t *testing.T) {
	t.Parallel()
	header := []string{"n", "gaid"}
	rowsOf := func(header []string, from, to int) [][]string {
		var out [][]string
		if header != nil {
			out = append(out, header)
		}
		for i, id := range hintedIDs[from:to] {
			out = append(out, []string{fmt.Sprint(from + i), id})
		}
		return out
	}
	flags := func(column, first, last string) [][]string { // longer than what is read of it at first
		out := [][]string{{"n", "gaid", column}}
		for i := range 1200 {
			out = append(out, []string{strconv.Itoa(i), strings.ToLower(uuid(i)), ""})
		}
		out[1][2], out[1200][2] = first, last
		return out
	}
	one := sheet{"Customers", rowsOf(header, 0, 10), ""}
	for _, c := range []struct {
		name   string
		sheets []sheet
		source string // the sheet that the source names
		says   string // "refused: …", or a part of the warning; "": nothing
		rows   int
	}{
		{"one", []sheet{one}, "", "", 10},
		{"the same header", []sheet{one, {"More", rowsOf([]string{"N ", "GAID"}, 10, 20), ""}}, "", `refused: its table goes on in another sheet: "More" with the same columns as "Customers"`, 0},
		{"a title before the same header", []sheet{one, {"More", append([][]string{{"March"}}, rowsOf(header, 10, 20)...), ""}}, "", "refused: its table goes on", 0},
		{"no header", []sheet{one, {"More", rowsOf(nil, 10, 20), ""}}, "", "refused: its table goes on", 0},
		{"named", []sheet{one, {"More", rowsOf(header, 10, 15), ""}}, "More", "", 5},
		{"a header alone", []sheet{one, {"Template", [][]string{header}, ""}}, "", "", 10},
		{"a row without a header", []sheet{one, {"Rest", rowsOf([]string{"customer", "device"}, 10, 20)[1:2], ""}, {"Optout 2", [][]string{{"why", "since", "gaid"}, {"asked", "May", hintedIDs[0]}}, ""}}, "", "refused", 0},
		{"another table", []sheet{one, {"Optout", [][]string{{"why", "since", "gaid"}, {"asked", "May", hintedIDs[0]}}, ""}}, "", `1 of 2 sheets have device ids as well and are not read ("Optout"), only "Customers" is`, 10},
		{"the same columns, of those who left", []sheet{one, {"Opt-outs", rowsOf(header, 10, 20), ""}}, "", `("Opt-outs"), only "Customers" is`, 10},
		{"a summary before it", []sheet{{"Summary", [][]string{{"Customers by country"}, {"country", "customers"}, {"DE", "7"}, {"FR", "3"}}, ""}, one}, "", `refused: its first visible sheet has no column with a known name of ids, and the sheet "Customers" has one`, 0},
		{"a summary before it, named", []sheet{{"Summary", [][]string{{"Customers by country"}, {"country", "customers"}, {"DE", "7"}}, ""}, one}, "Customers", "", 10},
		{"no ids", []sheet{one, {"Notes", [][]string{{"a", "b"}, {"c", "d"}}, ""}}, "", "", 10},
		{"hidden", []sheet{one, {"More", rowsOf(header, 10, 20), "hidden"}}, "", "", 10},
		{"formulas", []sheet{{"Customers", append(rowsOf(header, 0, 3), []string{"3", `=LOWER("A")`}, []string{"4", `=LOWER("B")`}), ""}}, "", "refused: 2 of its first cells in column 2 (gaid) are formulas", 0},
		{"formulas elsewhere", []sheet{{"Customers", append(rowsOf(header, 0, 3), []string{"=1+1", hintedIDs[3]}), ""}}, "", "", 4},
		{"formulas that may say no", []sheet{{"Customers", flags("opted_out", `=IF(A1=1,"yes","")`, ""), ""}}, "", "refused: column 3 (opted_out) of row 2 has a formula", 0},
		{"a late one", []sheet{{"Customers", flags("opted_out", "", `=IF(A1=1,"yes","")`), ""}}, "", "refused: column 3 (opted_out) of row 1201 has a formula whose value it does not have", 0},
		{"a total of flags", []sheet{{"Customers", append(flags("opted_out", "", ""), []string{"Total", "", `=COUNTIF(C2:C9,"yes")`}), ""}}, "", "", 1201},
		{"late elsewhere", []sheet{{"Customers", flags("remark", "", `=IF(A1=1,"yes","")`), ""}}, "", "", 1200},
		{"formulas whose values are empty", []sheet{{"Customers", flags("opted_out", `==IF(A1=1,"yes","")`, `==IF(A1=1,"yes","")`), ""}}, "", "", 1200},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o, src := export(t, bookOf(t, c.sheets...), exports.Options{})
			src.Sheet = c.source
			rows, plan, err := readType(t, o, src, usher.AAID, 0)
			if says, refused := strings.CutPrefix(c.says, "refused"); refused {
				if p := permanent(t, err); p.Class != usher.SourceBroken || !strings.Contains(p.Error(), strings.TrimPrefix(says, ": ")) {
					t.Errorf("%v", err)
				}
				return
			}
			if err != nil || len(rows) != c.rows || len(plan.Warnings) > 0 != (c.says != "") {
				t.Fatalf("%d rows, %v, %+v", len(rows), err, plan.Warnings)
			}
			if c.says != "" && !strings.Contains(plan.Warnings[0].Description, c.says) {
				t.Errorf("warns: %+v", plan.Warnings)
			}
		})
	}
}

// TestSheetsOfFolder checks the further workbooks of a folder.
func TestSheetsOfFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	table := func(from int) [][]string { return [][]string{{"n", "gaid"}, {"1", hintedIDs[from]}} }
	must(t, os.WriteFile(filepath.Join(dir, "a.xlsx"), []byte(bookOf(t, sheet{"One", table(0), ""})), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "b.xlsx"), []byte(bookOf(t, sheet{"One", table(1), ""}, sheet{"Two", table(2), ""})), 0o600))
	_, _, err := readType(t, opener(t, dir, exports.Options{}), &usher.Source{URL: dir + "/"}, usher.AAID, 0)
	if p := permanent(t, err); !strings.Contains(p.Error(), `goes on in another sheet: "Two"`) || !strings.Contains(p.Error(), "b.xlsx") {
		t.Error(err)
	}
}
