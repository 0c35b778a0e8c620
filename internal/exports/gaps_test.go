package exports_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
)

// A column that has no ids in rows in which another column has some of the same type is
// refused, unless the job names it, or the other column is of another kind.
func TestGaps(t *testing.T) {
	t.Parallel()
	csvOf := func(first, second func(i int) string) string {
		return "idfa,NAME,n\n" + rowsFrom(1, 3000, func(i int) string { return uuid(i) + "," + first(i) + ",x\n" }) +
			rowsFrom(5000, 3000, func(i int) string { return "," + second(i) + ",x\n" })
	}
	none := func(int) string { return "" }
	null := func(value func(i int) string) string {
		return rowsFrom(1, 30, func(i int) string { return fmt.Sprintf(`{"idfa":null,"NAME":%q}`+"\n", value(i)) })
	}
	for name, c := range map[string]struct {
		data string
		name string
		want bool // it is read
	}{
		"the second half elsewhere":           {csvOf(none, uuid), "advertising_id", false},
		"the second half in an unknown place": {csvOf(none, uuid), "kennung", false},
		"ids of Android":                      {csvOf(none, lowerUUID), "advertising_id", true},
		"ids of Android by their name":        {csvOf(none, uuid), "gaid", true},
		"vendors' ids":                        {csvOf(none, uuid), "idfv", true},
		"a customer's id":                     {csvOf(none, uuid), "customer_id", true},
		"a column with ids in all rows":       {csvOf(uuid, uuid), "kennung", true},
		"no ids elsewhere":                    {csvOf(none, none), "advertising_id", true},
		"null":                                {null(uuid), "x", false},
		"null, ids of a customer":             {null(uuid), "customer_id", true},
		"null, and no ids":                    {null(func(i int) string { return fmt.Sprint("Anna ", i) }), "x", true},
		"null in all that was sampled": {rowsFrom(1, 50_000, func(i int) string { return fmt.Sprintf(`{"idfa":null,"x":%q}`+"\n", uuid(i)) }) +
			fmt.Sprintf(`{"idfa":%q}`+"\n", uuid(1)), "x", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o, src := export(t, strings.ReplaceAll(c.data, "NAME", c.name), exports.Options{})
			rows, _, err := readType(t, o, src, usher.IDFA, 0)
			if c.want != (err == nil) || !c.want && (class(err) != usher.SourceBroken || !strings.Contains(permanent(t, err).Hint, "set source.column to one of")) {
				t.Errorf("%d rows, %v", len(rows), err)
			}
			src.Column = "idfa"
			if _, _, err := readType(t, o, src, usher.IDFA, 0); err != nil {
				t.Errorf("named: %v", err)
			}
		})
	}
	dir := t.TempDir()
	must(t, os.WriteFile(dir+"/a.csv", []byte("x,idfa\n"+strings.Repeat(uuid(1)+",\n", 20)), 0o600))
	must(t, os.WriteFile(dir+"/b.csv", []byte("x,idfa\n"+uuid(1)+","+uuid(2)+"\n"), 0o600))
	if rows, _, err := readType(t, opener(t, dir, exports.Options{}), &usher.Source{URL: dir + "/"}, usher.IDFA, 0); err != nil || len(rows) != 21 {
		t.Errorf("folder: %d rows, %v", len(rows), err)
	}
}

// The same where no sample was taken: every row is looked at.
func TestLateGaps(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("long")
	}
	const before, late = 20_000, 400 // the samples' windows are further apart
	csvOf := func(name string, first, second func(i int) string) string {
		row := func(id, value string) string { return id + "," + value + ",\"Anna, B\"\n" }
		return "idfa," + name + ",n\n" + rowsFrom(1, before, func(i int) string { return row(uuid(i), first(i)) }) +
			rowsFrom(50_000, late, func(i int) string { return row("", second(i)) }) +
			rowsFrom(100_000, 600, func(i int) string { return row(uuid(i), first(i)) })
	}
	jsonOf := func(name string, first, second func(i int) string) string {
		row := func(id any, value string) string {
			return fmt.Sprintf(`{"idfa":%s,%q:%q,"n":"Anna, B"}`+"\n", id, name, value)
		}
		return rowsFrom(1, before, func(i int) string { return row(strconv.Quote(uuid(i)), first(i)) }) +
			rowsFrom(50_000, late, func(i int) string { return row("null", second(i)) }) +
			rowsFrom(100_000, 600, func(i int) string { return row(strconv.Quote(uuid(i)), first(i)) })
	}
	none := func(int) string { return "" }
	note := func(i int) string { return fmt.Sprint("Anna ", i) }
	half := func(i int) string { return []string{uuid(i), ""}[i%2] }
	for name, c := range map[string]struct {
		name          string
		first, second func(i int) string
		want          bool
	}{
		"a usual name":                  {"advertising_id", none, uuid, false},
		"an unknown name":               {"kennung", none, uuid, false},
		"other words before":            {"kennung", note, uuid, false},
		"ids of Android":                {"advertising_id", none, lowerUUID, true},
		"a name of Android":             {"gaid", none, uuid, true},
		"a name of a customer":          {"customer_id", none, uuid, true},
		"only in some":                  {"kennung", none, half, true},
		"no ids":                        {"kennung", none, note, true},
		"ids beside ids that come late": {"kennung", func(i int) string { return []string{"", uuid(i)}[i/100_000] }, uuid, true},
	} {
		for format, write := range map[string]func(name string, first, second func(i int) string) string{"csv": csvOf, "ndjson": jsonOf} {
			for _, part := range []int64{0, 300_000} {
				o, src := export(t, write(c.name, c.first, c.second), exports.Options{})
				rows, _, err := readType(t, o, src, usher.IDFA, part)
				if name == "ids beside ids that come late" && class(err) == usher.SourceBroken {
					continue // a part may end before the ids that tell
				}
				if c.want != (err == nil) || !c.want && (class(err) != usher.SourceBroken || part == 0 && !strings.Contains(err.Error(), "20001 on")) {
					t.Errorf("%s, %s, parts of %d: %d rows, %v", format, name, part, len(rows), err)
				}
				src.Column = "idfa"
				if _, _, err := readType(t, o, src, usher.IDFA, part); err != nil {
					t.Errorf("%s, %s, named: %v", format, name, err)
				}
			}
		}
	}
}

// The same in Parquet: in the sampled rows before anything is read, otherwise at the end of a
// part.
func TestGapsInParquet(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	type known struct {
		IDFA  *string `parquet:"idfa,optional"`
		Other *string `parquet:"device_id,optional"`
		Name  string  `parquet:"name"`
	}
	type unknown struct {
		Name  string  `parquet:"name"`
		Other *string `parquet:"kennung,optional"`
		IDFA  *string `parquet:"idfa,optional"`
	}
	type customer struct {
		Other *string `parquet:"customer_id,optional"`
		IDFA  *string `parquet:"idfa,optional"`
	}
	some := func(value string) *string { return &value }
	none := func(int) *string { return nil }
	upper := func(i int) *string { return some(uuid(i)) }
	lower := func(i int) *string { return some(lowerUUID(i)) }
	null := func(int) *string { return some("NULL") }
	for name, c := range map[string]struct {
		missing       func(i int) *string // in the column of ids
		first, second func(i int) *string
		want          bool // it is read, if the other column's name allows it
	}{
		"elsewhere":               {none, none, upper, false},
		"elsewhere, placeholders": {null, none, upper, false},
		"ids of Android":          {none, none, lower, true},
		"nothing":                 {none, none, none, true},
		"beside":                  {none, upper, upper, true},
	} {
		for _, n := range []int{150, 1000} { // rows before, in groups of 1000: sampled, and not
			var a []known
			var b []unknown
			var d []customer
			for i := range 3000 {
				id, other := upper(i), c.first(i+9000)
				if i%2000 >= n {
					id, other = c.missing(i), c.second(i)
				}
				a, b, d = append(a, known{id, other, "Anna"}), append(b, unknown{"Anna", other, id}), append(d, customer{other, id})
			}
			for kind, data := range map[string]string{"known": parquetOf(t, a, 1000), "one group": parquetOf(t, a, 3000), "unknown": parquetOf(t, b, 1000), "customer": parquetOf(t, d, 1000)} {
				want := c.want || kind == "customer"
				o, src := export(t, data, exports.Options{})
				for _, part := range []int64{0, 1} {
					rows, _, err := readType(t, o, src, usher.IDFA, part)
					if want != (err == nil) || !want && class(err) != usher.SourceBroken {
						t.Errorf("%s, %s, behind %d rows, parts of %d: %d rows, %v", name, kind, n, part, len(rows), err)
					}
				}
				src.Column = "idfa"
				if rows, _, err := readType(t, o, src, usher.IDFA, 0); err != nil || len(rows) != 3000 {
					t.Errorf("%s, %s, named: %d rows, %v", name, kind, len(rows), err)
				}
			}
		}
	}
}

// The same in Avro.
func TestGapsInAvro(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	for name, c := range map[string]struct {
		other  func(i int) any
		beside bool
		want   bool
	}{
		"elsewhere":      {func(i int) any { return uuid(i) }, false, false},
		"ids of Android": {func(i int) any { return lowerUUID(i) }, false, true},
		"nothing":        {func(int) any { return nil }, false, true},
		"beside":         {func(i int) any { return uuid(i) }, true, true},
	} {
		data := lateAvro(t, "idfa", func(i int) (string, any, any) {
			gap := 3500 <= i && i < 3520 // perhaps between the samples
			switch {
			case gap:
				return "Anna", c.other(i), nil
			case c.beside:
				return "Anna", c.other(i), uuid(i + 9000)
			}
			return "Anna", nil, uuid(i + 9000)
		})
		o, src := export(t, data, exports.Options{})
		if rows, _, err := readType(t, o, src, usher.IDFA, 0); c.want != (err == nil) || !c.want && (class(err) != usher.SourceBroken || !strings.Contains(err.Error(), "ref")) {
			t.Errorf("%s: %d rows, %v", name, len(rows), err)
		}
		src.Column = "device.idfa"
		if rows, _, err := readType(t, o, src, usher.IDFA, 0); err != nil || len(rows) != lateRows {
			t.Errorf("%s, named: %d rows, %v", name, len(rows), err)
		}
	}
}

// A column of an unknown name that takes over far from the beginning of a row group.
func TestLateGapsInParquet(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	type row struct {
		Name  string  `parquet:"name"`
		Other *string `parquet:"kennung,optional"`
		IDFA  *string `parquet:"idfa,optional"`
	}
	for name, c := range map[string]struct {
		other func(i int) string
		want  bool // it is read
	}{
		"elsewhere":      {uuid, false},
		"ids of Android": {lowerUUID, true},
		"only in some":   {func(i int) string { return []string{uuid(i), ""}[i%2] }, true},
		"no ids":         {func(int) string { return "Anna" }, true},
	} {
		var all []row
		for i := range 9000 {
			other, id := c.other(i), uuid(i)
			switch {
			case i < 4000 && i%2 == 0: // rows without any id
				all = append(all, row{Name: "Anna"})
			case 6000 <= i && i < 6040:
				all = append(all, row{"Anna", &other, nil})
			default:
				all = append(all, row{"Anna", nil, &id})
			}
		}
		for _, group := range []int{3000, 9000} {
			o, src := export(t, parquetOf(t, all, group), exports.Options{})
			if rows, _, err := readType(t, o, src, usher.IDFA, 0); c.want != (err == nil) || !c.want && class(err) != usher.SourceBroken {
				t.Errorf("%s, groups of %d: %d rows, %v", name, group, len(rows), err)
			}
			src.Column = "idfa"
			if rows, _, err := readType(t, o, src, usher.IDFA, 0); err != nil || len(rows) != 9000 {
				t.Errorf("%s, named: %d rows, %v", name, len(rows), err)
			}
		}
	}
}

// TestLateGapsInSheet is TestLateGaps for sheets. Only their first rows are sampled.
// Their texts are in the cells or in the list of shared strings.
func TestLateGapsInSheet(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("long")
	}
	const before, late, after = 1500, 40, 200
	none := func(int) string { return "" }
	for name, c := range map[string]struct {
		name          string
		missing       string // in the column of ids
		first, second func(i int) string
		want          bool // it is read
	}{
		"a usual name":         {"advertising_id", "", none, uuid, false},
		"an unknown name":      {"kennung", "", none, uuid, false},
		"placeholders":         {"kennung", "NULL", none, uuid, false},
		"ids of Android":       {"advertising_id", "", none, lowerUUID, true},
		"a name of Android":    {"gaid", "", none, uuid, true},
		"a name of a customer": {"customer_id", "", none, uuid, true},
		"only in some":         {"kennung", "", none, func(i int) string { return []string{uuid(i), ""}[i%2] }, true},
		"no ids":               {"kennung", "", none, func(int) string { return "Anna" }, true},
		"beside other ids":     {"kennung", "", func(i int) string { return uuid(i + 50_000) }, uuid, true},
	} {
		rows := [][]string{{"n", "idfa", c.name}}
		for i := range before + late + after {
			if before <= i && i < before+late {
				rows = append(rows, []string{"Anna", c.missing, c.second(i)})
			} else {
				rows = append(rows, []string{"Anna", uuid(i), c.first(i)})
			}
		}
		for kind, data := range map[string]string{"inline": workbookOf(t, rows), "shared": sharedWorkbookOf(t, rows)} {
			o, src := export(t, data, exports.Options{})
			read, _, err := readType(t, o, src, usher.IDFA, 0)
			if c.want != (err == nil) || !c.want && (class(err) != usher.SourceBroken ||
				!strings.Contains(err.Error(), "row 1502 on, rows without an id in column 2 have one in column 3")) {
				t.Errorf("%s, %s: %d rows, %v", kind, name, len(read), err)
			}
			src.Column = "idfa"
			if read, _, err := readType(t, o, src, usher.IDFA, 0); err != nil || len(read) != before+late+after {
				t.Errorf("%s, %s, named: %d rows, %v", kind, name, len(read), err)
			}
		}
	}
}

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
