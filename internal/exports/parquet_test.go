package exports_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/compress/lz4"
	"github.com/parquet-go/parquet-go/format"

	"usher"
	"usher/internal/exports"
)

// device is a row as a warehouse writes it: strings in several encodings, optional
// strings, UUIDs, digests, and lists.
type device struct {
	Customer int64    `parquet:"customer"`
	Plain    *string  `parquet:"plain_id,optional"`
	Listed   *string  `parquet:"listed_id,optional,dict"`
	Delta    string   `parquet:"delta_id,delta"`
	UUID     [16]byte `parquet:"uuid_id,uuid"`
	Digest   [16]byte `parquet:"digest_id"`
	Several  []string `parquet:"several_id,list"`
	OS       string   `parquet:"os,dict"`
}

func devices(n int) []device {
	random := rand.New(rand.NewPCG(3, 4))
	rows := make([]device, n)
	for i := range rows {
		d := &rows[i]
		for j := range d.UUID {
			d.UUID[j] = byte(random.Uint32())
			d.Digest[j] = byte(random.Uint32())
		}
		d.Customer = int64(i)
		d.Delta = uuidText(d.UUID)
		if random.IntN(10) > 0 {
			d.Plain = &d.Delta
			listed := fmt.Sprintf("%08x-0000-4000-8000-%012x", random.IntN(50), 7)
			d.Listed = &listed
		}
		for range random.IntN(4) {
			d.Several = append(d.Several, fmt.Sprintf("%016x", random.Uint64()))
		}
		d.OS = []string{"ios", "android", ""}[random.IntN(3)]
	}
	return rows
}

func uuidText(id [16]byte) string {
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}

// column returns the rows of a column of devices.
func column(rows []device, name string) []string {
	var out []string
	textOf := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	for i := range rows {
		d := &rows[i]
		switch name {
		case "plain_id":
			out = append(out, textOf(d.Plain))
		case "listed_id":
			out = append(out, textOf(d.Listed))
		case "delta_id":
			out = append(out, d.Delta)
		case "uuid_id":
			out = append(out, uuidText(d.UUID))
		case "digest_id":
			out = append(out, fmt.Sprintf("%x", d.Digest))
		case "several_id":
			if out = append(out, d.Several...); len(d.Several) == 0 {
				out = append(out, "")
			}
		}
	}
	return out
}

// parquetOf writes rows in many small groups and pages.
func parquetOf[T any](t testing.TB, rows []T, group int, options ...parquet.WriterOption) string {
	t.Helper()
	var out bytes.Buffer
	w := parquet.NewGenericWriter[T](&out, append([]parquet.WriterOption{parquet.PageBufferSize(2000)}, options...)...)
	for part := range slices.Chunk(rows, group) {
		if _, err := w.Write(part); err != nil {
			t.Fatal(err)
		}
		must(t, w.Flush())
	}
	must(t, w.Close())
	return out.String()
}

func TestParquet(t *testing.T) {
	t.Parallel()
	rows := devices(2500)
	for name, options := range map[string][]parquet.WriterOption{
		"plain":     {parquet.DataPageVersion(1)},
		"snappy":    {parquet.Compression(&parquet.Snappy), parquet.DataPageVersion(1)},
		"zstd":      {parquet.Compression(&parquet.Zstd), parquet.DataPageVersion(2)},
		"gzip":      {parquet.Compression(&parquet.Gzip), parquet.DataPageVersion(2)},
		"lz4":       {parquet.Compression(&parquet.Lz4Raw), parquet.DataPageVersion(1)},
		"brotli":    {parquet.Compression(&parquet.Brotli), parquet.DataPageVersion(2)},
		"split":     {parquet.DefaultEncodingFor(parquet.FixedLenByteArray, &parquet.ByteStreamSplit)},
		"by length": {parquet.DefaultEncodingFor(parquet.ByteArray, &parquet.DeltaLengthByteArray)},
	} {
		data := parquetOf(t, rows, 700, options...)
		for _, wanted := range []string{"plain_id", "listed_id", "delta_id", "uuid_id", "digest_id", "several_id"} {
			t.Run(name+"/"+wanted, func(t *testing.T) {
				t.Parallel()
				o, src := export(t, data, exports.Options{})
				src.Column = wanted
				got, plan, err := read(t, o, src, 1<<40)
				want := column(rows, wanted)
				if err != nil || !slices.Equal(got, want) {
					t.Fatalf("%d rows, want %d: %v\nplan %+v", len(got), len(want), err, plan)
				}
				parts, plan, err := read(t, o, src, 700*37)
				if err != nil || !slices.Equal(parts, want) || len(plan.Parts) != 4 {
					t.Errorf("in %d parts: %d rows, want %d: %v", len(plan.Parts), len(parts), len(want), err)
				}
				src.Cut = new(bool)
				if _, plan, err = read(t, o, src, 1); err != nil || len(plan.Parts) != 1 {
					t.Errorf("not to be cut: %d parts, %v", len(plan.Parts), err)
				}
			})
		}
	}
}

// TestParquetFolder cuts the large files of a folder by their row groups.
func TestParquetFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	o := opener(t, dir, exports.Options{})
	rows := devices(2400)
	var want []string
	for i, n := range []int{1000, 10, 0, 1390} {
		must(t, os.WriteFile(fmt.Sprintf("%s/part-%d.parquet", dir, i), []byte(parquetOf(t, rows[:n], 300)), 0o600))
		want = append(want, column(rows[:n], "several_id")...)
		rows = rows[n:]
	}
	src := &usher.Source{URL: dir + "/", Column: "several_id"}
	for partBytes, parts := range map[int64]int{1 << 40: 4, 600 * 37: 2 + 1 + 1 + 3, 300 * 37: 4 + 1 + 1 + 5} {
		got, plan, err := read(t, o, src, partBytes)
		if err != nil || !slices.Equal(got, want) || len(plan.Parts) != parts {
			t.Errorf("%d rows of %d in %d parts of %d: %v", len(got), len(want), len(plan.Parts), parts, err)
		}
	}
	src.Cut = new(bool)
	if got, plan, err := read(t, o, src, 300*37); err != nil || len(got) != len(want) || len(plan.Parts) != 4 {
		t.Errorf("not to be cut: %d rows of %d in %d parts: %v", len(got), len(want), len(plan.Parts), err)
	}
}

// TestParquetFolderRefused checks that files of a folder are refused that have no bytes,
// or lack the columns of the first file.
func TestParquetFolderRefused(t *testing.T) {
	t.Parallel()
	type first struct {
		ID string `parquet:"device_id"`
		OS string `parquet:"os"`
	}
	type renamed struct {
		ID string `parquet:"idfa"`
		OS string `parquet:"os"`
	}
	type numbers struct {
		ID int64  `parquet:"device_id"`
		OS string `parquet:"os"`
	}
	type listed struct {
		ID string   `parquet:"device_id"`
		OS []string `parquet:"os"`
	}
	for name, c := range map[string]struct {
		data, typeColumn, says string
	}{
		"another name":     {parquetOf(t, []renamed{{id1, "ios"}}, 9), "", "it has no column device_id like the first file of its folder; it has: 1 (idfa), 2 (os)"},
		"numbers":          {parquetOf(t, []numbers{{7, "ios"}}, 9), "", "it has no column device_id like the first"},
		"a list of types":  {parquetOf(t, []listed{{id1, []string{"ios"}}}, 9), "os", "it has no column os like the first"},
		"a list elsewhere": {parquetOf(t, []listed{{id1, []string{"ios"}}}, 9), "", ""},
		"no bytes":         {"", "", "it has no bytes"},
		"no Parquet":       {id1, "", "its format is text, and that of the first file is parquet"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			must(t, os.WriteFile(dir+"/part-0", []byte(parquetOf(t, []first{{id1, "ios"}}, 9)), 0o600))
			must(t, os.WriteFile(dir+"/part-1", []byte(c.data), 0o600))
			says := func(when string, err error) {
				t.Helper()
				if c.says == "" {
					must(t, err)
				} else if class(err) != usher.SourceBroken || !strings.Contains(err.Error(), "part-1") || !strings.Contains(err.Error(), c.says) {
					t.Errorf("%s, it says %v, not %q", when, err, c.says)
				}
			}
			o, src := opener(t, dir, exports.Options{}), &usher.Source{URL: dir + "/", TypeColumn: c.typeColumn}
			_, err := o.Plan(t.Context(), src, exports.Wanted{}, 0)
			says("planned", err)
			for i := range 64 { // of so many files, the footers are not read by Plan
				must(t, os.WriteFile(fmt.Sprintf("%s/part-2-%d", dir, i), []byte(parquetOf(t, []first{{id1, "ios"}}, 9)), 0o600))
			}
			_, _, err = read(t, o, src, 0)
			says("read", err)
		})
	}
}

func TestParquetColumn(t *testing.T) {
	t.Parallel()
	// The codec of a chunk in the footer, and the beginning of the next field.
	const snappyCodec, lz4Codec = "\x15\x02\x16", "\x15\x0a\x16"
	type named struct {
		N    int64  `parquet:"n"`
		Mail string `parquet:"mail"`
		ID   string `parquet:"GAID"`
	}
	type unnamed struct {
		N    int64  `parquet:"n"`
		Mail string `parquet:"mail"`
		ID   string `parquet:"x"`
	}
	type two struct {
		A string `parquet:"a"`
		B string `parquet:"b"`
	}
	type none struct {
		N int64 `parquet:"n"`
	}
	for _, c := range []struct {
		name, data, column, path string
		want                     usher.Class
	}{
		{"by its name", parquetOf(t, []named{{1, "x@y", id3}}, 9), "", "GAID", "none"},
		{"by its values", parquetOf(t, []unnamed{{1, "x@y", id3}, {2, "z", id1}}, 9), "", "", usher.SourceBroken},
		{"by its number", parquetOf(t, []named{{1, id3, ""}}, 9), "2", "mail", "none"},
		{"by its name, loosely", parquetOf(t, []named{{1, "", id3}}, 9), "gaid", "GAID", "none"},
		{"no such name", parquetOf(t, []named{{1, "", id3}}, 9), "idfa", "", usher.SourceBroken},
		{"a column of numbers", parquetOf(t, []named{{1, "", id3}}, 9), "n", "", usher.SourceBroken},
		{"two that may be it", parquetOf(t, []two{{id1, id3}}, 9), "", "", usher.SourceBroken},
		{"none that may be it", parquetOf(t, []none{{1}}, 9), "", "", usher.SourceBroken},
		{"no rows", parquetOf(t, []named{}, 9), "", "GAID", "none"},
		{"compressed as a whole", gzipped(t, parquetOf(t, []named{{1, "", id3}}, 9)), "", "", usher.SourceBroken},
		{"half of it", parquetOf(t, []named{{1, "", id3}}, 9)[:300], "", "", usher.SourceBroken},
		{"a codec that is not read", strings.ReplaceAll(parquetOf(t, []named{{1, "", id3}}, 9, parquet.Compression(&parquet.Snappy)), snappyCodec, lz4Codec), "", "GAID", usher.SourceBroken},
	} {
		o, src := export(t, c.data, exports.Options{})
		src.Column = c.column
		_, plan, err := read(t, o, src, 0)
		if class(err) != c.want || plan.Path != c.path || c.want != "none" && permanent(t, err).Hint == "" {
			t.Errorf("%s: path %q, %v", c.name, plan.Path, err)
		}
	}
}

// A table without a column of strings is not damaged, and neither is one without columns.
func TestParquetWithoutStrings(t *testing.T) {
	t.Parallel()
	type numbers struct {
		N int64 `parquet:"n"`
	}
	for _, data := range []string{parquetOf(t, []numbers{{1}}, 9), parquetOf(t, []struct{}{}, 9)} {
		o, src := export(t, data, exports.Options{})
		if _, _, err := read(t, o, src, 0); !strings.Contains(permanent(t, err).Error(), "its Parquet data has no column of strings") {
			t.Error(err)
		}
	}
}

// TestParquetDamage flips bits, deletes and overwrites bytes: the file is read with all
// of its rows, or is an error.
func TestParquetDamage(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	const n = 300
	rows := devices(n)
	for name, codec := range map[string]compress.Codec{"none": &parquet.Uncompressed, "snappy": &parquet.Snappy, "zstd": &parquet.Zstd, "lz4": &parquet.Lz4Raw, "brotli": &parquet.Brotli} {
		random := rand.New(rand.NewPCG(5, 6))
		whole := parquetOf(t, rows, 100, parquet.Compression(codec))
		dir := t.TempDir()
		o := opener(t, dir, exports.Options{})
		src := &usher.Source{URL: dir + "/export", Column: "listed_id"}
		for range 100 {
			data := []byte(whole)
			switch random.IntN(3) {
			case 0:
				data[random.IntN(len(data))] ^= 1 << random.IntN(8)
			case 1:
				from := random.IntN(len(data))
				data = slices.Delete(data, from, min(from+1+random.IntN(9), len(data)))
			default: // in the footer
				at := len(data) - 8 - random.IntN(2000)
				data[at] = byte(random.Uint32())
			}
			must(t, os.WriteFile(src.URL, data, 0o600))
			got, _, err := read(t, o, src, 1)
			if err != nil && permanent(t, err).Hint == "" {
				t.Errorf("%s: no hint: %v", name, err)
			}
			if err == nil && len(got) != n {
				t.Errorf("%s: %d rows of %d", name, len(got), n)
			}
		}
	}
}

// TestParquetDamageIsFound checks that the error names the column and the offset of the
// damaged page.
func TestParquetDamageIsFound(t *testing.T) {
	t.Parallel()
	type row struct {
		N  int64  `parquet:"n"`
		ID string `parquet:"device_id"`
	}
	rows := make([]row, 300)
	for i := range rows {
		rows[i] = row{int64(i), id1}
	}
	data := []byte(parquetOf(t, rows, 100))
	file, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	must(t, err)
	index, err := file.RowGroups()[1].ColumnChunks()[1].OffsetIndex()
	must(t, err)
	page := index.Offset(1)
	data[page+index.CompressedPageSize(1)-9] ^= 1
	o, src := export(t, string(data), exports.Options{})
	_, _, err = read(t, o, src, 0)
	if want := fmt.Sprintf("its Parquet data is damaged: column device_id, the page at byte %d", page); class(err) != usher.SourceBroken || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("it says %v, not %q", err, want)
	}
}

// Two Parquet files of the same layout, one behind the other: the offsets of the second footer
// are those of chunks of the first file.
func TestTwoParquetFiles(t *testing.T) {
	t.Parallel()
	type row struct {
		IDFA string `parquet:"idfa,plain"`
	}
	plain := parquet.Compression(&parquet.Uncompressed)
	o, src := export(t, parquetOf(t, []row{{uuid(1)}, {uuid(2)}}, 9, plain)+parquetOf(t, []row{{uuid(3)}, {uuid(4)}}, 9, plain), exports.Options{})
	if rows, _, err := read(t, o, src, 0); class(err) != usher.SourceBroken || !strings.Contains(err.Error(), "two Parquet files") {
		t.Errorf("rows %q, %v", rows, err)
	}
}

// TestParquetBomb refuses a column of one value that is repeated millions of times.
func TestParquetBomb(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	type one struct {
		ID string `parquet:"idfa,dict"`
	}
	rows := slices.Repeat([]one{{id1}}, 2_000_000)
	o, src := export(t, parquetOf(t, rows, len(rows), parquet.PageBufferSize(1<<20), parquet.Compression(&parquet.Zstd)), exports.Options{})
	plan, err := o.Plan(t.Context(), src, exports.Wanted{}, 0)
	must(t, err)
	r, err := o.Open(t.Context(), src, plan, plan.Parts[0])
	must(t, err)
	defer func() { must(t, r.Close()) }()
	for err == nil {
		var b *usher.Block
		if b, err = r.Next(t.Context()); err == nil {
			b.Release()
		}
	}
	if errors.Is(err, io.EOF) || !strings.Contains(permanent(t, err).Error(), "bomb") {
		t.Error(err)
	}
}

// FuzzParquet reads arbitrary data as a Parquet file.
func FuzzParquet(f *testing.F) {
	rows := devices(20)
	f.Add([]byte(parquetOf(f, rows, 10)))
	f.Add([]byte(parquetOf(f, rows, 20, parquet.Compression(&parquet.Snappy), parquet.DataPageVersion(1))))
	f.Fuzz(func(t *testing.T, data []byte) {
		o, src := export(t, "PAR1"+string(data[min(4, len(data)):]), exports.Options{})
		_, _, err := read(t, o, src, 1)
		if err != nil && permanent(t, err).Hint == "" {
			t.Errorf("no hint: %v", err)
		}
	})
}

// hadoopLZ4 is the deprecated codec LZ4 of Parquet: blocks of LZ4, each with its sizes before it,
// as Hadoop writes them.
type hadoopLZ4 struct{ lz4.Codec }

func (c *hadoopLZ4) String() string                            { return "LZ4" }
func (c *hadoopLZ4) CompressionCodec() format.CompressionCodec { return format.Lz4 }

func (c *hadoopLZ4) Encode(dst, src []byte) ([]byte, error) {
	block, err := c.Codec.Encode(nil, src)
	dst = binary.BigEndian.AppendUint32(dst[:0], uint32(len(src)))
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(block)))
	return append(dst, block...), err
}

// Parquet with Hadoop's LZ4 is refused, whether its column is chosen by its name or its values.
func TestParquetOfHadoopLZ4(t *testing.T) {
	t.Parallel()
	type named struct {
		ID string `parquet:"idfa"`
	}
	type unnamed struct {
		N  string `parquet:"n"`
		ID string `parquet:"x"`
	}
	for name, data := range map[string]string{
		"by its name":   parquetOf(t, []named{{id1}, {id3}}, 9, parquet.Compression(&hadoopLZ4{})),
		"by its values": parquetOf(t, []unnamed{{"a", id1}, {"b", id3}}, 9, parquet.Compression(&hadoopLZ4{})),
	} {
		o, src := export(t, data, exports.Options{})
		_, _, err := read(t, o, src, 0)
		if class(err) != usher.SourceBroken {
			t.Fatalf("%s: %v", name, err)
		}
		p := permanent(t, err)
		if !strings.Contains(p.Error(), "LZ4 in Hadoop's framing") || !strings.Contains(p.Hint, "LZ4_RAW") || !strings.Contains(p.Hint, "snappy") {
			t.Errorf("%s: %v, hint %q", name, p, p.Hint)
		}
	}
}

// Days and times of Parquet say when people have opted out or agreed, as in any other format. 0 stands for none.
func TestTimesOfParquet(t *testing.T) {
	t.Parallel()
	type row struct {
		IDFA   string     `parquet:"idfa"`
		Day    *int32     `parquet:"day,optional,date"`
		Delta  int32      `parquet:"delta,date,delta"`
		Millis *time.Time `parquet:"millis,optional,timestamp"`
		Micros *time.Time `parquet:"micros,optional,timestamp(microsecond)"`
		Nanos  *time.Time `parquet:"nanos,optional,timestamp(nanosecond)"`
		Zero   int64      `parquet:"zero,timestamp(microsecond)"`
		Number int32      `parquet:"number"`
	}
	rows := make([]row, 40)
	for i := range rows {
		rows[i].IDFA = uuid(i)
		if i%4 == 0 {
			day := int32(10_957) // of 2000
			at := time.Date(2000, 1, 1, 3, 4, 5, 6_000_000, time.FixedZone("", 3600))
			rows[i] = row{uuid(i), &day, day, &at, &at, &at, 0, 20_454}
		}
	}
	for column, c := range map[string]struct{ optOut, consent string }{
		"day":    {"says no in 10 of 40 sampled rows with an id: (empty) 30 (upload), 2000-01-01 10 (leave out)", "30 of 40 sampled rows with an id say neither yes nor no"},
		"delta":  {"says no in 10 of 40 sampled rows with an id: 0 30 (upload), 2000-01-01 10 (leave out)", "says no in 30 of 40 sampled rows with an id: 0 30 (leave out), 2000-01-01 10 (not known)"},
		"millis": {"says no in 10 of 40 sampled rows with an id: (empty) 30 (upload), 2000-01-01t02:04:05.006z 10 (leave out)", "30 of 40 sampled rows with an id say neither yes nor no"},
		"micros": {"says no in 10 of 40 sampled rows with an id: (empty) 30 (upload), 2000-01-01t02:04:05.006z 10 (leave out)", "30 of 40 sampled rows with an id say neither yes nor no"},
		"nanos":  {"says no in 10 of 40 sampled rows with an id: (empty) 30 (upload), 2000-01-01t02:04:05.006z 10 (leave out)", "30 of 40 sampled rows with an id say neither yes nor no"},
		"zero":   {"", "says no in 40 of 40 sampled rows with an id: 0 40 (leave out)"},
		"number": {"10 of 40 sampled rows with an id have values of which usher cannot tell", "40 of 40 sampled rows with an id have values of which usher cannot tell"},
	} {
		for name, want := range map[string]string{"opted_out": c.optOut, "consent": c.consent} {
			data := withFooter(t, parquetOf(t, rows, 40), func(footer *format.FileMetaData) {
				for i := range footer.Schema {
					if footer.Schema[i].Name == column {
						footer.Schema[i].Name = name
					}
				}
			})
			o, src := export(t, data, exports.Options{})
			plan, err := o.Plan(t.Context(), src, exports.Wanted{Type: usher.IDFA}, 0)
			said := fmt.Sprint(err)
			for _, w := range plan.Warnings {
				said += w.Description
			}
			if want == "" && said != "<nil>" || !strings.Contains(said, want) {
				t.Errorf("%s, %s: %s", column, name, said)
			}
		}
	}
}
