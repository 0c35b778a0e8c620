package exports_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pierrec/lz4/v4"

	"usher"
	"usher/internal/exports"
)

// TestBroken checks that an export that cannot be read, or can be read in two ways, is
// refused with a hint, and that neither the error nor the hint contains a value.
func TestBroken(t *testing.T) {
	t.Parallel()
	list := id1 + "\n" + id2 + "\n"
	for _, c := range []struct {
		name string
		data string
		src  usher.Source
		hint string // a part of the hint or of the message
	}{
		{"zip", "PK\x03\x04rest", usher.Source{}, "zip archive"},
		{"Parquet", "PAR1rest", usher.Source{}, "Parquet"},
		{"Parquet in gzip", gzipped(t, "PAR1rest"), usher.Source{}, "Parquet"},
		{"truncated bzip2", "BZh91AY", usher.Source{}, "bzip2 data is truncated"},
		{"bzip2 of line ends", packedFile(t, "lines.txt.bz2"), usher.Source{}, "bomb"},
		{"xz with a large dictionary", packedFile(t, "large-dictionary.txt.xz"), usher.Source{}, "xz -6"},
		{"xz with a large dictionary in its second stream", packedFile(t, "large-dictionary-later.txt.xz"), usher.Source{}, "xz -6"},
		{"legacy lz4", lz4Packed(t, list, lz4.LegacyOption(true)), usher.Source{}, "lz4 without -l"},
		{"UTF-32", "\xff\xfe\x00\x00a\x00\x00\x00", usher.Source{}, "UTF-32"},
		{"UTF-32, big-endian", "\x00\x00\xfe\xff\x00\x00\x00a", usher.Source{}, "UTF-32"},
		{"7z", "7z\xbc\xaf\x27\x1c\x00\x04", usher.Source{}, "zip archive"},
		{"tar", tarOf(list), usher.Source{}, "tar archive"},
		{"tar in gzip", gzipped(t, tarOf(list)), usher.Source{}, "tar archive"},
		{"zlib", "\x78\x9c\x4b\x04\x00\x00\x62\x00\x62", usher.Source{}, "compressed with zlib"},
		{"SQLite", "SQLite format 3\x00\x10\x00", usher.Source{}, "SQLite"},
		{"ORC", "ORC\x0a\x03\x00\x00", usher.Source{}, "ORC"},
		{"PDF", "%PDF-1.7\n%\xe2\xe3\x00\x00\n", usher.Source{}, "PDF"},
		{"xls", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 600), usher.Source{}, ".xlsx"},
		{"encrypted xlsx", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 600) + utf16le("EncryptedPackage"), usher.Source{}, "without a password"},
		{"HTML", "\ufeff\r\n<!DOCTYPE HTML>\n<table><tr><td>" + id1, usher.Source{}, "HTML"},
		{"HTML in UTF-16", utf16le("\ufeff<html><table>"), usher.Source{}, "HTML"},
		{"XML", `<?xml version="1.0"?><ids/>`, usher.Source{}, "XML"},
		{"rows of HTML", "<TR><TH>idfa</TH>\n</TR>\n<TR><TD>" + id1 + "</TD>\n</TR>\n", usher.Source{}, "HTML"},
		{"a dump of MariaDB", "/*M!999999\\- enable the sandbox mode */ \n-- MariaDB dump 10.19\n--\nINSERT INTO `t` VALUES (1,'" + id1 + "');\n", usher.Source{}, "a dump of SQL statements"},
		{"a dump of PostgreSQL", "--\n-- PostgreSQL database dump\n--\n", usher.Source{}, "a dump of SQL statements"},
		{"a dump of SQLite", "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nINSERT INTO t VALUES(1,'" + id1 + "');\n", usher.Source{}, "a dump of SQL statements"},
		{"a table of MySQL's client", "+----+\n| idfa |\n+----+\n| " + id1 + " |\n+----+\n", usher.Source{}, "a table drawn for people"},
		{"a box of sqlite3", "┌────┬────┐\n│ n │ idfa │\n├────┼────┤\n│ 1 │ " + id1 + " │\n└────┴────┘\n", usher.Source{}, "a table drawn for people"},
		{"a vertical table of MySQL's client", "*************************** 1. row ***************************\nidfa: " + id1 + "\n", usher.Source{}, "a table drawn for people"},
		{"an expanded table of psql", "-[ RECORD 1 ]-----\nidfa | " + id1 + "\n", usher.Source{}, "a table drawn for people"},
		{"quotes that usher does not know", "n,note,idfa\n" + strings.Repeat(strings.Repeat("'1','Anna','"+id1+"'\n", 4)+"'2','a, b, c','"+id2+"'\n", 20), usher.Source{}, `the only quote that usher knows is "`},
		{"no line ends", strings.Repeat("Anna,"+id1+",DE\u2028", 20), usher.Source{}, "ids are in 20 columns of one row"},
		{"rows of other columns behind", "n,idfa\n" + strings.Repeat("1,"+id1+"\n", 20) + strings.Repeat(id1+"\n", 20), usher.Source{}, "from row 21 on"},
		{"binary", "\x7fELF\x02\x01\x01\x00\x00\x00", usher.Source{}, "not text"},
		{"control characters", "ab\x01\x02\x03cd\x04\n", usher.Source{}, "not text"},
		{"NUL in the first bytes", id1 + "\x00\n", usher.Source{}, "not text"},
		{"NUL further down", strings.Repeat(list, 2000) + "\x00" + list, usher.Source{}, "NUL byte at offset 148000"},
		{"a hole", strings.Repeat(list, 1000) + strings.Repeat("\x00", 1<<20), usher.Source{}, "NUL byte"},
		{"compressed twice", gzipped(t, gzipped(t, list)), usher.Source{}, "twice"},
		{"lines end in CR", id1 + "\r" + id2 + "\r", usher.Source{}, "CR alone"},
		{"half a UTF-16 unit", utf16le("\ufeff"+list) + "x", usher.Source{}, "within a character"},
		{"half a UTF-16 pair at the end is text", utf16le("\ufeff"+list) + "\x00", usher.Source{}, "within a character"},
		{"not gzip", list, usher.Source{Compression: "gzip"}, "gzip data is damaged"},
		{"not zstd", list, usher.Source{Compression: "zstd"}, "zstd data is damaged"},
		{"gzip, declared none", gzipped(t, list), usher.Source{Compression: "none"}, "not text"},
		{"empty, declared gzip", "", usher.Source{Compression: "gzip"}, "truncated"},
		{"empty, declared zstd", "", usher.Source{Compression: "zstd"}, "truncated"},
		{"text declared as UTF-16", list, usher.Source{Encoding: "utf-16le"}, ""},
		{"no such column", "a,idfa\n1," + id1 + "\n", usher.Source{Column: "gaid"}, `it has no column "gaid" (source.column)`},
		{"no such column, the others", "a,idfa\n1," + id1 + "\n", usher.Source{Column: "gaid"}, "1 (a), 2 (idfa)"},
		{"no such column, values not shown", id3 + "," + id1 + "\n", usher.Source{Column: "gaid"}, "1 to 2"},
		{"no such number", "a,idfa\n1," + id1 + "\n", usher.Source{Column: "3"}, "1 (a), 2 (idfa)"},
		{"no such column in a list", list, usher.Source{Column: "2"}, "plain list"},
		{"a name twice", "idfa,idfa\n1," + id1 + "\n", usher.Source{Column: "idfa"}, "number"},
		{"no such path", `{"a":"` + id1 + `"}`, usher.Source{Column: "b.c"}, "one of: a"},
		{"two columns of ids", id1 + "," + id3 + "\n" + id2 + "," + id3 + "\n", usher.Source{}, "source.column"},
		{"two usual names with ids", "idfa,gaid\n" + id1 + "," + id3 + "\n", usher.Source{}, "source.column to one of: 1 (idfa), 2 (gaid)"},
		{"no column of ids", "a;b\n1;2\n3;4\n", usher.Source{}, "source.column to one of: 1 (a), 2 (b)"},
		{"two columns of ids among others", "a;b;c\n1;" + id1 + ";" + id3 + "\n", usher.Source{}, "source.column to one of: 2 (b), 3 (c)"},
		{"two columns of ids without a header", "x;" + id1 + ";" + id3 + "\n", usher.Source{}, "source.column to one of: 2, 3"},
		{"no column of ids, values not shown", "a1b2c3d4e5f;0049\n1;2\n", usher.Source{}, "one of: 1, 2"},
		{"two delimiters", id1 + ";x,y\n" + id2 + ";" + id3 + "," + id1 + "\n", usher.Source{}, "source.column"},
		{"two paths", `{"idfa":"` + id1 + `","gaid":"` + id3 + `"}`, usher.Source{}, "gaid, idfa"},
		{"pretty JSON, declared NDJSON", "{\n  \"idfa\": \"" + id1 + "\"\n}\n", usher.Source{Format: "ndjson"}, "jq -c"},
		{"an array that does not end", "[\n{\"idfa\": \"" + id1 + "\"},\n", usher.Source{}, "in the middle of row 2"},
		{"an array that ends in an object", "[\n{\"idfa\": \"" + id1 + "\"},\n{\"idfa\":", usher.Source{}, "in the middle of row 2"},
		{"an object that does not end", "{\n\"idfa\": \"" + id1 + "\"}\n{\"idfa\": \"" + id1, usher.Source{}, "in the middle of row 2"},
		{"text after an array", "[\n{\"idfa\": \"" + id1 + "\"}] x", usher.Source{}, "not JSON after row 1"},
		{"an object of rows", `{` + rowsFrom(1, 20, func(i int) string { return fmt.Sprintf(`"%d":{"idfa":%q},`, i, uuid(i)) }) + `"z":{}}`, usher.Source{}, "write an object for each row"},
		{"no comma in an array", "[\n{\"idfa\": \"" + id1 + "\"} {}]", usher.Source{}, "not JSON after row 1"},
		{"a comma too many", "[\n{\"idfa\": \"" + id1 + "\"},]", usher.Source{}, "not JSON after row 1"},
		{"a quote too few", "[\n{\"idfa\": \"" + id1 + "\"},\n{\"idfa\": \"" + id2 + "},\n{\"idfa\": \"" + id2 + "\"}]", usher.Source{}, "not JSON after row 1"},
		{"an array in a large object", "{\"data\": [\n" + strings.Repeat("{\"idfa\": \""+id1+"\"},\n", 2000) + "{}]}", usher.Source{}, "jq -c '.data[]'"},
		{"declared NDJSON", list, usher.Source{Format: "ndjson"}, "jq -c"},
		{"deep JSON", strings.Repeat(`{"a":`, 10_000), usher.Source{}, "jq -c"},
		{"deep JSON array", strings.Repeat(`[`, 1<<20), usher.Source{Format: "ndjson"}, "jq -c"},
		{"open quote", "n,idfa\n1,\"" + id1 + "\n2,x\n", usher.Source{}, "in the middle of row 1, inside quotes"},
		{"open quote, escape declared", "n,note,idfa\n1,\"5\\\" x," + id1 + "\n", usher.Source{Escape: "backslash"}, "if quotes are ordinary characters, set source.quote to none"},
		{"open quote over more than is held", "n,idfa\n1," + id1 + "\n2,\"" + strings.Repeat(list, 20_000), usher.Source{}, "quote is not closed"},
		{"long line in a quote", "n,idfa\n1,\"x\n" + strings.Repeat("y", 70_000) + "\n\"\n", usher.Source{}, "more than 65536"},
		{"long line that opens a quote", "n,idfa\n1," + id1 + "\n\"x" + strings.Repeat("y", 70_000) + "\n" + list + "\"," + id1 + "\n", usher.Source{}, "more than 65536"},
		{"blank lines only, at length", strings.Repeat("\n", 1<<17) + list, usher.Source{Format: "csv"}, "no row in its first"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o, src := export(t, c.data, exports.Options{})
			c.src.URL = src.URL
			rows, plan, err := read(t, o, &c.src, 0)
			if err == nil && c.hint == "" {
				return
			}
			if err == nil {
				t.Fatalf("read %d rows of %+v", len(rows), plan)
			}
			p := permanent(t, err)
			said := strings.ReplaceAll(err.Error()+"\n"+p.Hint, filepath.Dir(src.URL), "") // its name is a number
			if p.Class != usher.SourceBroken || p.Hint == "" || !strings.Contains(said, c.hint) {
				t.Errorf("%s: %s\nwant %q", p.Class, said, c.hint)
			}
			for _, id := range []string{id1, id2, id3, "a1b2c3d4e5f", "0049"} {
				if strings.Contains(said, id) {
					t.Errorf("it contains a value: %s", said)
				}
			}
		})
	}
}

// TestInvalidSource checks that values that the schema refuses are refused here, too.
func TestInvalidSource(t *testing.T) {
	t.Parallel()
	o, src := export(t, "a,b\n", exports.Options{})
	for _, s := range []*usher.Source{
		nil, {}, {URL: src.URL, Format: "xls"}, {URL: src.URL, Compression: "rar"}, {URL: src.URL, Encoding: "ebcdic"},
		{URL: src.URL, Delimiter: "é"}, {URL: src.URL, Format: "csv", Delimiter: ",;"}, {URL: src.URL, IDs: []string{"x"}}, {IDs: make([]string, 10_001)},
	} {
		if _, err := o.Plan(t.Context(), s, exports.Wanted{}, 0); class(err) != usher.InvalidJob {
			t.Errorf("%+v: %v", s, err)
		}
	}
}

// TestTruncated truncates a compressed export at every byte: it is never read with
// fewer rows.
func TestTruncated(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	var list strings.Builder
	for i := range 40 {
		list.WriteString(strings.Repeat(string(rune('a'+i%6)), i%7) + id1 + "\n")
	}
	for _, c := range []struct {
		name string
		data string
		ext  string
	}{
		{"gzip", gzipped(t, list.String()), ".csv.gz"},
		{"zstd", zstdPacked(t, list.String()), ".ZST"},
		{"bzip2", packedFile(t, "varied.txt.bz2"), ".txt.bz2"},
		{"xz", packedFile(t, "varied.txt.xz"), ".xz"},
		{"lz4", lz4Packed(t, list.String()), ".lz4"},
		{"lz4 without checksums", lz4Packed(t, list.String(), lz4.ChecksumOption(false)), ".lz4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			src := &usher.Source{URL: filepath.Join(dir, "export"+c.ext)}
			o := opener(t, dir, exports.Options{})
			for n := range len(c.data) {
				must(t, os.WriteFile(src.URL, []byte(c.data[:n]), 0o600))
				if rows, _, err := read(t, o, src, 0); class(err) != usher.SourceBroken {
					t.Errorf("cut at byte %d of %d: %d rows, %v", n, len(c.data), len(rows), err)
				}
			}
			must(t, os.WriteFile(src.URL, []byte(c.data+c.data), 0o600))
			if rows, _, err := read(t, o, src, 0); err != nil || len(rows) != 80 {
				t.Errorf("two members: %d rows, %v", len(rows), err)
			}
			must(t, os.WriteFile(src.URL, []byte(c.data+"garbage"), 0o600))
			if rows, _, err := read(t, o, src, 0); class(err) != usher.SourceBroken {
				t.Errorf("garbage at the end: %d rows, %v", len(rows), err)
			}
		})
	}
}

// TestFlipped flips each bit of a compressed export: reading it returns the list or an
// error, and never another list.
func TestFlipped(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	list := strings.Repeat(id1+"\n"+id2+"\n"+id3+"\n", 5)
	for name, data := range map[string]string{
		"gzip": gzipped(t, list), "zstd": zstdPacked(t, list), "lz4": lz4Packed(t, list),
		"bzip2": packedFile(t, "list.txt.bz2"), "xz": packedFile(t, "list.txt.xz"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			src := &usher.Source{URL: filepath.Join(dir, "export"), Compression: name}
			o := opener(t, dir, exports.Options{})
			for bit := range 8 * len(data) {
				flipped := []byte(data)
				flipped[bit/8] ^= 1 << (bit % 8)
				must(t, os.WriteFile(src.URL, flipped, 0o600))
				rows, _, err := read(t, o, src, 0)
				if err == nil && !slices.Equal(rows, strings.Fields(list)) {
					t.Errorf("bit %d: %d rows", bit, len(rows))
				}
				if err != nil && class(err) != usher.SourceBroken {
					t.Errorf("bit %d: %v", bit, err)
				}
			}
		})
	}
}

// tarOf returns the beginning of a tar archive of one file.
func tarOf(data string) string {
	header := make([]byte, 512)
	copy(header, "ids.txt")
	copy(header[257:], "ustar\x0000")
	return string(header) + data
}

// TestRemovedFromFolder checks that a file of a folder that is removed after the export was planned
// is missing.
func TestRemovedFromFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"a.txt", "b.txt"} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(id1+"\n"), 0o600))
	}
	o, src := opener(t, dir, exports.Options{}), &usher.Source{URL: dir + "/"}
	plan, err := o.Plan(t.Context(), src, exports.Wanted{}, 0)
	must(t, err)
	must(t, os.Remove(filepath.Join(dir, "a.txt")))
	if _, err := o.Open(t.Context(), src, plan, plan.Parts[0]); class(err) != usher.SourceMissing || !strings.Contains(err.Error(), "a.txt") {
		t.Errorf("read: %v", err)
	}
}
