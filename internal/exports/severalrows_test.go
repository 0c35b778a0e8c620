package exports_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
)

// A row that cannot be parsed counts as one row. If it has more ids than any sampled row, as where
// JSON on one line follows another export, the export is refused.
func TestSeveralIDsInMalformedRow(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	csv := func(i int) string { return fmt.Sprintf("%d,%s\n", i, uuid(i)) }
	list := func(i int) string { return uuid(i) + "\n" }
	object := func(i int) string { return fmt.Sprintf(`{"n":%d,"idfa":%q}`, i, uuid(i)) }
	record := func(i int) string { return object(i) + "\n" }
	objects := func(n int) string {
		return strings.TrimSuffix(rowsFrom(9001, n, func(i int) string { return object(i) + "," }), ",")
	}
	const behind = 2000
	for name, c := range map[string]struct {
		header string
		row    func(i int) string
		odd    func(n int) string // what stands behind the rows, with n ids
		src    usher.Source
	}{
		"an array behind CSV":                {"n,idfa\n", csv, func(n int) string { return "[" + objects(n) + "]\n" }, usher.Source{}},
		"several ids in a short row":         {"n\tidfa\n", func(i int) string { return fmt.Sprintf("%d\t%s\n", i, uuid(i)) }, func(n int) string { return rowsFrom(9001, n, func(i int) string { return uuid(i) + ", " }) + "7\n" }, usher.Source{}},
		"an array behind CSV without header": {"", csv, func(n int) string { return "[" + objects(n) + "]\n" }, usher.Source{}},
		"an array behind CSV with tabs":      {"idfa\tn\n", func(i int) string { return fmt.Sprintf("%s\t%d\n", uuid(i), i) }, func(n int) string { return "[" + objects(n) + "]\n" }, usher.Source{}},
		"an object of rows behind CSV":       {"n,idfa\n", csv, func(n int) string { return `{"data":[` + objects(n) + "]}\n" }, usher.Source{}},
		"an array behind CSV of one column":  {"idfa\n", list, func(n int) string { return "[" + objects(n) + "]\n" }, usher.Source{Format: "csv", Delimiter: ";"}},
		"XML behind CSV": {"n,idfa\n", csv, func(n int) string {
			return "<r>" + rowsFrom(9001, n, func(i int) string { return "<d>" + uuid(i) + "</d>" }) + "</r>\n"
		}, usher.Source{}},
		"an array behind a list":             {"", list, func(n int) string { return "[" + objects(n) + "]\n" }, usher.Source{}},
		"an array behind a list with header": {"idfa\n", list, func(n int) string { return "[" + objects(n) + "]\n" }, usher.Source{}},
		"an object of rows behind a list":    {"", list, func(n int) string { return `{"data":[` + objects(n) + "]}\n" }, usher.Source{}},
		"an array behind lists":              {"idfa\n", func(i int) string { return "[" + uuid(i) + ", " + uuid(i+5000) + "]\n" }, func(n int) string { return "[" + objects(n) + "]\n" }, usher.Source{}},
		"ids among words": {"", list, func(n int) string {
			return "see" + rowsFrom(9001, n, func(i int) string { return " id=" + uuid(i) + ";" }) + "\n"
		}, usher.Source{}},
		"an array in an object that is cut": {"", record, func(n int) string { return `{"n":7,"idfa":[` + objects(n) + "]\n" }, usher.Source{}},
		"an array within a cut array":       {"[\n", func(i int) string { return object(i) + ",\n" }, func(n int) string { return `{"n":7,[` + objects(n) + "]}]\n" }, usher.Source{}},
		"a column of ids beside the wanted": {"idfa,idfv\n", func(i int) string { return uuid(i) + "," + uuid(i+5000) + "\n" }, func(n int) string { return "[" + objects(n) + "]\n" }, usher.Source{}},
		"another field of ids than the wanted": {"", func(i int) string {
			return fmt.Sprintf("{\"n\":%d,\"idfa\":%q,\"idfv\":%q}\n", i, uuid(i), uuid(i+5000))
		}, func(n int) string { return `{"n":7,"idfa":[` + objects(n) + "]\n" }, usher.Source{}},
	} {
		for _, n := range []int{8, 3000} { // of 3,000, the line is too long
			for _, part := range []int64{0, 50_000} {
				if n == 3000 && strings.HasPrefix(name, "ids among words") {
					continue
				}
				o, src := export(t, c.header+rowsFrom(1, behind, c.row)+c.odd(n), exports.Options{})
				c.src.URL = src.URL
				rows, _, err := readType(t, o, &c.src, usher.IDFA, part)
				if class(err) != usher.SourceBroken || !strings.Contains(err.Error(), "ids, more than") {
					t.Errorf("%s, %d ids, parts of %d: %d rows, %v", name, n, part, len(rows), err)
				}
			}
		}
	}
}

// A malformed row with as many ids as other rows counts as malformed, and so does any row if the
// job declares how the export is written.
func TestMalformedRowsWithIDs(t *testing.T) {
	t.Parallel()
	two := func(i int) string { return fmt.Sprintf("%d,%s,%s\n", i, uuid(i), uuid(i+5000)) }
	record := func(i int) string { return fmt.Sprintf("{\"idfa\":%q,\"idfv\":%q}\n", uuid(i), uuid(i+5000)) }
	for name, c := range map[string]struct {
		data string
		src  usher.Source
	}{
		"two ids, as in each row": {"n,idfa,idfv\n" + rowsFrom(1, 500, two) + "7,a,b," + id1 + "," + id2 + "\n", usher.Source{}},
		"declared":                {"n,idfa\n" + rowsFrom(1, 500, func(i int) string { return fmt.Sprintf("%d,%s\n", i, uuid(i)) }) + `[{"idfa":"` + id1 + `"},{"idfa":"` + id2 + "\"},{}]\n", usher.Source{Quote: "double", Escape: "double"}},
		"records with two ids":    {rowsFrom(1, 500, record) + `{"idfa":"` + id1 + `","idfv":"` + id2 + "\"\n" + record(9), usher.Source{}},
		"a long record":           {rowsFrom(1, 500, record) + `{"idfa":"` + id1 + `","events":[` + strings.Repeat(`"`+id2+`",`, 3000) + "1]}\n", usher.Source{}},
	} {
		o, src := export(t, c.data, exports.Options{})
		c.src.URL = src.URL
		rows, _, err := readType(t, o, &c.src, usher.IDFA, 0)
		if err != nil || !slices.Contains(rows, usher.MalformedRow) {
			t.Errorf("%s: %d rows, %v", name, len(rows), err)
		}
	}
	o, src := export(t, rowsFrom(1, 500, func(i int) string { return uuid(i) + "\n" })+"[{\"idfa\":\""+id1+"\"},{\"idfa\":\""+id2+"\"}]\n", exports.Options{})
	src.Format = "text"
	if rows, _, err := read(t, o, src, 0); err != nil || len(rows) != 501 {
		t.Errorf("a list: %d rows, %v", len(rows), err)
	}
}

// What source.incompleteLastRow leaves out is one row.
func TestDroppedRowIsOne(t *testing.T) {
	t.Parallel()
	row := func(i int) string { return fmt.Sprintf("%d,%s\n", i, uuid(i)) }
	object := func(i int) string { return fmt.Sprintf("{\"idfa\":%q},\n", uuid(i)) }
	for name, data := range map[string]string{
		"a quote that opens early": "n,idfa\n" + rowsFrom(1, 20, row) + `"` + rowsFrom(30, 100, row),
		"an object that is cut":    "[\n" + rowsFrom(1, 20, object) + `{"idfa":[` + strings.TrimSuffix(rowsFrom(30, 100, object), ",\n") + "]",
	} {
		o, src := export(t, data, exports.Options{})
		src.IncompleteLastRow = "drop"
		rows, _, err := readType(t, o, src, usher.IDFA, 0)
		if class(err) != usher.SourceBroken || !strings.Contains(err.Error(), "would be left out") {
			t.Errorf("%s: %d rows, %v", name, len(rows), err)
		}
	}
}
