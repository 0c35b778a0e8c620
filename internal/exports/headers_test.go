package exports_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
)

// A header within an export without one is refused if its ids are of another kind.
func TestHeadersWithin(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]bool{
		"n,idfa,note": true, "n,device_id,note": true, `"n","IDFA","note"`: true,
		"n,idfv,note": false, `"n","anonymousId","note"`: false, "n,idfa_md5,note": false,
	} {
		o, src := export(t, strings.Repeat("1,"+id1+",x\n", 3)+header+"\n2,"+id2+",y\n", exports.Options{})
		if _, _, err := read(t, o, src, 0); want != (err == nil) || !want && class(err) != usher.SourceBroken {
			t.Errorf("%s: %v", header, err)
		}
	}
}

// Words that are no header are read below an unknown name, even its own.
func TestWordsBelowUnknownName(t *testing.T) {
	t.Parallel()
	data := "idfa,x,y\n" + strings.Repeat(id1+","+id2+",z\n x ,words,z\n", 20)
	o, src := export(t, data, exports.Options{})
	src.Column = "2"
	if rows, _, err := read(t, o, src, 0); err != nil || len(rows) != 40 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}

// Two exports that were put together are refused if their headers name other columns of
// ids, since the ids of the second may be of another kind.
func TestHeadersInTheMiddle(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		second string
		want   bool // it is read
	}{
		"the same":                        {"n,idfa,note", true},
		"the same in quotes":              {`"n","idfa","note"`, true},
		"another name of the same kind":   {"n,apple_idfa,note", true},
		"another kind, the rest as above": {"n,idfv,note", false},
		"ids of something else":           {"n,anonymousId,note", false},
		"another type":                    {"n,aaid,note", false},
		"digests":                         {"n,idfa_md5,note", false},
		"an unknown name":                 {"n,target,note", false},
		"all names are others":            {"kunde,gaid,notiz", false},
		"the columns in another order":    {"idfa,n,note", false},
		"no header":                       {"7,null,x", true},
		"no header, but a word":           {"7,unknown,x", true},
		"nothing but words":               {"Berlin,device,x", true},
		"ids of some kind":                {"n,uuid,note", false},
		"ids of a database":               {"n,_id,note", false},
		"ids of a customer":               {"n,customer_uuid,note", false},
		"the same name, elsewhere":        {"idfa,target,notes", false},
	} {
		for _, rows := range []int{1, 5000} { // in the head, and far behind it
			t.Run(fmt.Sprintf("%s, %d", name, rows), func(t *testing.T) {
				t.Parallel()
				data := "n,idfa,note\n" + strings.Repeat("1,"+id1+",x\n", rows) + c.second + "\n2," + id2 + ",y\n"
				o, src := export(t, data, exports.Options{})
				_, _, err := read(t, o, src, 0)
				if c.want != (err == nil) || !c.want && class(err) != usher.SourceBroken {
					t.Errorf("%v", err)
				}
			})
		}
	}
}

// A list without a header and one whose header names ids of another type are no export of
// one type.
func TestListsOfOtherTypes(t *testing.T) {
	t.Parallel()
	for header, refused := range map[string]bool{"idfa": false, "device_id": false, "gaid": true, "android_id": true, "idfv": true, "id": true} {
		dir := t.TempDir()
		must(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte(id1+"\n"), 0o600))
		must(t, os.WriteFile(filepath.Join(dir, "b.txt"), []byte(header+"\n"+id2+"\n"), 0o600))
		_, err := opener(t, dir, exports.Options{}).Plan(t.Context(), &usher.Source{URL: dir + "/"}, exports.Wanted{Type: usher.IDFA}, 0)
		if refused != (class(err) == usher.SourceBroken) || !refused && err != nil {
			t.Errorf("%s: %v", header, err)
		}
	}
}

// A header of unknown names is refused within an export if its words are none of
// the values that the columns have.
func TestUnknownHeaders(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	vip := func(i int) string { return uuid(i) + "," + []string{"gold", "silver"}[i%2] + "\n" }
	active := func(i int) string { return uuid(i) + ",active\n" }
	number := func(i int) string { return fmt.Sprintf("%s,%d\n", uuid(i), i) }
	name := func(i int) string { return fmt.Sprintf("%s,Anna%c%c\n", uuid(i), 'a'+i%26, 'a'+i/26%26) }
	for title, c := range map[string]struct {
		header, second string
		row            func(i int) string
		column         string
		want           bool // it is read
	}{
		"a second header":               {"idfa,segment\n", "kunde,gruppe\n", vip, "", false},
		"without a first":               {"", "customer,segment\n", vip, "", false},
		"below a known one":             {"idfa,segment\n", "kunde,gruppe\n", vip, "", false},
		"quoted":                        {"idfa,segment\n", "\"kunde\",\"gruppe\"\n", vip, "", false},
		"above numbers":                 {"idfa,segment\n", "kunde,gruppe\n", number, "", false},
		"the column is named":           {"idfa,segment\n", "kunde,gruppe\n", vip, "1", true},
		"the same again":                {"idfa,segment\n", "idfa,segment\n", vip, "", true},
		"a word for a missing id":       {"idfa,segment\n", "denied,gold\n", vip, "", true},
		"a placeholder":                 {"idfa,segment\n", "unknown,platinum\n", vip, "", true},
		"a word before a number":        {"idfa,segment\n", "denied,17\n", number, "", true},
		"words for several missing ids": {"idfa,segment\n", "denied,gold\ndenied,silver\ndenied,new\n", vip, "", true},
		"the same word again and again": {"idfa,segment\n", strings.Repeat("denied,inactive\n", 3), vip, "", true},
		"a state once":                  {"idfa,segment\n", "denied,inactive\n", active, "", true},
		"a state twice":                 {"idfa,segment\n", strings.Repeat("denied,inactive\n", 2), active, "", true},
		"a state and another word":      {"idfa,segment\n", "Berta,INACTIVE\n", active, "", true},
		"German states":                 {"idfa,zustand\n", "Berta,bestätigt\n", func(i int) string { return uuid(i) + ",aktiv\n" }, "", true},
		"a state and an unknown word":   {"idfa,segment\n", "opted_out,platinum\n", vip, "", true},
		"a header above states":         {"idfa,segment\n", "kunde,zustand\n", active, "", false},
		"a header of a flag":            {"idfa,segment\n", "kunde,active\n", number, "", false},
		"names of people":               {"idfa,segment\n", "denied,Berta\n", name, "", true},
	} {
		for _, rows := range []int{0, 30, 3000} { // at the top, in the head, and behind it
			for _, part := range []int64{0, 50_000} {
				data := c.header + rowsFrom(1, rows, c.row) + c.second + rowsFrom(10_000, 1000, c.row)
				o, src := export(t, data, exports.Options{})
				src.Column = c.column
				got, _, err := readType(t, o, src, usher.IDFA, part)
				if rows == 0 && c.header == "" {
					continue // its only header
				}
				if c.want != (err == nil) || !c.want && class(err) != usher.SourceBroken {
					t.Errorf("%s, behind %d rows, parts of %d: %d rows, %v", title, rows, part, len(got), err)
				}
			}
		}
	}
}

// A word for missing ids that stands beside known values is no header beside another value,
// where no samples were taken.
func TestWordsForMissingIDs(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	vip := func(i int) string { return uuid(i) + "," + []string{"gold", "silver"}[i%2] + "\n" }
	for words, want := range map[string]bool{"denied,gold\ndenied,platinum\n": true, "denied,17\ndenied,platinum\n": true, "denied,platinum\n": true,
		"entfällt,gold\nentfällt,platinum\n": true, "entfällt,17\nentfällt,platinum\n": true, "entfällt,platinum\n": false} {
		o, src := export(t, "idfa,segment\n"+rowsFrom(1, 2400, vip)+words+rowsFrom(2400, 40_000, vip), exports.Options{})
		if rows, _, err := readType(t, o, src, usher.IDFA, 0); want != (err == nil) {
			t.Errorf("%q: %d rows, %v", words, len(rows), err)
		}
	}
}

// A header that follows a row on the same line is refused: the ids below it may be others.
func TestHeaderOnSameLine(t *testing.T) {
	t.Parallel()
	for data, want := range map[string]bool{
		"n,idfa\n1," + id1 + "n,gaid\n2," + id3 + "\n":        false,
		"n,idfa\n1," + id1 + "n,idfa\n2," + id2 + "\n":        false,
		"idfa,n\n" + id1 + ",1idfa,n\n" + id2 + ",2\n":        false,
		"idfa,n\n" + id1 + ",xcustomer_id,n\n" + id2 + ",2\n": false,
		"1," + id1 + "\n2," + id1 + "n,idfv\n2," + id2 + "\n": false,
		"n,idfa\n1,foo id,bar\n2," + id2 + "\n":               true,
		"n,idfa\n1," + id1 + ",x\n2," + id2 + "\n":            true,
		"n,idfa\n1," + id1 + "2," + id2 + "\n":                false,
		"n,idfa\n1," + id1 + "2,Anna\n":                       true,
	} {
		for _, more := range []int{1, 3000} {
			row := "7," + id1 + "\n"
			if strings.HasPrefix(data, "idfa,") {
				row = id1 + ",7\n"
			}
			o, src := export(t, data+strings.Repeat(row, more), exports.Options{})
			if more > 1 {
				header, rest, _ := strings.Cut(data, "\n")
				must(t, os.WriteFile(src.URL, []byte(header+"\n"+strings.Repeat(row, more)+rest), 0o600))
			}
			if rows, _, err := read(t, o, src, 0); want != (err == nil) || !want && class(err) != usher.SourceBroken {
				t.Errorf("%q and %d rows: %d rows, %v", data, more, len(rows), err)
			}
		}
	}
}

// Lines before the header are refused with the number that source.skip needs, whatever they
// have in common with the header.
func TestTitles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		title  string
		header string // default n,idfa
		skip   int    // that the job has already
		want   int
	}{
		{"Export\n", "", 0, 1},
		{"Export\r\n\r\n", "", 0, 2},
		{"\nExport\n", "", 0, 2},
		{"sep=,\nExport\n", "", 0, 2},
		{"Export\nfrom today\n", "", 0, 2},
		{"Export, all\n", "", 0, 1},
		{"Export, all, whole, complete\n", "", 0, 1},
		{"Export\nmade by us, for you\n", "", 0, 2},
		{"Export\nfrom today\n", "", 1, 2},
		{"Export, all\nfrom, today\n", "", 1, 2},
		{"\"Export, \"\"all\"\" of it\"\n", "", 0, 1},
		{"# Export\n# from today, all of it\n", "", 0, 2},
		{"Export\n", "kunde,ziel", 0, 1},
		{"Export, March, all\n", "kunde,ziel", 0, 1},
		{"Export\nmade by us, for you\n", "kunde,ziel", 0, 2},
	} {
		t.Run(fmt.Sprintf("%q %s %d", c.title, c.header, c.skip), func(t *testing.T) {
			t.Parallel()
			header := c.header
			if header == "" {
				header = "n,idfa"
			}
			o, src := export(t, c.title+header+"\n"+rowsFrom(1, 30, func(i int) string { return fmt.Sprintf("%d,%s\n", i, uuid(i)) }), exports.Options{})
			src.Skip.Lines = c.skip
			_, _, err := readType(t, o, src, usher.IDFA, 0)
			if class(err) != usher.SourceBroken || !strings.Contains(permanent(t, err).Hint, fmt.Sprintf("set source.skip to %d,", c.want)) {
				t.Fatalf("read with %v", err)
			}
			src.Skip.Lines = c.want
			if c.header != "" { // whose names say nothing
				src.Column = "2"
			}
			if rows, _, err := readType(t, o, src, usher.IDFA, 0); err != nil || len(rows) != 30 || rows[0] != uuid(1) {
				t.Errorf("as the hint says: %d rows, %v", len(rows), err)
			}
		})
	}
}

// The hint for lines before the table comes first: before hints for the dialect of its rows, for a
// table of a few rows only, and for one without a header.
func TestTitlesComeFirst(t *testing.T) {
	t.Parallel()
	for name, table := range map[string]string{
		"quotes":                  "n,idfa,note\n" + rowsFrom(1, 30, func(i int) string { return fmt.Sprintf("%d,%s,\"say \"\"hi\"\"\"\n", i, uuid(i)) }),
		"backslash":               "n,idfa,note\n" + rowsFrom(1, 30, func(i int) string { return fmt.Sprintf("%d,%s,\"C:\\temp\\\"\n", i, uuid(i)) }),
		"escaped":                 "n,idfa,note\n" + rowsFrom(1, 30, func(i int) string { return fmt.Sprintf("%d,%s,\"say \\\"hi\\\"\"\n", i, uuid(i)) }),
		"few rows":                "n,idfa,note\n" + rowsFrom(1, 2, func(i int) string { return fmt.Sprintf("%d,%s,\"say \"\"hi\"\"\"\n", i, uuid(i)) }),
		"few rows, unknown names": "kunde,ziel,notiz\n" + rowsFrom(1, 2, func(i int) string { return fmt.Sprintf("%d,%s,x\n", i, uuid(i)) }),
		"no header":               rowsFrom(1, 30, func(i int) string { return fmt.Sprintf("%d,%s,x\n", i, uuid(i)) }),
		"no header, one row":      fmt.Sprintf("1,%s,x\n", uuid(1)),
	} {
		for title, c := range map[string]struct {
			lines int
			mark  string
		}{
			"Export\n": {1, ""}, "\"Export, \"\"all\"\"\"\n\n": {2, ""}, "Export;\nall, of it, today, again\n": {2, ""},
			"Export of C:\\data\\\n": {1, ""}, "# Export\n": {1, ", or source.skip to \"#\""}, "#Export, \"all\"\n#\n# of it\n": {3, ", or source.skip to \"#\""},
		} {
			if strings.Contains(title, `\`) && name != "quotes" {
				continue // the title is read as part of the header, with an escaped line end
			}
			o, src := export(t, title+table, exports.Options{})
			_, _, err := readType(t, o, src, usher.IDFA, 0)
			want := fmt.Sprintf("set source.skip to %d, the number of lines before the table%s", c.lines, c.mark)
			if class(err) != usher.SourceBroken || !strings.HasPrefix(permanent(t, err).Hint, want) {
				t.Errorf("%s behind %q: %v, want %q", name, title, err, want)
			}
		}
	}
}

// A row that names the type of its id is no header, even if it has no id.
func TestTypesAreNoHeader(t *testing.T) {
	t.Parallel()
	o, src := export(t, "nr,typ,device_id\n1,idfa,\n"+rowsFrom(2, 20, func(i int) string { return fmt.Sprintf("%d,idfa,%s\n", i, uuid(i)) }), exports.Options{})
	if rows, _, err := readType(t, o, src, usher.IDFA, 0); err != nil || len(rows) != 21 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}
