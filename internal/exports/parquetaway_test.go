package exports_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"usher"
	"usher/internal/exports"
)

// flagged is a row of a table of customers.
type flagged struct {
	IDFA     string `parquet:"idfa"`
	Store    string `parquet:"store"`
	OptedOut bool   `parquet:"opted_out"`
	Mail     string `parquet:"mail"`
}

// flaggedRows returns n rows, of which those from an index on have opted out.
func flaggedRows(from, n, optedOut int) []flagged {
	rows := make([]flagged, n)
	for i := range rows {
		rows[i] = flagged{uuid(from + i), "ios", i >= optedOut, "x@example.com"}
	}
	return rows
}

// encrypted returns a Parquet file in whose footer columns of row groups have a key of their own.
func encrypted(t *testing.T, data string, is func(group int, column string) bool) string {
	t.Helper()
	return withFooter(t, data, func(footer *format.FileMetaData) {
		for g := range footer.RowGroups {
			for c := range footer.RowGroups[g].Columns {
				column := &footer.RowGroups[g].Columns[c]
				if path := column.MetaData.PathInSchema; is(g, strings.Join(path, ".")) {
					column.CryptoMetadata = format.ColumnCryptoMetaData{Value: &format.EncryptionWithColumnKey{PathInSchema: path}}
				}
			}
		}
	})
}

// withFooter returns a Parquet file with a footer that is changed.
func withFooter(t *testing.T, data string, change func(*format.FileMetaData)) string {
	t.Helper()
	end := len(data) - 8
	begin := end - int(binary.LittleEndian.Uint32([]byte(data[end:])))
	var footer format.FileMetaData
	must(t, thrift.NewDecoder(new(thrift.CompactProtocol).NewReader(strings.NewReader(data[begin:end]))).Decode(&footer))
	change(&footer)
	var out bytes.Buffer
	must(t, thrift.NewEncoder(new(thrift.CompactProtocol).NewWriter(&out)).Encode(&footer))
	return data[:begin] + out.String() + string(binary.LittleEndian.AppendUint32(nil, uint32(out.Len()))) + "PAR1"
}

// A column of opt-outs that cannot be read refuses the export, and one that decides nothing does not.
func TestEncryptedFlag(t *testing.T) {
	t.Parallel()
	data := parquetOf(t, flaggedRows(0, 300, 300), 100)
	is := func(wanted string) func(int, string) bool {
		return func(_ int, column string) bool { return column == wanted }
	}
	nothing := func(*usher.Source) {}
	for name, c := range map[string]struct {
		is     func(group int, column string) bool
		wanted exports.Wanted
		change func(*usher.Source)
		says   string // "": it is read
	}{
		"all of it":            {is("opted_out"), exports.Wanted{Type: usher.IDFA}, nothing, "its column 3 (opted_out), which says no of rows by its name, is encrypted or lies in another file"},
		"in one row group":     {func(group int, column string) bool { return group == 1 && column == "opted_out" }, exports.Wanted{Type: usher.IDFA}, nothing, "its column 3 (opted_out), which says no"},
		"named in only":        {is("opted_out"), exports.Wanted{Type: usher.IDFA}, func(src *usher.Source) { src.Only = []string{"opted_out=false"} }, "it has no column opted_out that can be read, which source.only names"},
		"disregarded":          {is("opted_out"), exports.Wanted{Type: usher.IDFA}, func(src *usher.Source) { src.Disregard = []string{"opted_out"} }, ""},
		"of a removal":         {is("opted_out"), exports.Wanted{Type: usher.IDFA, Removes: true}, nothing, ""},
		"of types":             {is("store"), exports.Wanted{Type: usher.IDFA}, nothing, ""},
		"of mail addresses":    {is("mail"), exports.Wanted{Type: usher.IDFA}, nothing, ""},
		"of ids":               {is("idfa"), exports.Wanted{Type: usher.IDFA}, nothing, "a column of its Parquet data is encrypted or lies in another file"},
		"nothing is":           {is(""), exports.Wanted{Type: usher.IDFA}, nothing, ""},
		"no type is wanted":    {is("opted_out"), exports.Wanted{}, nothing, "its column 3 (opted_out), which says no"},
		"types in some groups": {func(group int, column string) bool { return group > 0 && column == "store" }, exports.Wanted{Type: usher.IDFA}, nothing, ""},
	} {
		dir := t.TempDir()
		must(t, os.WriteFile(filepath.Join(dir, "b.parquet"), []byte(encrypted(t, data, c.is)), 0o600))
		must(t, os.Mkdir(filepath.Join(dir, "two"), 0o700))
		must(t, os.WriteFile(filepath.Join(dir, "two/a.parquet"), []byte(parquetOf(t, []struct {
			IDFA string `parquet:"idfa"`
		}{{uuid(900)}, {uuid(901)}}, 9)), 0o600))
		must(t, os.WriteFile(filepath.Join(dir, "two/b.parquet"), []byte(encrypted(t, data, c.is)), 0o600))
		for url, n := range map[string]int{"/b.parquet": 300, "/two/": 302} {
			o, src := opener(t, dir, exports.Options{}), &usher.Source{URL: dir + url}
			c.change(src)
			if len(src.Only) > 0 && n > 300 {
				continue // the first file lacks the column as well
			}
			plan, err := o.Plan(t.Context(), src, c.wanted, 0)
			got := 0
			for i := 0; err == nil && i < len(plan.Parts); i++ {
				var rows []string
				rows, err = readPart(t, o, src, plan, plan.Parts[i])
				got += len(rows)
			}
			switch {
			case c.says == "" && (err != nil || got != n):
				t.Errorf("%s, %s: %d rows, %v", name, url, got, err)
			case c.says != "" && (class(err) != usher.SourceBroken || !strings.Contains(err.Error(), c.says)):
				t.Errorf("%s, %s: %d rows, %v, want %s", name, url, got, err, c.says)
			case strings.Contains(c.says, "by its name") && (len(plan.Parts) > 1 || !strings.HasSuffix(permanent(t, err).Hint, "or add opted_out to source.disregard if it does not decide")):
				t.Errorf("%s, %s: not when it is planned, or hint %s", name, url, permanent(t, err).Hint)
			}
		}
	}
}

// A further file of a folder has a column of opt-outs that the first one lacks, and the first no is behind the samples.
func TestFlagOfFurtherFile(t *testing.T) {
	t.Parallel()
	type unflagged struct {
		IDFA  string `parquet:"idfa"`
		Store string `parquet:"store"`
	}
	first := make([]unflagged, 300)
	for i := range first {
		first[i] = unflagged{uuid(i), "ios"}
	}
	for name, c := range map[string]struct {
		optedOut int
		change   func(*usher.Source)
		refused  bool
	}{
		"one has opted out": {250, func(*usher.Source) {}, true},
		"none has":          {300, func(*usher.Source) {}, false},
		"disregarded":       {250, func(src *usher.Source) { src.Disregard = []string{"opted_out"} }, false},
	} {
		dir := t.TempDir()
		must(t, os.WriteFile(filepath.Join(dir, "a.parquet"), []byte(parquetOf(t, first, 300)), 0o600))
		must(t, os.WriteFile(filepath.Join(dir, "b.parquet"), []byte(parquetOf(t, flaggedRows(300, 300, c.optedOut), 300)), 0o600))
		o, src := opener(t, dir, exports.Options{}), &usher.Source{URL: dir + "/"}
		c.change(src)
		rows, plan, err := readType(t, o, src, usher.IDFA, 0)
		if !slices.ContainsFunc(plan.Checks, func(c usher.ColumnCheck) bool { return c.Name == "store" && c.Says == usher.CheckType }) {
			t.Fatalf("store is not known to have types: %+v", plan.Checks)
		}
		switch {
		case c.refused && (class(err) != usher.SourceBroken || !strings.Contains(err.Error(), fmt.Sprintf("column 3 (opted_out) says no, first in entry %d", c.optedOut+1))):
			t.Errorf("%s: %d rows, %v", name, len(rows), err)
		case !c.refused && (err != nil || len(rows) != 600):
			t.Errorf("%s: %d rows, %v", name, len(rows), err)
		}
	}
}

// A further file of a folder has a column of opt-outs and a list of consents, which is not read beside the ids.
func TestListOfFurtherFile(t *testing.T) {
	t.Parallel()
	type first struct {
		IDFA string `parquet:"idfa"`
	}
	type further struct {
		IDFA     string   `parquet:"idfa"`
		OptedOut bool     `parquet:"opted_out"`
		Consents []string `parquet:"consents,list"`
	}
	data := parquetOf(t, []further{{uuid(2), false, []string{"ads", "mail"}}, {uuid(3), false, nil}}, 9)
	for name, b := range map[string]string{"a list": data, "an encrypted list": encrypted(t, data, func(_ int, column string) bool { return strings.HasPrefix(column, "consents") })} {
		dir := t.TempDir()
		must(t, os.WriteFile(filepath.Join(dir, "a.parquet"), []byte(parquetOf(t, []first{{uuid(1)}}, 9)), 0o600))
		must(t, os.WriteFile(filepath.Join(dir, "b.parquet"), []byte(b), 0o600))
		rows, plan, err := readType(t, opener(t, dir, exports.Options{}), &usher.Source{URL: dir + "/"}, usher.IDFA, 0)
		if err != nil || len(rows) != 3 || len(plan.Warnings) != 1 || !strings.Contains(plan.Warnings[0].Description, "(consents), which are not read beside it") {
			t.Errorf("%s: %d rows, %+v, %v", name, len(rows), plan.Warnings, err)
		}
	}
}

// Several columns have one name, as a join writes them that renames none: the one that the source gives by its number is
// read, and the flags of all.
func TestParquetOfEqualNames(t *testing.T) {
	t.Parallel()
	type row struct {
		Mail      string `parquet:"mail"`
		IDFA      string `parquet:"idfa_1"`
		OptedOut  bool   `parquet:"opted_out_1"`
		IDFA2     string `parquet:"idfa_2"`
		OptedOut2 bool   `parquet:"opted_out_2"`
		OS        string `parquet:"os_1"`
		OS2       string `parquet:"os_2"`
	}
	file := func(optedOut, optedOut2 int) string {
		rows := make([]row, 300)
		for i := range rows {
			rows[i] = row{"x", uuid(i), i >= optedOut, uuid(1000 + i), i >= optedOut2, "ios", "ios"}
		}
		return withFooter(t, parquetOf(t, rows, 300), func(footer *format.FileMetaData) {
			for i := range footer.Schema {
				footer.Schema[i].Name = strings.TrimRight(footer.Schema[i].Name, "_12")
			}
		})
	}
	for name, c := range map[string]struct {
		data               string
		column, typeColumn string
		first              int    // the number of its first id
		says               string // "": it is read
	}{
		"the first":        {file(300, 300), "2", "", 0, ""},
		"the second":       {file(300, 300), "4", "", 1000, ""},
		"by their name":    {file(300, 300), "idfa", "", 0, "several of its columns have the name that source.column gives"},
		"none is named":    {file(300, 300), "", "", 0, "cannot be determined"},
		"the first flag":   {file(250, 300), "2", "", 0, "column 3 (opted_out) says no, first in entry 251"},
		"the second flag":  {file(300, 250), "2", "", 0, "column 5 (opted_out) says no, first in entry 251"},
		"the first types":  {file(300, 300), "4", "6", 1000, ""},
		"the second types": {file(300, 300), "4", "7", 0, "several of its columns have the name that source.typeColumn means"},
	} {
		dir := t.TempDir()
		must(t, os.Mkdir(filepath.Join(dir, "two"), 0o700))
		for _, name := range []string{"one.parquet", "two/a.parquet", "two/b.parquet"} {
			must(t, os.WriteFile(filepath.Join(dir, name), []byte(c.data), 0o600))
		}
		for url, n := range map[string]int{"/one.parquet": 300, "/two/": 600} {
			src := &usher.Source{URL: dir + url, Column: c.column, TypeColumn: c.typeColumn}
			rows, _, err := readType(t, opener(t, dir, exports.Options{}), src, usher.IDFA, 0)
			if c.says == "" && (err != nil || len(rows) != n || rows[0] != uuid(c.first)) || c.says != "" && (class(err) != usher.SourceBroken || !strings.Contains(err.Error(), c.says)) {
				t.Errorf("%s, %s: %d rows, %v", name, url, len(rows), err)
			}
		}
	}
}
