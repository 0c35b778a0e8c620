package exports_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
)

// rowsFrom returns n rows, numbered from a number.
func rowsFrom(from, n int, row func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(row(from + i))
	}
	return b.String()
}

// An export whose ids stand elsewhere from some row on is two exports that were put together.
// It is refused, unless the job names the column, or the other ids are of another kind.
func TestMovedIDs(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	csvRow := func(i int) string { return fmt.Sprintf("%s,anna%d@example.com,x\n", uuid(i), i) }
	swapped := func(i int) string { return fmt.Sprintf("anna%d@example.com,%s,x\n", i, uuid(i)) }
	object := func(key string) func(i int) string {
		return func(i int) string { return fmt.Sprintf(`{"n":%d,%q:%q}`+"\n", i, key, uuid(i)) }
	}
	android := func(i int) string {
		return fmt.Sprintf("%016x,b%d\n", uint64(i)+0xabcdef<<40, i)
	}
	for name, c := range map[string]struct {
		header        string
		first, second func(i int) string
		column        string
		want          bool // it is read
	}{
		"columns in another order":              {"", csvRow, swapped, "", false},
		"columns in another order, quoted":      {"", csvRow, func(i int) string { return fmt.Sprintf("\"a, b\",\"%s\",x\n", uuid(i)) }, "", false},
		"another order below a header":          {"idfa,mail,note\n", csvRow, swapped, "", false},
		"another order below an unknown header": {"ziel,mail,note\n", csvRow, swapped, "", false},
		"another order, column named":           {"", csvRow, swapped, "1", true},
		"short ids in another column":           {"", android, func(i int) string { return fmt.Sprintf("b%d,%016x\n", i, uint64(i)+0xabcdef<<40) }, "", false},
		"no ids at all":                         {"", csvRow, func(i int) string { return fmt.Sprintf("anna%d@example.com,x,y\n", i) }, "", true},
		"placeholders beside ids":               {"", csvRow, func(i int) string { return fmt.Sprintf("null,%s,x\n", uuid(i)) }, "", true},
		"ids of another type":                   {"idfa,gaid,note\n", csvRow, func(i int) string { return fmt.Sprintf("n.a.,%s,x\n", lowerUUID(i)) }, "", true},
		"another key":                           {"", object("idfa"), object("device_id"), "", false},
		"another key beside another id": {"", func(i int) string { return fmt.Sprintf(`{"id":%q,"idfa":%q}`+"\n", lowerUUID(i), uuid(i)) },
			func(i int) string { return fmt.Sprintf(`{"id":%q,"advertising_id":%q}`+"\n", lowerUUID(i), uuid(i)) }, "", false},
		"an array without a key":    {"", object("idfa"), func(i int) string { return fmt.Sprintf("[%q]\n", uuid(i)) }, "", false},
		"another unknown key":       {"", object("idfa"), object("ziel"), "", false},
		"another key, column named": {"", object("idfa"), object("device_id"), "idfa", true},
		"a key of another type":     {"", object("idfa"), object("gaid"), "", true},
		"a key of another kind":     {"", object("idfa"), object("idfv"), "", true},
		"no key":                    {"", object("idfa"), func(i int) string { return fmt.Sprintf(`{"n":%d}`+"\n", i) }, "", true},
	} {
		sizes := [][2]int{{60, 40}, {100, 5}, {9000, 300}}
		if !c.want {
			sizes = append(sizes, [][2]int{{40, 60}, {60, 300}}...) // most samples are of the second export
		}
		for _, n := range sizes {
			for _, part := range []int64{0, 64 << 10} {
				data := c.header + rowsFrom(1, n[0], c.first) + rowsFrom(100_000, n[1], c.second)
				o, src := export(t, data, exports.Options{})
				src.Column = c.column
				wanted := usher.IDFA
				if strings.HasPrefix(name, "short") {
					wanted = usher.AndroidID
				}
				_, _, err := readType(t, o, src, wanted, part)
				if c.want != (err == nil) || !c.want && (class(err) != usher.SourceBroken || strings.Contains(err.Error(), "A246")) {
					t.Errorf("%s, %d and %d rows, parts of %d bytes: %v", name, n[0], n[1], part, err)
				}
			}
		}
	}
}

// The same in a sheet without a header.
func TestMovedIDsInSheet(t *testing.T) {
	t.Parallel()
	var sheet [][]string
	for i := range 60 {
		sheet = append(sheet, []string{uuid(i), "Anna, 7", "x"})
	}
	for i := range 20 {
		sheet = append(sheet, []string{"Anna, 7", "x", uuid(100 + i)})
	}
	o, src := export(t, workbookOf(t, sheet), exports.Options{})
	if _, _, err := readType(t, o, src, usher.IDFA, 0); class(err) != usher.SourceBroken || !strings.Contains(err.Error(), "row 61") {
		t.Errorf("read with %v", err)
	}
}

// Few rows whose id stands elsewhere are invalid rows, as always.
func TestFewMovedIDs(t *testing.T) {
	t.Parallel()
	data := rowsFrom(1, 5000, func(i int) string { return uuid(i) + ",Anna\n" }) + rowsFrom(1, 5, func(i int) string { return "Anna," + uuid(i) + "\n" })
	o, src := export(t, data, exports.Options{})
	if rows, _, err := read(t, o, src, 0); err != nil || len(rows) != 5005 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}

// A few records of NDJSON behind CSV are malformed, and not ids of another form.
func TestObjectsBehindCSV(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		row    func(i int) string
		object string
	}{
		"two columns": {func(i int) string { return fmt.Sprintf("%d,%s\n", i, uuid(i)) }, `{"n":7, "idfa":"` + id1 + `"}`},
		"lists":       {func(i int) string { return fmt.Sprintf("{%s,%s}\n", uuid(i), uuid(100+i)) }, `{"idfa":"` + id1 + `"}`},
	} {
		o, src := export(t, rowsFrom(1, 600, c.row)+strings.Repeat(c.object+"\n", 5), exports.Options{})
		rows, _, err := read(t, o, src, 0)
		if n := len(rows); err != nil || n < 605 || slices.ContainsFunc(rows[n-5:], func(row string) bool { return row != usher.MalformedRow }) {
			t.Errorf("%s: rows end in %q, %v", name, rows[max(n-6, 0):], err)
		}
	}
}
