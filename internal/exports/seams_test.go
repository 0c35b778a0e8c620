package exports_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
)

// Two files whose rows stand on one line, because the first one has no final line end, are
// refused with the number of the row.
func TestRowsOnOneLine(t *testing.T) {
	t.Parallel()
	note := func(i int) string { return fmt.Sprintf("%d,%s,Anna\n", i, uuid(i)) }
	last := func(i int) string { return fmt.Sprintf("%d,%s\n", i, uuid(i)) }
	first := func(i int) string { return fmt.Sprintf("%s,Anna %d\n", uuid(i), i) }
	quoted := func(i int) string { return fmt.Sprintf("%d,\"%s\"\n", i, uuid(i)) }
	allQuoted := func(i int) string { return fmt.Sprintf("\"%d\",\"%s\"\n", i, uuid(i)) }
	android := func(i int) string { return fmt.Sprintf("%d,%016x\n", i, uint64(i)+0xabcdef<<40) }
	for name, c := range map[string]struct {
		header string
		row    func(i int) string
		end    string // behind the first file
	}{
		"ids in the middle":              {"n,idfa,note\n", note, ""},
		"ids at the end":                 {"n,idfa\n", last, ""},
		"ids at the end, no header":      {"", last, ""},
		"ids at the beginning":           {"idfa,note\n", first, ""},
		"quoted ids at the end":          {"n,idfa\n", quoted, ""},
		"all quoted":                     {"n,idfa\n", allQuoted, ""},
		"a byte order mark in between":   {"n,idfa\n", last, "\uFEFF"},
		"short ids":                      {"n,android_id\n", android, ""},
		"lists of ids":                   {"n,idfa,x\n", func(i int) string { return fmt.Sprintf("%d,%s|%s,x\n", i, uuid(i), uuid(i+9000)) }, ""},
		"an empty cell behind the id":    {"idfa,note\n", func(i int) string { return uuid(i) + ",\n" }, ""},
		"other columns of ids beside it": {"idfa,gaid\n", func(i int) string { return uuid(i) + "," + lowerUUID(i) + "\n" }, ""},
	} {
		for _, n := range []int{20, 3000} {
			for _, part := range []int64{0, 50_000} {
				data := c.header + strings.TrimSuffix(rowsFrom(1, n, c.row), "\n") + c.end + rowsFrom(n+1, 20, c.row)
				o, src := export(t, data, exports.Options{})
				wanted := usher.IDFA
				if strings.Contains(c.header, "android") {
					wanted = usher.AndroidID
				}
				rows, _, err := readType(t, o, src, wanted, part)
				if class(err) != usher.SourceBroken || !strings.Contains(err.Error(), "on one line in row ") || part == 0 && !strings.Contains(err.Error(), fmt.Sprintf("row %d:", n)) {
					t.Errorf("%s, behind %d rows, parts of %d: %d rows, %v", name, n, part, len(rows), err)
				}
			}
		}
	}
}

// A header without a line end and the first row of another file stand on one line.
func TestRowBehindHeader(t *testing.T) {
	t.Parallel()
	for _, data := range []string{
		"n,idfa" + rowsFrom(1, 20, func(i int) string { return fmt.Sprintf("%d,%s\n", i, uuid(i)) }),
		"idfa,note" + rowsFrom(1, 20, func(i int) string { return uuid(i) + ",x\n" }),
	} {
		o, src := export(t, data, exports.Options{})
		if rows, _, err := read(t, o, src, 0); class(err) != usher.SourceBroken {
			t.Errorf("%q: %d rows, %v", data[:12], len(rows), err)
		}
	}
}

// Rows with an unquoted delimiter are malformed, as always, if they do not have two ids.
func TestUnquotedDelimiters(t *testing.T) {
	t.Parallel()
	row := func(i int) string { return fmt.Sprintf("%d,%s,Anna\n", i, uuid(i)) }
	for _, odd := range []string{"7," + id1 + ",a,b,c\n", "a,b,c," + id1 + ",x\n", "7,a," + id1 + ",b\n"} {
		o, src := export(t, "n,idfa,note\n"+rowsFrom(1, 200, row)+odd+rowsFrom(300, 20, row), exports.Options{})
		rows, _, err := read(t, o, src, 0)
		if err != nil || rows[200] != usher.MalformedRow || len(rows) != 221 {
			t.Errorf("%q: %d rows, %v", odd, len(rows), err)
		}
	}
}

// Records of NDJSON on one line are read one by one: nothing is lost where files were put
// together without a line end.
func TestRecordsOnOneLine(t *testing.T) {
	t.Parallel()
	record := func(i int) string { return fmt.Sprintf(`{"n":%d,"os":"ios","idfa":%q}`, i, uuid(i)) }
	for _, between := range []string{"", " ", "\uFEFF", record(7000)} {
		for _, n := range []int{3, 1000} {
			data := strings.TrimSuffix(rowsFrom(1, n, func(i int) string { return record(i) + "\n" }), "\n") +
				between + record(n+1) + "\n" + record(n+2) + between + record(n+3)
			for _, part := range []int64{0, 10_000} {
				for _, types := range []string{"", "os"} {
					o, src := export(t, data, exports.Options{})
					src.TypeColumn = types
					rows, _, err := readType(t, o, src, usher.IDFA, part)
					want := n + 3
					if len(between) > 10 {
						want += 2
					}
					if err != nil || len(rows) != want || slices.Contains(rows, usher.MalformedRow) {
						t.Errorf("%q between, behind %d records: %d rows, want %d, %v", between, n, len(rows), want, err)
					}
				}
			}
		}
	}
}

// What is no whole record behind another one is malformed.
func TestNoRecordOnOneLine(t *testing.T) {
	t.Parallel()
	record := `{"idfa":"` + id1 + `"}`
	for _, behind := range []string{`{"idfa":`, "x", `{"idfa"}`, "[1]", `"a"`} {
		path := filepath.Join(t.TempDir(), "export")
		must(t, os.WriteFile(path, []byte(strings.Repeat(record+"\n", 20)+record+behind+"\n"+record+"\n"), 0o600))
		o := opener(t, filepath.Dir(path), exports.Options{})
		rows, _, err := read(t, o, &usher.Source{URL: path}, 0)
		if err != nil || len(rows) != 22 || rows[20] != usher.MalformedRow {
			t.Errorf("%q: %d rows, %v", behind, len(rows), err)
		}
	}
}
