package exports_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"usher"
	"usher/internal/exports"
)

func utf16le(s string) string { return units(s, binary.LittleEndian) }
func utf16be(s string) string { return units(s, binary.BigEndian) }

func units(s string, order binary.AppendByteOrder) string {
	var out []byte
	for _, u := range utf16.Encode([]rune(s)) {
		out = order.AppendUint16(out, u)
	}
	return string(out)
}

// TestWild reads exports whose source declares nothing.
func TestWild(t *testing.T) {
	t.Parallel()
	const bom = "\ufeff"
	for _, c := range []struct {
		name   string
		data   string
		want   []string
		format usher.Format
		header string
	}{
		{"empty", "", nil, "text", ""},
		{"BOM only", bom, nil, "text", ""},
		{"blank lines only", "\n\r\n  \n\t\n\u00a0\n", nil, "text", ""},
		{"one id", id1, []string{id1}, "text", ""},
		{"list", id1 + "\n" + id2 + "\n", []string{id1, id2}, "text", ""},
		{"list, CRLF, no end", id1 + "\r\n" + id2, []string{id1, id2}, "text", ""},
		{"list with blank lines", "\n" + id1 + "\n\n \r\n" + id2 + "\n\n", []string{id1, id2}, "text", ""},
		{"list with BOM", bom + id1 + "\n", []string{id1}, "text", ""},
		{"list with header", "idfa\n" + id1 + "\n", []string{id1}, "text", "idfa"},
		{"list with header, BOM, CRLF", bom + "IDFA(s)\r\n" + id1 + "\r\n", []string{id1}, "text", "IDFA(s)"},
		{"list with blank line before the header", "\n\nDevice ID\n" + id1 + "\n", []string{id1}, "text", "Device ID"},
		{"list with header only", "madid\n", nil, "text", "madid"},
		{"list, first row junk", "hello\n" + id1 + "\n", []string{"hello", id1}, "text", ""},
		{"list, first row placeholder", "null\n" + id1 + "\n", []string{"null", id1}, "text", ""},
		{"braced ids", "{" + id1 + "}\n{" + id2 + "}\n", []string{"{" + id1 + "}", "{" + id2 + "}"}, "text", ""},
		{"macro first", "{ifa}\n" + id1 + "\n", []string{"{ifa}", id1}, "text", ""},
		{"bracket macro first", "[replace_me]\n" + id1 + "\n", []string{"[replace_me]", id1}, "text", ""},
		{"quoted list", "\"" + id1 + "\"\n\"" + id2 + "\"\n", []string{"\"" + id1 + "\"", "\"" + id2 + "\""}, "text", ""},
		{"quoted list with header", "\"idfa\"\n\"" + id1 + "\"\n", []string{"\"" + id1 + "\""}, "text", "idfa"},
		{"list with an open quote", id1 + "\n\"" + id2 + "\n" + id3 + "\n", []string{id1, "\"" + id2, id3}, "text", ""},
		{"list with a comma behind each id", id1 + ",\n" + id2 + ",\n", []string{id1, id2}, "csv", ""},
		{"lists of ids, uneven", "ids\n" + id1 + "," + id2 + "\n" + id3 + "\n", []string{id1, id2, id3}, "csv", "ids"},
		{"spaced list of ids", "IDFA(s)\n" + id1 + " " + id2 + "\n" + id3 + "\n", []string{id1, id2, id3}, "csv", "IDFA(s)"},

		{"lists in braces", "{" + id1 + "," + id2 + "}\n{" + id3 + ",NULL}\n", []string{id1, id2, id3, "NULL"}, "csv", ""},
		{"lists in braces, some of one id", "idfas\n{" + id1 + "," + id2 + "}\n{" + id3 + "}\n{" + id4 + "}\n", []string{id1, id2, "{" + id3 + "}", id4}, "csv", "idfas"},
		{"lists in brackets", "[" + id1 + ", " + id2 + "]\n[" + id3 + "]\n[]\n", []string{id1, id2, id3, ""}, "csv", ""},
		{"lists of JSON", `["` + id1 + `","` + id2 + `"]` + "\n" + `["` + id3 + `"]` + "\n", []string{id1, id2, id3}, "ndjson", ""},
		{"quoted lists of JSON", "ids\r\n" + `"[""` + id1 + `"", ""` + id2 + `""]"` + "\r\n" + `"[""` + id3 + `""]"` + "\r\n", []string{id1, id2, id3}, "csv", "ids"},
		{"lists of Python", `['` + id1 + `', '` + id2 + `']` + "\n" + `['` + id3 + `']` + "\n", []string{id1, id2, id3}, "csv", ""},
		{"two columns in braces", "{" + id1 + "},a\n{" + id2 + "},b\n", []string{"{" + id1 + "}", "{" + id2 + "}"}, "csv", ""},
		{"lists with spaces around bars", id1 + " | " + id2 + "\n" + id3 + "\n", []string{id1, id2, id3}, "csv", ""},
		{"comma", "name,idfa\na," + id1 + "\nb," + id2 + "\n", []string{id1, id2}, "csv", "idfa"},
		{"semicolon, decimal comma, German", "Kunde;Geräte-ID;Umsatz\nx;" + id1 + ";1,5\ny;" + id2 + ";2,5\n", []string{id1, id2}, "csv", "Geräte-ID"},
		{"Latin-1 header", "Kunde;Ger\xe4te-ID\nx;" + id1 + "\n", []string{id1}, "csv", "Geräte-ID"},
		{"decomposed umlaut", "Kunde;Gera\u0308te_ID\nx;" + id1 + "\n", []string{id1}, "csv", "Gera\u0308te_ID"},
		{"tab", "geraete_id\tos\n" + id1 + "\tios\n", []string{id1}, "csv", "geraete_id"},
		{"bar", "os|Werbe-ID\nios|" + id1 + "\n", []string{id1}, "csv", "Werbe-ID"},
		{"sep line", "sep=;\r\na;gaid\r\n1;" + id3 + "\r\n", []string{id3}, "csv", "gaid"},
		{"sep line, UTF-8 BOM", bom + "sep=;\na;gaid\n1;" + id3 + "\n", []string{id3}, "csv", "gaid"},
		{"no header", "C-1," + id1 + "\nC-2," + id2 + "\n", []string{id1, id2}, "csv", ""},
		{"two names, one with ids", "device_id,idfa\n17," + id1 + "\n18," + id2 + "\n", []string{id1, id2}, "csv", "idfa"},
		{"usual name before a telling one", "idfa_md5,idfa\nf2d1311ca5c1ecb214c19a26e9ddbad0," + id1 + "\n", []string{id1}, "csv", "idfa"},
		{"quotes", "\"name\",\"idfa\"\n\"a, \"\"b\"\"\",\"" + id1 + "\"\n", []string{id1}, "csv", "idfa"},
		{"quoted line end", "note,idfa\n\"two\r\nlines\"," + id1 + "\n\"x\ny\nz\"," + id2 + "\n", []string{id1, id2}, "csv", "idfa"},
		{"stray quotes", "note,idfa\n5\" screen," + id1 + "\n\"a\"b," + id2 + "\n", []string{id1, id2}, "csv", "idfa"},
		{"empty and missing cells", "n,idfa\n1,\n2\n3," + id1 + "\n4,\"\"\n", []string{"", "", id1, ""}, "csv", "idfa"},
		{"uneven rows", "n,idfa\n1\n2\n3," + id1 + ",x\n", []string{"", "", usher.MalformedRow}, "csv", "idfa"},
		{"a short row with an id", "n\tidfa\n1\t" + id1 + "\n" + id2 + ", x,7\n2\n", []string{id1, usher.MalformedRow, ""}, "csv", "idfa"},
		{"blank lines", "n,idfa\n\n1," + id1 + "\n\r\n2," + id2 + "\n", []string{id1, id2}, "csv", "idfa"},
		{"several ids in a cell", "n,idfas\n1,\"" + id1 + ", " + id2 + "\"\n2," + id3 + "|" + id4 + ";\n", []string{id1, id2, id3, id4}, "csv", "idfas"},
		{"ids on lines of a cell", "n,idfas\n1,\"" + id1 + "\n" + id2 + "\"\n", []string{id1, id2}, "csv", "idfas"},
		{"line end within a value", "n,idfa\n1,\"foo\nbar\"\n2," + id1 + "\n", []string{"foo bar", id1}, "csv", "idfa"},
		{"tabs only is a row", "a\tidfa\tb\n\t\t\n1\t" + id1 + "\t2\n", []string{"", id1}, "csv", "idfa"},
		{"header only", "name;idfa\n", nil, "csv", "idfa"},

		{"NDJSON", `{"idfa":"` + id1 + `"}` + "\n" + `{"idfa":"` + id2 + `"}`, []string{id1, id2}, "ndjson", ""},
		{"NDJSON, nested", `{"a":1,"device":{"os":"ios","gaid":"` + id3 + `"}}` + "\n\n", []string{id3}, "ndjson", ""},
		{"NDJSON, list", `{"ids":["` + id1 + `","` + id2 + `"]}` + "\n" + `{"ids":[]}` + "\n" + `{}` + "\n", []string{id1, id2, "", ""}, "ndjson", ""},
		{"NDJSON, null and number", `{"aaid":null}` + "\n" + `{"aaid":490154203237518}` + "\n" + `{"aaid":{"x":1}}` + "\n" + `{"aaid":true}`, []string{"", "490154203237518", "?", "true"}, "ndjson", ""},
		{"NDJSON, damaged record", `{"aaid":"` + id3 + `"}` + "\n" + `{"aaid":"` + id3 + "\n" + `x` + "\n", []string{id3, usher.MalformedRow, usher.MalformedRow}, "ndjson", ""},
		{"NDJSON, escapes", `{"\u0069dfa":"6\u004492078A-8246-4BA4-AE5B-76104861E7DC\n"}` + "\n", []string{id1}, "ndjson", ""},
		{"NDJSON, array of objects a line", `[{"idfa":"` + id1 + `"},{"idfa":"` + id2 + `"}]` + "\n", []string{id1, id2}, "json", ""},

		{"UTF-16LE with BOM", utf16le("\ufeffGeräte-ID\r\n" + id1 + "\r\n"), []string{id1}, "text", "Geräte-ID"},
		{"UTF-16BE with BOM", utf16be("\ufeffidfa;x\r\n" + id1 + ";😀\r\n"), []string{id1}, "csv", "idfa"},
		{"UTF-16LE without BOM", utf16le(id1 + "\n" + id2), []string{id1, id2}, "text", ""},
		{"UTF-16BE without BOM", utf16be(id1 + "\n" + id2), []string{id1, id2}, "text", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, pack := range []struct {
				name string
				pack func(testing.TB, string) string
			}{{"plain", func(_ testing.TB, s string) string { return s }}, {"gzip", gzipped}, {"zstd", zstdPacked}} {
				o, src := export(t, pack.pack(t, c.data), exports.Options{})
				rows, plan, err := read(t, o, src, 0)
				if err != nil {
					t.Fatalf("%s: %v", pack.name, err)
				}
				if !slices.Equal(rows, c.want) {
					t.Errorf("%s: rows %q, want %q", pack.name, rows, c.want)
				}
				if plan.Format != c.format || plan.Header != c.header {
					t.Errorf("%s: format %q, header %q; want %q, %q", pack.name, plan.Format, plan.Header, c.format, c.header)
				}
			}
		})
	}
}

// The first row of a CSV export is damaged, so that no delimiter gives all rows the same
// number of columns. The ids of other columns must not be read as elements of lists.
func TestDamagedFirstRow(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	fmt.Fprintf(&b, "1000,plain%s,DE\n", id1)
	for i := range 40 {
		fmt.Fprintf(&b, "%d,\"a \"\"b\"\", \"\"c\"\", %s, \"\"d\"\"\",%s,US\n", 1001+i, id2, uuid(i))
	}
	for _, column := range []string{"", "3"} {
		o, src := export(t, b.String(), exports.Options{})
		src.Column = column
		if rows, plan, err := read(t, o, src, 0); err == nil && slices.Contains(rows, id2) {
			t.Errorf("column %q: an id of a note is read (plan %+v)", column, plan)
		}
	}
}

// TestDeclared reads exports whose source declares the format.
func TestDeclared(t *testing.T) {
	t.Parallel()
	no := false
	two := "idfa,gaid\n" + id1 + "," + id3 + "\n"
	for _, c := range []struct {
		name string
		data string
		src  usher.Source
		want []string
	}{
		{"column by name", two, usher.Source{Column: "gaid"}, []string{id3}},
		{"column by name, loosely", two, usher.Source{Column: "G-AID"}, []string{id3}},
		{"column by number", two, usher.Source{Column: "1"}, []string{id1}},
		{"a cell that is the column's number", id1 + ",1\n" + id2 + ",0\n", usher.Source{Column: "1"}, []string{id1, id2}},
		{"a header that is a number", "2024,2025\nx," + id1 + "\n", usher.Source{Column: "2025"}, []string{id1}},
		{"column by number, no header", "a," + id1 + "\nb," + id2 + "\n", usher.Source{Column: "2"}, []string{id1, id2}},
		{"delimiter", "x|y\n" + id1 + "|1\n", usher.Source{Delimiter: "|", Column: "x"}, []string{id1}},
		{"text with commas", id1 + ",1\n" + id2 + ",2\n", usher.Source{Format: "text"}, []string{id1 + ",1", id2 + ",2"}},
		{"text with its header named", "Kennziffer\n" + id1 + "\n", usher.Source{Column: "Kennziffer"}, []string{id1}},
		{"path", `{"a":{"b":"` + id1 + `"},"a.c":"` + id2 + `"}`, usher.Source{Column: "a.c"}, []string{id2}},
		{"nested path", `{"a":{"b":"` + id1 + `"},"a.c":"` + id2 + `"}`, usher.Source{Column: "a.b"}, []string{id1}},
		{"encoding", utf16be("x" + id1), usher.Source{Encoding: "utf-16be"}, []string{"x" + id1}},
		{"auto everywhere", two, usher.Source{Format: "auto", Compression: "auto", Column: "2", Delimiter: "auto", Encoding: "auto"}, []string{id3}},
		{"never cut", "n,idfa\n\"a\nb\"," + id1 + "\n", usher.Source{Cut: &no}, []string{id1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o, src := export(t, c.data, exports.Options{})
			c.src.URL = "file://" + src.URL
			part := int64(0)
			if c.src.Cut != nil {
				part = 5
			}
			rows, plan, err := read(t, o, &c.src, part)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(rows, c.want) {
				t.Errorf("rows %q, want %q (plan %+v)", rows, c.want, plan)
			}
		})
	}
}
