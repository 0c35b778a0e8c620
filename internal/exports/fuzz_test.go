package exports_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"usher"
	"usher/internal/exports"
)

const spaces = " \t\r\n\u00a0\ufeff"

// asCell returns a value without spaces: encoding/csv removes CRs from quoted values,
// and a line end in a value becomes a space.
func asCell(value string) string {
	return strings.NewReplacer(" ", "", "\r", "", "\n", "").Replace(strings.Trim(value, spaces))
}

// mayBeList reports whether a value may be a list of ids, which is several rows, or an
// empty list, which is an empty one. A list may have words beside the ids.
func mayBeList(value string) bool {
	if strings.ContainsAny(value, "([{") && strings.Trim(value, `()[]{}"', `) == "" {
		return true
	}
	const hex = "0123456789abcdefABCDEF-"
	elements := strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune("()[]{}\"',;| \t\r\n", r) })
	return len(value) > 8 && strings.Trim(value, hex+"{},;| \t\r\n") == "" ||
		len(elements) > 1 && slices.ContainsFunc(elements, func(e string) bool { return len(e) >= 12 && strings.Trim(e, hex) == "" })
}

// fuzzLine is MaxLine in FuzzCSV.
const fuzzLine = 64

// csvRows returns the wanted column as encoding/csv reads it, with "?" for values longer
// than most. ok is false if encoding/csv cannot read the data, or if usher reads it
// differently on purpose. columns is the number that each record should have, 0 for any.
func csvRows(data string, column, columns, most int) (rows []string, ok bool) {
	r := csv.NewReader(strings.NewReader(data))
	r.FieldsPerRecord = -1
	at := int64(0)
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return rows, true
		}
		if err != nil {
			return nil, false
		}
		raw := data[at:r.InputOffset()]
		at = r.InputOffset()
		if strings.Trim(raw, spaces) == "" {
			continue
		}
		cell := cellOf(record, column, columns, raw)
		if mayBeList(cell) {
			return nil, false
		}
		cell = strings.Trim(cell, spaces)
		if len(cell) > most {
			cell = "?"
		} else if len(cell)+strings.Count(raw, "\r\n") > most {
			return nil, false // encoding/csv has removed the CRs
		}
		rows = append(rows, asCell(cell))
	}
}

// FuzzCSV compares with encoding/csv, in blocks so short that records span several.
func FuzzCSV(f *testing.F) {
	for _, seed := range []string{
		"a,b\n1,2\n", "\"a\nb\",c\n", "\"a\"\"b\",\"\"\n,\n\n", "x\r\n\"y\r\nz\",1\r\n", "sep=,\na,b", "idfa,x\n\"\",\"\"\"\"\n", " ,\n \n\"\"\n", ",,,,\n\"a,b\",\"c",
		"a,\"" + strings.Repeat("x\n", 60) + "\"\nb,c\n", "0,\"0000000000000000,X0000000000000000\"",
	} {
		f.Add(seed, byte(0))
		f.Add(seed, byte(1))
	}
	f.Add("\\,\n,,", byte(2)) // a column that the first row does not have
	f.Fuzz(func(t *testing.T, data string, column byte) {
		column %= 3
		if _, ok := csvRows(data, int(column), 0, fuzzLine); !ok || strings.ContainsAny(data, "\x00") || strings.HasPrefix(data, "\ufeff") || strings.HasPrefix(strings.ToLower(strings.TrimLeft(data, `"`)), "sep=") || strings.HasSuffix(data, "\x1a") {
			t.Skip()
		}
		for line := range strings.Lines(data) {
			if len(line) > fuzzLine {
				t.Skip()
			}
		}
		o, src := export(t, data, exports.Options{MaxLine: fuzzLine, BlockBytes: 1})
		src.Format, src.Compression, src.Encoding, src.Delimiter, src.Column = "csv", "none", "utf-8", ",", string('1'+column)
		src.Quote, src.Escape = "double", "double"
		rows, plan, err := read(t, o, src, 1<<40)
		if class(err) == usher.SourceBroken && rows == nil && plan.Parts == nil {
			t.Skip() // binary, fewer columns, or a name that comes twice
		}
		if plan.Column != int(column) {
			t.Skip() // fewer columns, and one with that name
		}
		if class(err) == usher.SourceBroken && (!strings.HasSuffix(data, "\n") && strings.Contains(err.Error(), "ends in the middle") || strings.Contains(err.Error(), "header")) {
			t.Skip() // the last row is not complete, or two exports were put together
		}
		if plan.CRLF && strings.Contains(strings.ReplaceAll(data, "\r\n", ""), "\n") {
			t.Skip() // a short row that ends in LF alone has a line end within a cell, and is malformed
		}
		want, _ := csvRows(data, int(column), plan.Columns, fuzzLine)
		if plan.Header != "" && len(want) > 0 {
			want = want[1:]
		}
		for i := range rows {
			rows[i] = asCell(rows[i])
		}
		if err != nil || !slices.Equal(rows, want) {
			t.Errorf("rows %q, %v\nwant %q\nplan %+v", rows, err, want, plan)
		}
	})
}

// jsonRows returns the rows of a line as encoding/json reads it: one record, or several objects of
// files that were put together without a line end. It returns nil for objects and lists on one line,
// whose elements may be rows as well.
func jsonRows(line string, path []string) []string {
	d := json.NewDecoder(strings.NewReader(line))
	d.UseNumber()
	var all []string
	for n := 0; ; n++ {
		var record any
		err := d.Decode(&record)
		if errors.Is(err, io.EOF) && n > 0 {
			return all
		}
		_, isObject := record.(map[string]any)
		_, isList := record.([]any)
		if isList && len(all) > 0 && line[0] == '{' {
			return nil
		}
		if err != nil || !isObject && (!isList || n > 0 || d.More()) {
			return []string{usher.MalformedRow}
		}
		var rows []string
		if valuesAt(record, path, &rows); rows == nil {
			rows = []string{""}
		}
		all = append(all, rows...)
	}
}

func valuesAt(value any, path []string, rows *[]string) {
	if list, ok := value.([]any); ok {
		for _, v := range list {
			valuesAt(v, path, rows)
		}
		return
	}
	object, isObject := value.(map[string]any)
	if len(path) > 0 {
		if inner, ok := object[path[0]]; ok {
			valuesAt(inner, path[1:], rows)
		}
		return
	}
	if isObject {
		*rows = append(*rows, "?")
		return
	}
	switch v := value.(type) {
	case nil:
		*rows = append(*rows, "")
	case string:
		*rows = append(*rows, asCell(v))
	case bool:
		*rows = append(*rows, map[bool]string{true: "true", false: "false"}[v])
	case json.Number:
		*rows = append(*rows, v.String())
	}
}

func depth(line string) int {
	deepest, at := 0, 0
	for _, c := range line {
		switch c {
		case '{', '[':
			at++
			deepest = max(deepest, at)
		case '}', ']':
			at--
		}
	}
	return deepest
}

// FuzzNDJSON compares with encoding/json, which does not know the separator of JSON text sequences,
// RFC 7464.
func FuzzNDJSON(f *testing.F) {
	for _, seed := range []string{
		`{"a":{"b":"x"}}`, `{"a":[{"b":1},{"b":[true,null,"y"]}],"c":[]}`, `{"a":{"b":1},"a":{"b":2}}`, `{"a":{"b":{}}}`, `{"\u0061":{"b":"\ud83d\ude00\ud800x"}}`,
		`[{"a":{"b":-0.5e+3}}]`, `{"a":{"b":01}}`, `{"a":{"b":"` + "\t" + `"}}`, `{"a":1,}`, `{"a" : {"b":"\n\r\/"} , "x": tru}`, `{}x`, `"s"`, `{}{}`, `{"a":{"b":1}} {"a":{"b":2}}`, `[]{}`,
		`dddddddddddd*******dddddddddddd`, ` {}{}`, "\r{}{}",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if !utf8.ValidString(line) || strings.ContainsAny(line, "\x00\n\x1e") || strings.Contains(line, "a.b") || strings.Contains(line, `\u002`) ||
			strings.Trim(line, spaces) == "" || depth(line) > 90 {
			t.Skip()
		}
		want := jsonRows(strings.Trim(line, "\u00a0\ufeff"), []string{"a", "b"})
		if want == nil || strings.Trim(line, " \t\r") != strings.Trim(line, spaces) || slices.ContainsFunc(want, mayBeList) {
			t.Skip()
		}
		first := `{"a":{"b":"first"}}` + "\n"
		o, src := export(t, first+line+"\n"+first, exports.Options{})
		src.Format, src.Compression, src.Encoding, src.Column = "ndjson", "none", "utf-8", "a.b"
		rows, _, err := read(t, o, src, 0)
		if class(err) == usher.SourceBroken && bytes.ContainsFunc([]byte(line), func(r rune) bool { return r < ' ' }) {
			t.Skip() // binary
		}
		if class(err) == usher.SourceBroken && !json.Valid([]byte(line)) && strings.Contains(err.Error(), "record 2 cannot be parsed and has ") {
			t.Skip() // several ids, such as "dddddddddddd*dddddddddddd", would count as one row
		}
		if line == `\.` {
			t.Skip() // it ends the rows of a dump by pg_dump
		}
		want = append(append([]string{"first"}, want...), "first")
		for i := range rows {
			rows[i] = asCell(rows[i])
		}
		if err != nil || !slices.Equal(rows, want) {
			t.Errorf("rows %q, %v\nwant %q", rows, err, want)
		}
	})
}

// FuzzPlan reads arbitrary data: it has rows or is a permanent error, and all parts
// together have the rows of the export.
func FuzzPlan(f *testing.F) {
	for _, seed := range []string{"", "idfa\n" + id1, "a;b\n1;" + id1, `{"idfa":"x"}`, "\xff\xfea\x00\n\x00", "\x1f\x8b\x08", "\x28\xb5\x2f\xfd\x00", "sep=|\n\"a|b\"|c", gzipped(f, id1), zstdPacked(f, id2), lz4Packed(f, id1), packedFile(f, "list.txt.bz2"), packedFile(f, "list.txt.xz")} {
		f.Add([]byte(seed), byte(20))
	}
	f.Fuzz(func(t *testing.T, data []byte, part byte) {
		limits := small
		if len(data) > 1 && (data[0] < ' ' || data[0] == 'B' || data[0] >= 0x7F || data[0]&0xF0 == 0x50 || data[0] == 0x28) {
			limits = exports.Options{} // a few bytes may expand to 16 MiB
		}
		o, src := export(t, string(data), limits)
		whole, plan, err := read(t, o, src, 1<<40)
		if err != nil {
			if permanent(t, err).Hint == "" {
				t.Errorf("no hint: %v", err)
			}
			return
		}
		rows, _, err := read(t, o, src, int64(part)+1)
		if err == nil && !slices.Equal(rows, whole) {
			t.Errorf("parts of %d: %q\nwhole: %q", part+1, rows, whole)
		}
		if err != nil && plan.Format != "csv" {
			t.Error(err)
		}
	})
}

// FuzzArchive reads zip archives with arbitrary members, a byte of which may be changed:
// they have the rows of their members or are a permanent error.
func FuzzArchive(f *testing.F) {
	f.Add("a.csv", []byte("idfa\n"+id1+"\n"), "b.csv", []byte("idfa\n"+id2+"\n"), zip.Deflate, uint32(0), byte(0))
	f.Add("a/", []byte{}, "../b", []byte(id2), zip.Store, uint32(30), byte(1))
	f.Add("a.zip", []byte("PK\x03\x04"), "__MACOSX/a", []byte("x"), uint16(9), uint32(40), byte(0x80))
	f.Add("a.gz", []byte(gzipped(f, id1)), "", []byte(`{"idfa":"x"}`), zip.Store, uint32(100), byte(0xff))
	f.Fuzz(func(t *testing.T, first string, one []byte, second string, two []byte, method uint16, at uint32, flip byte) {
		var packed bytes.Buffer
		w := zip.NewWriter(&packed)
		for _, m := range []struct {
			name    string
			content []byte
		}{{first, one}, {second, two}} {
			create := w.CreateHeader
			if method != zip.Store && method != zip.Deflate {
				create = w.CreateRaw
			}
			member, err := create(&zip.FileHeader{Name: m.name, Method: method, CompressedSize64: uint64(len(m.content)), UncompressedSize64: uint64(len(m.content))})
			if err != nil {
				t.Skip()
			}
			if _, err := member.Write(m.content); err != nil {
				t.Skip()
			}
		}
		if err := w.Close(); err != nil {
			t.Skip()
		}
		data := packed.Bytes()
		data[int(at)%len(data)] ^= flip
		o, src := export(t, string(data), exports.Options{})
		src.Compression = "zip"
		if _, _, err := read(t, o, src, 1<<40); err != nil && permanent(t, err).Hint == "" {
			t.Errorf("no hint: %v", err)
		}
	})
}

// FuzzUTF16 reads UTF-16 of any kind as the same text in UTF-8.
func FuzzUTF16(f *testing.F) {
	for _, seed := range []string{"", id1 + "\n" + id2, "idfa\r\nä\U0001F600\n", "\ufeff\ufeffx", "x\n\x00\n"} {
		f.Add([]byte(utf16le(seed)), false)
		f.Add([]byte(utf16le(seed)+"\x00"), true)
	}
	f.Add([]byte("\x00\xd8a\x00\n\x00"), false)
	f.Fuzz(func(t *testing.T, data []byte, big bool) {
		order, encoding := binary.ByteOrder(binary.LittleEndian), "utf-16le"
		if big {
			order, encoding = binary.BigEndian, "utf-16be"
		}
		var units []uint16
		for i := 0; i+1 < len(data); i += 2 {
			units = append(units, order.Uint16(data[i:]))
		}
		o, src := export(t, string(data), exports.Options{})
		src.Format, src.Compression, src.Encoding = "text", "none", encoding
		rows, _, err := read(t, o, src, 1<<40)
		if err != nil {
			if permanent(t, err).Hint == "" {
				t.Errorf("no hint: %v", err)
			}
			return
		}
		o, src = export(t, string(utf16.Decode(units)), exports.Options{})
		src.Format, src.Compression, src.Encoding = "text", "none", "utf-8"
		want, _, err := read(t, o, src, 1<<40)
		if err != nil && class(err) == usher.SourceBroken {
			return
		}
		if err != nil || !slices.Equal(rows, want) {
			t.Errorf("rows %q, want %q, %v", rows, want, err)
		}
	})
}
