package exports_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
)

const (
	device1, device2, device3 = "af3802a465767e36", "b1f4c2d09e8a7753", "0c9d8e7f6a5b4c3d"

	jsonOf = `{"android_id":%q}`
)

// TestIncompleteLastRow reads exports that end in the middle of their last row: they are
// refused, or the row is left out. A last row without a line end is read.
func TestIncompleteLastRow(t *testing.T) {
	t.Parallel()
	csv := "android_id,country\n" + device1 + ",DE\n" + device2 + ",AT\n"
	behind := "country,android_id\nDE," + device1 + "\nAT," + device2 + "\n"
	list := device1 + "\n" + device2 + "\n"
	lists := "k;android_id\n1;[" + device1 + "]\n2;[" + device2 + "]\n"
	arrays := "k;android_id\n1;{" + device1 + "}\n2;{" + device2 + "}\n"
	ndjson := fmt.Sprintf(jsonOf, device1) + "\n" + fmt.Sprintf(jsonOf, device2) + "\n"
	two := []string{device1, device2}
	three := []string{device1, device2, device3}
	for name, test := range map[string]struct {
		data string
		rows []string // nil: it is refused
	}{
		"list, whole":                {list + device3, three},
		"list, cut":                  {list + device3[:12], nil},
		"list, cut to one character": {list + device3[:1], nil},
		"list, another word":         {list + "null", []string{device1, device2, "null"}},
		"csv, whole":                 {csv + device3 + ",CH", three},
		"csv, cut behind the id":     {csv + device3 + ",", three},
		"csv, columns missing":       {csv + device3[:9], nil},
		"csv, cut in the last id":    {behind + "CH," + device3[:9], nil},
		"csv, whole last id":         {behind + "CH," + device3, three},
		"csv, no last id":            {behind + "CH,", []string{device1, device2, ""}},
		"csv, quoted short id":       {behind + `CH,"` + device3[:9] + `"`, []string{device1, device2, device3[:9]}},
		"csv, open quote":            {behind + `CH,"` + device3, nil},
		"csv, backslash in quotes":   {csv + device3 + `,"a\,b"`, three},
		"csv, backslash at the end":  {behind + `CH\,` + device3, nil},
		"lists of one id, whole":     {lists + "3;[" + device3 + "]", three},
		"lists of one id, cut":       {lists + "3;[" + device3[:9], nil},
		"lists of one id, no end":    {lists + "3;[" + device3, nil},
		"lists of one id, cut null":  {lists + "3;[NUL", nil},
		"arrays of one id, whole":    {arrays + "3;{" + device3 + "}", three},
		"arrays of one id, cut":      {arrays + "3;{" + device3[:9], nil},
		"arrays, cut at the start":   {arrays + "3;{", nil},
		"ndjson, whole":              {ndjson + fmt.Sprintf(jsonOf, device3), three},
		"ndjson, cut":                {ndjson + fmt.Sprintf(jsonOf, device3)[:20], nil},
		"ndjson, cut at the end":     {ndjson + strings.TrimSuffix(fmt.Sprintf(jsonOf, device3), "}"), nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o, src := export(t, test.data, exports.Options{})
			rows, _, err := read(t, o, src, 1<<40)
			if test.rows != nil {
				if err != nil || !slices.Equal(trimBraces(trimLines(rows)), test.rows) {
					t.Errorf("rows %q, %v, want %q", rows, err, test.rows)
				}
				return
			}
			if p := permanent(t, err); p.Class != usher.SourceBroken || !strings.Contains(err.Error(), "ends in the middle of row 3") {
				t.Errorf("rows %q, %v", rows, err)
			}
			for _, part := range []int64{1 << 40, 20} {
				if rows, _, err = read(t, o, src, part); err == nil {
					t.Errorf("parts of %d bytes: rows %q", part, rows)
				}
			}
			src.IncompleteLastRow = "drop"
			if rows, _, err = read(t, o, src, 1<<40); err != nil || !slices.Equal(trimBraces(trimLines(rows)), two) {
				t.Errorf("rows %q, %v, want %q", rows, err, two)
			}
		})
	}
}

// TestCutInOnlyRow reads exports whose only id is in their last row, which has no line end. There
// is no id to compare it with: it is cut if it has the length of no id.
func TestCutInOnlyRow(t *testing.T) {
	t.Parallel()
	table := "country,android_id\n"
	for data, rows := range map[string][]string{ // nil: it is refused
		device1:                              {device1},
		device1[:15]:                         nil,
		device1[:9]:                          nil,
		device1[:1]:                          nil,
		device1[:9] + "\n":                   {device1[:9]},
		"android_id\n" + device1:             {device1},
		"android_id\n" + device1[:12]:        nil,
		"android_id\nnull\n" + device1[:12]:  nil,
		"android_id\nnull\n-":                {"null", "-"},
		table + "DE," + device1:              {device1},
		table + "DE," + device1[:15]:         nil,
		table + "DE," + device1[:4]:          nil,
		table + "DE," + device1[:4] + "\n":   {device1[:4]},
		table + "DE,\"" + device1[:4] + "\"": {device1[:4]},
		table + "DE,\nAT," + device1[:12]:    nil,
		table + "DE,-":                       {"-"},
		table + "DE,":                        {""},
		"n,idfa\n1," + id1:                   {id1},
		"n,idfa\n1," + id1[:20]:              nil,
	} {
		o, src := export(t, data, exports.Options{})
		wanted := usher.AndroidID
		if strings.Contains(data, "idfa") {
			wanted = usher.IDFA
		}
		got, _, err := readType(t, o, src, wanted, 0)
		if rows == nil {
			if class(err) != usher.SourceBroken || !strings.Contains(err.Error(), "ends in the middle of row ") {
				t.Errorf("%q: rows %q, %v", data, got, err)
			}
			src.IncompleteLastRow = "drop"
			if got, _, err = readType(t, o, src, wanted, 0); err != nil || slices.Contains(got, device1[:12]) {
				t.Errorf("%q, dropped: rows %q, %v", data, got, err)
			}
			continue
		}
		if err != nil || !slices.Equal(got, rows) {
			t.Errorf("%q: rows %q, %v", data, got, err)
		}
	}
}

// trimBraces returns rows without the braces around an id, which package hashing removes.
func trimBraces(rows []string) []string {
	for i := range rows {
		rows[i] = strings.Trim(rows[i], "{}")
	}
	return rows
}

// trimLines returns rows without the CR of their line ends.
func trimLines(rows []string) []string {
	for i := range rows {
		rows[i] = strings.TrimSuffix(rows[i], "\r")
	}
	return rows
}

// TestCarriageReturns reads exports whose lines end in CR alone, at their beginning or
// later. Not one row may vanish.
func TestCarriageReturns(t *testing.T) {
	t.Parallel()
	const rows = 4000
	list, table := strings.Repeat(id1+"\n", rows), "idfa,n\n"+strings.Repeat(id1+",x\n", rows)
	objects := strings.Repeat(`{"idfa":"`+id1+`"}`+"\n", rows)
	for name, data := range map[string]string{
		"list":                       strings.ReplaceAll(list, "\n", "\r"),
		"list, later":                list + strings.ReplaceAll(list, "\n", "\r"),
		"list, one row":              list + id2 + "\r" + id3 + "\n" + list,
		"list, in CR LF":             strings.ReplaceAll(list, "\n", "\r\n") + id2 + "\r" + id3 + "\r\n",
		"csv":                        strings.ReplaceAll(table, "\n", "\r"),
		"csv, later":                 table + strings.ReplaceAll(table, "\n", "\r"),
		"csv, one row":               table + id2 + ",x\r" + id3 + ",x\n" + table,
		"csv, in CR LF":              strings.ReplaceAll(table, "\n", "\r\n") + id2 + ",x\r" + id3 + ",x\r\n",
		"csv, in a short line":       table + "x\r" + id3 + ",x\n",
		"csv, of one column":         "idfa\n" + list + id2 + "\r" + id3 + "\n",
		"ndjson, later":              objects + strings.ReplaceAll(objects, "\n", "\r"),
		"csv, quoted cells and then": table + `"` + id2 + "\",x\r" + id3 + ",x\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o, src := export(t, data, exports.Options{})
			for _, part := range []int64{1 << 40, 50_000} {
				_, _, err := read(t, o, src, part)
				if p := permanent(t, err); p.Class != usher.SourceBroken || !strings.Contains(err.Error(), "CR alone") {
					t.Errorf("parts of %d bytes: %v", part, err)
				}
			}
		})
	}
	for name, data := range map[string]string{
		"CR LF":         strings.ReplaceAll(table, "\n", "\r\n"),
		"two CRs, LF":   strings.ReplaceAll(table, "\n", "\r\r\n"),
		"CR in a cell":  "idfa,n\n" + strings.Repeat(id1+",\"a\rb\"\n", rows),
		"CR as the end": strings.ReplaceAll(table, "\n", "\r\n") + id2 + ",x\r",
		"two CRs, list": strings.ReplaceAll(list, "\n", "\r\r\n"),
		"CR LF list":    strings.ReplaceAll(list, "\n", "\r\n"),
		"objects":       strings.ReplaceAll(objects, "\n", "\r\n"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o, src := export(t, data, exports.Options{})
			for _, part := range []int64{1 << 40, 50_000} {
				got, _, err := read(t, o, src, part)
				if err != nil || len(got) < rows || len(got) > rows+1 {
					t.Errorf("parts of %d bytes: %d rows, %v", part, len(got), err)
				}
			}
		})
	}
}

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
