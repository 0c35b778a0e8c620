package parquet_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"usher"
	"usher/internal/exports/parquet"
	"usher/internal/exports/places"
)

// maxForged is how much a forged file may make the reader allocate.
const maxForged = 64 << 20

// largestFooter is the size of the largest footer that is read.
const largestFooter = 16 << 20

// open writes data to a file and opens it.
func open(t testing.TB, data []byte) *places.File {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "export.parquet")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	allowed, err := places.Allow([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	f, err := places.New(places.Options{Allowed: allowed}).OpenSource(t.Context(), &usher.Source{URL: path}, places.Range{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// withFooter returns a Parquet file of these pages and this footer.
func withFooter(pages, footer []byte) []byte {
	out := append([]byte("PAR1"), pages...)
	out = append(out, footer...)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(footer)))
	return append(out, "PAR1"...)
}

// marshal writes a structure of a Parquet file in Thrift's compact protocol.
func marshal(t testing.TB, v any) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := thrift.NewEncoder(new(thrift.CompactProtocol).NewWriter(&out)).Encode(v); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// list returns field id of a struct, whose field before has the id last: a list of
// n structs, whose bytes follow.
func list(last, id, n int) []byte {
	return binary.AppendUvarint([]byte{byte(id-last)<<4 | 9, 0xFC}, uint64(n))
}

// number returns field id of a struct, a 64-bit integer.
func number(last, id int, n int64) []byte {
	return binary.AppendVarint([]byte{byte(id-last)<<4 | 6}, n)
}

// repeated returns part, repeated to fill a footer after begin.
func repeated(begin, part []byte, fill func(n int) []byte) []byte {
	n := (largestFooter - len(begin) - 64) / len(part)
	return slices.Concat(begin, fill(n), bytes.Repeat(part, n), []byte{0})
}

// schemaOf returns the schema of a column of strings.
func schemaOf(name string) []format.SchemaElement {
	var kind format.FieldRepetitionType // required
	physical := format.ByteArray
	return []format.SchemaElement{
		{Name: "schema", NumChildren: thrift.New(int32(1))},
		{Name: name, Type: thrift.New(physical), RepetitionType: thrift.New(kind)},
	}
}

// TestForgedFooters reads footers of 16 MiB whose elements take as much memory as
// a reader may be made to spend on them.
func TestForgedFooters(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	nothing := []byte{0} // a struct without a field
	schema := list(0, 2, 2)
	for _, e := range schemaOf("id") {
		schema = append(schema, marshal(t, &e)...)
	}
	name := func(name string) []byte {
		return slices.Concat([]byte{4<<4 | 8}, binary.AppendUvarint(nil, uint64(len(name))), []byte(name))
	}
	leaf := func(n string) []byte {
		return slices.Concat([]byte{1<<4 | 5, 12, 2<<4 | 5, 0, 1<<4 | 8, byte(len(n))}, []byte(n), nothing)
	}
	parent := func(n string, children int) []byte {
		return slices.Concat(name(n), binary.AppendVarint([]byte{1<<4 | 5}, int64(children)), nothing)
	}
	chunk := slices.Concat(
		[]byte{2<<4 | 6, 8, 1<<4 | 12},                                          // file offset 4, metadata
		[]byte{1<<4 | 5, 12, 1<<4 | 9, 1<<4 | 5, 0, 1<<4 | 9, 1<<4 | 8, 0},      // type, encodings, path
		[]byte{1<<4 | 5, 0, 1<<4 | 6, 0, 1<<4 | 6, 0, 1<<4 | 6, 0, 2<<4 | 6, 8}, // codec, values, sizes, offset 4
		nothing, nothing)
	group := slices.Concat([]byte{1<<4 | 9, 1<<4 | 12}, chunk, []byte{1<<4 | 6, 0, 1<<4 | 6, 0}, nothing)
	long := strings.Repeat("a", 1<<20)
	for what, footer := range map[string][]byte{
		"row groups without fields": repeated(slices.Concat(schema, number(2, 3, 0)), nothing, func(n int) []byte { return list(3, 4, n) }),
		"schema of empty elements":  repeated(nil, nothing, func(n int) []byte { return list(0, 2, n) }),
		"chunks without fields": repeated(slices.Concat(schema, number(2, 3, 0), list(3, 4, 1)), nothing, func(n int) []byte {
			return list(0, 1, n)
		}),
		"metadata without fields": repeated(slices.Concat(schema, number(2, 3, 0)), nothing, func(n int) []byte { return list(3, 5, n) }),
		"the smallest elements of a schema": repeated(nil, leaf(""), func(n int) []byte {
			return slices.Concat(list(0, 2, n+1), parent("", n))
		}),
		"the smallest groups": repeated(slices.Concat(schema, number(2, 3, 0)), group, func(n int) []byte { return list(3, 4, n) }),
		"a long name above many columns": repeated(nil, leaf("x"), func(n int) []byte {
			return slices.Concat(list(0, 2, n-1<<18+2), parent("", 1), parent(long, n-1<<18))
		})[:largestFooter-64],
		"more elements than bytes": slices.Concat(schema, number(2, 3, 0), list(3, 4, 1<<40), nothing),
		"lists in lists":           slices.Concat(schema, []byte{7<<4 | 9}, bytes.Repeat([]byte{1<<4 | 9}, largestFooter-1000), nothing),
	} {
		f := open(t, withFooter(nil, footer))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		read, err := parquet.ReadFooter(t.Context(), f)
		runtime.ReadMemStats(&after)
		t.Logf("%s: %d KiB, %v", what, (after.TotalAlloc-before.TotalAlloc)>>10, err)
		if made := after.TotalAlloc - before.TotalAlloc; made > maxForged {
			t.Errorf("%s: %d MiB of memory", what, made>>20)
		}
		var broken *usher.Permanent
		if err == nil && (what == "metadata without fields" || what == "the smallest groups" && len(read.Groups) > 0) {
			continue // which costs nothing, or is not wrong
		}
		if !errors.As(err, &broken) || broken.Class != usher.SourceBroken || broken.Hint == "" {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// page is a page that claims what its header says.
func page(t testing.TB, h format.PageHeader, data []byte) []byte {
	t.Helper()
	return append(marshal(t, &h), data...)
}

// TestForgedPages reads pages that claim more than they have.
func TestForgedPages(t *testing.T) {
	const most = 32 << 20 // the largest page
	data := func(values int32, encoding format.Encoding) thrift.Null[format.DataPageHeader] {
		return thrift.New(format.DataPageHeader{NumValues: values, Encoding: encoding, DefinitionLevelEncoding: format.RLE, RepetitionLevelEncoding: format.RLE})
	}
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	zeros := z.EncodeAll(make([]byte, most), nil)
	dictionary := func(values int32) []byte {
		return page(t, format.PageHeader{
			Type: format.DictionaryPage, UncompressedPageSize: 5, CompressedPageSize: 5,
			DictionaryPageHeader: thrift.New(format.DictionaryPageHeader{NumValues: values, Encoding: format.Plain}),
		}, []byte{1, 0, 0, 0, 'x'})
	}
	for _, c := range []struct {
		what  string
		codec format.CompressionCodec
		pages []byte
		good  bool
	}{
		{"packed size", format.Uncompressed, page(t, format.PageHeader{
			Type: format.DataPage, UncompressedPageSize: most, CompressedPageSize: most, DataPageHeader: data(1, format.Plain),
		}, []byte("x")), false},
		{"packed size over all", format.Uncompressed, page(t, format.PageHeader{
			Type: format.DataPage, UncompressedPageSize: 1<<31 - 1, CompressedPageSize: 1<<31 - 1, DataPageHeader: data(1, format.Plain),
		}, []byte("x")), false},
		{"size", format.Zstd, page(t, format.PageHeader{
			Type: format.DataPage, UncompressedPageSize: most, CompressedPageSize: 10, DataPageHeader: data(1, format.Plain),
		}, []byte("0123456789")), false},
		{"less than it expands to", format.Zstd, page(t, format.PageHeader{
			Type: format.DataPage, UncompressedPageSize: 100, CompressedPageSize: int32(len(zeros)), DataPageHeader: data(1, format.Plain),
		}, zeros), false},
		{"values", format.Uncompressed, page(t, format.PageHeader{
			Type: format.DataPage, UncompressedPageSize: 5, CompressedPageSize: 5, DataPageHeader: data(1<<31-1, format.Plain),
		}, []byte{1, 0, 0, 0, 'x'}), false},
		{"values of a delta encoding", format.Uncompressed, page(t, format.PageHeader{
			Type: format.DataPage, UncompressedPageSize: 10, CompressedPageSize: 10, DataPageHeader: data(1<<31-1, format.DeltaLengthByteArray),
		}, binary.AppendUvarint([]byte{0x80, 1, 4}, 1<<31-1)[:8]), false},
		{"a dictionary's values", format.Uncompressed, dictionary(1<<31 - 1), false},
		{"a run of one value", format.Uncompressed, append(dictionary(1), page(t, format.PageHeader{
			Type: format.DataPage, UncompressedPageSize: 7, CompressedPageSize: 7, DataPageHeader: data(1<<31-1, format.RLEDictionary),
		}, slices.Concat([]byte{1}, binary.AppendUvarint(nil, 1<<32-2), []byte{0}))...), true},
	} {
		const values = 1<<31 - 1
		footer := format.FileMetaData{
			Version: 1, Schema: schemaOf("id"), NumRows: values,
			RowGroups: []format.RowGroup{{NumRows: values, Columns: []format.ColumnChunk{{MetaData: format.ColumnMetaData{
				Type: format.ByteArray, PathInSchema: []string{"id"}, Codec: c.codec, NumValues: values,
				TotalCompressedSize: int64(len(c.pages)), DataPageOffset: 4,
			}}}}},
		}
		f := open(t, withFooter(c.pages, marshal(t, &footer)))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		rows, err := count(t, f)
		runtime.ReadMemStats(&after)
		t.Logf("%s: %d KiB, %d rows, %v", c.what, (after.TotalAlloc-before.TotalAlloc)>>10, rows, err)
		if made := after.TotalAlloc - before.TotalAlloc; made > maxForged {
			t.Errorf("%s: %d MiB of memory", c.what, made>>20)
		}
		var broken *usher.Permanent
		if c.good != (err == nil) || err != nil && (!errors.As(err, &broken) || broken.Class != usher.SourceBroken || broken.Hint == "") {
			t.Errorf("%s: %d rows, %v", c.what, rows, err)
		}
	}
}

// count reads up to 100,000 entries of a file's first column.
func count(t testing.TB, f *places.File) (int, error) {
	t.Helper()
	footer, err := parquet.ReadFooter(t.Context(), f)
	if err != nil {
		return 0, err
	}
	r := parquet.NewReader(t.Context(), f, footer, footer.Groups, new(parquet.Memory), 0)
	defer r.Close()
	for n := range 100_000 {
		if _, _, err := r.Next(); errors.Is(err, io.EOF) {
			return n, nil
		} else if err != nil {
			return n, err
		}
	}
	return 100_000, nil
}
