package feeds_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"usher"
)

// customers is what somebody exports from a CRM system: rows of cells, the first of them the header.
type customers [][]string

// newCustomers returns n customers with the columns customer, idfa, platform and city.
func newCustomers(n int) customers {
	c := customers{{"customer", "idfa", "platform", "city"}}
	for i := range n {
		c = append(c, []string{fmt.Sprint(70_001 + i), fmt.Sprintf("6D92078A-8246-4BA4-AE5B-%012X", i), []string{"iOS", "iPadOS"}[i%2], []string{"Kiel", "Ulm", "Bonn"}[i%3]})
	}
	return c
}

// each returns the customers with another row for each; n is 0 for the header.
func (c customers) each(change func(n int, row []string) []string) customers {
	var out customers
	for n, row := range c {
		out = append(out, change(n, append([]string(nil), row...)))
	}
	return out
}

// cells returns the customers with other cells in a column of every seventh row.
func (c customers) cells(column int, change func(cell string) string) customers {
	return c.each(func(n int, row []string) []string {
		if n%7 == 1 {
			row[column] = change(row[column])
		}
		return row
	})
}

// named returns the customers with another name of a column.
func (c customers) named(column int, name string) customers {
	return c.each(func(n int, row []string) []string {
		if n == 0 {
			row[column] = name
		}
		return row
	})
}

// with returns the customers with a further column at an index.
func (c customers) with(column int, name string, cell func(n int) string) customers {
	return c.each(func(n int, row []string) []string {
		added := name
		if n > 0 {
			added = cell(n)
		}
		return append(row[:column], append([]string{added}, row[column:]...)...)
	})
}

// picked returns the customers with some of their columns.
func (c customers) picked(columns ...int) customers {
	return c.each(func(_ int, row []string) (out []string) {
		for _, column := range columns {
			out = append(out, row[column])
		}
		return out
	})
}

// csv returns the customers as CSV.
func (c customers) csv() string {
	var text strings.Builder
	for _, row := range c {
		text.WriteString(strings.Join(row, ",") + "\n")
	}
	return text.String()
}

// workbook returns a workbook with sheets, each named by its first cell.
func workbook(t *testing.T, names []string, sheets ...customers) string {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	add := func(name, text string) {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var list, relations strings.Builder
	for i, sheet := range sheets {
		fmt.Fprintf(&list, `<sheet name="%s" r:id="rId%d"/>`, names[i], i+1)
		fmt.Fprintf(&relations, `<Relationship Id="rId%d" Type="x/worksheet" Target="worksheets/sheet%d.xml"/>`, i+1, i+1)
		var text strings.Builder
		for _, row := range sheet {
			text.WriteString("<row>")
			for _, cell := range row {
				fmt.Fprintf(&text, `<c t="inlineStr"><is><t>%s</t></is></c>`, cell)
			}
			text.WriteString("</row>")
		}
		add(fmt.Sprintf("xl/worksheets/sheet%d.xml", i+1), "<worksheet><sheetData>"+text.String()+"</sheetData></worksheet>")
	}
	add("[Content_Types].xml", "<x/>")
	add("xl/workbook.xml", `<workbook xmlns:r="x"><sheets>`+list.String()+`</sheets></workbook>`)
	add("xl/_rels/workbook.xml.rels", `<Relationships>`+relations.String()+`</Relationships>`)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func gzipped(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := w.Write([]byte(text))
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Somebody changes the export of a shop, as happens in companies. A feed takes the first export, and
// holds the second one if other ids would be uploaded, with a sentence for people who do not know
// usher. It takes the second one if it only has grown or is written in another way.
func TestChangedExports(t *testing.T) {
	t.Parallel()
	day := newCustomers(200)
	other := func(n int) string { return fmt.Sprintf("0F0F0F0F-8246-4BA4-AE5B-%012X", n) }
	to := func(text string) func(string) string { return func(string) string { return text } }
	const byType, byNumber = "source: {typeColumn: platform}", `source: {column: "2"}`
	for _, c := range []struct {
		name     string
		source   string // of the job
		one, two string
		held     string // "": the second export is taken
	}{
		{name: "a column dropped", one: day.with(2, "device_id", other).csv(), two: day.with(2, "device_id", other).picked(0, 2, 3, 4).csv(), held: `the ids are read from column "device_id", and in the last export they were read from column "idfa", which is not there any more; "device_id" was there before, and was not read`},
		{name: "the column of ids renamed", one: day.csv(), two: day.named(1, "apple_idfa").csv(), held: `column 2 is called "apple_idfa", and in the last export it was called "idfa"`},
		{name: "a column inserted", source: byNumber, one: day.csv(), two: day.with(1, "old_idfa", other).csv(), held: `the ids are read from column "old_idfa", and in the last export they were read from column "idfa", which is still there; "old_idfa" is new`},
		{name: "columns reordered", source: byNumber, one: day.csv(), two: day.with(4, "old_idfa", other).picked(0, 4, 2, 3, 1).csv(), held: `the ids are read from column "old_idfa", and in the last export they were read from column "idfa", which is still there; "old_idfa" is new`},
		{name: "a column with a better name", one: day.named(1, "device_id").csv(), two: day.named(1, "device_id").with(4, "idfa", other).csv(), held: `the ids are read from column "idfa", and in the last export they were read from column "device_id", which is still there; "idfa" is new`},
		{name: "another sheet", one: workbook(t, []string{"Customers", "Trials"}, day, day.named(0, "trial")), two: workbook(t, []string{"Trials", "Customers"}, day.named(0, "trial"), day), held: `the ids are read from the sheet "Trials", and in the last export they were read from the sheet "Customers"`},
		{name: "some ids hashed", one: day.csv(), two: day.cells(1, func(id string) string { return fmt.Sprintf("%x", md5.Sum([]byte(id))) }).csv(), held: `29 of its 200 rows (14.5 %) have 32 digits as MD5 hashes do; the last export had no such rows`},
		{name: "some ids with a prefix", one: day.csv(), two: day.cells(1, func(id string) string { return "idfa:" + id }).csv(), held: `29 of its 200 rows (14.5 %) have a value that is no device id; the last export had no such rows`},
		{name: "some ids emptied", one: day.csv(), two: day.cells(1, to("")).csv(), held: `29 of its 200 rows (14.5 %) have no id; the last export had no such rows`},
		{name: "the type recoded", source: byType, one: day.csv(), two: day.cells(2, to("A")).csv(), held: `29 of its 200 rows (14.5 %) are of another type of ids, or of a type that usher does not know; the last export had no such rows; column platform has "A", which was not there before`},
		{name: "a sheet with some ids emptied", one: workbook(t, []string{"Customers"}, day), two: workbook(t, []string{"Customers"}, day.cells(1, to(""))), held: `29 of its 200 rows (14.5 %) have no id; the last export had no such rows`},

		{name: "more rows", one: day.csv(), two: newCustomers(240).csv()},
		{name: "columns moved and one more", one: day.csv(), two: day.with(4, "newsletter", func(int) string { return "weekly" }).picked(3, 4, 1, 0, 2).csv()},
		{name: "other line ends", one: day.csv(), two: strings.ReplaceAll(day.csv(), "\n", "\r\n")},
		{name: "compressed", one: day.csv(), two: gzipped(t, newCustomers(210).csv())},
		{name: "more rows of a sheet", one: workbook(t, []string{"Customers"}, day), two: workbook(t, []string{"Customers"}, newCustomers(230))},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x := newFixture(t, "*", "segment.mirror", "    settle: 1s\n")
			x.load(fmt.Sprintf("feeds:\n  - {name: crm, watch: %s/*, settle: 1s, job: {kind: segment.mirror, segment: \"17\", profile: idfa, %s}}\n", x.dir, c.source))
			w := x.worker()
			write := func(name, text string) {
				if err := os.WriteFile(filepath.Join(x.dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				x.look(w)
				x.look(w)
			}
			write("1", c.one)
			x.endLast(usher.Done)
			write("2", c.two)
			if c.held == "" {
				x.wantJobs("1", "2")
				return
			}
			x.wantJobs("1")
			s := x.state()
			wantHeld(t, s, "it differs from the last good export, that of job "+s.Last.Job+": ")
			if held := s.Held(); len(held) == 1 && !strings.Contains(held[0].Reason, s.Last.Job+": "+c.held+"; if it is approved, its job still fails") {
				t.Errorf("the feed says:\n%s\nwant:\n%s", held[0].Reason, c.held)
			}
		})
	}
}
