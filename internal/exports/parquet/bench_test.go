package parquet_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	library "github.com/parquet-go/parquet-go"

	"usher/internal/exports/parquet"
	"usher/internal/exports/places"
)

// benchRow is a row as a warehouse writes it: a long column, and one of few values.
type benchRow struct {
	OS string `parquet:"os,dict"`
	ID string `parquet:"idfa,plain"`
}

// BenchmarkReader reads a column of ids beside parquet-go's Pages: see
// docs/decisions/0001-parquet-reader.md.
func BenchmarkReader(b *testing.B) {
	const n, group = 491_520, 122_880
	random := rand.New(rand.NewPCG(1, 2))
	rows := make([]benchRow, n)
	for i := range rows {
		rows[i] = benchRow{"ios", fmt.Sprintf("%08X-%04X-4%03X-8%03X-%012X", random.Uint32(), random.IntN(1<<16), random.IntN(1<<12), random.IntN(1<<12), random.Uint64N(1<<48))}
	}
	for _, c := range []struct {
		name    string
		options []library.WriterOption
	}{
		{"snappy", []library.WriterOption{library.Compression(&library.Snappy), library.PageBufferSize(1 << 20)}},
		{"zstd", []library.WriterOption{library.Compression(&library.Zstd), library.PageBufferSize(1 << 20)}},
		{"large pages", []library.WriterOption{library.Compression(&library.Snappy), library.PageBufferSize(100 << 20)}},
	} {
		var data bytes.Buffer
		w := library.NewGenericWriter[benchRow](&data, append(c.options, library.MaxRowsPerRowGroup(group))...)
		if _, err := w.Write(rows); err != nil {
			b.Fatal(err)
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
		f, memory := open(b, data.Bytes()), new(parquet.Memory)
		for name, read := range map[string]func(*testing.B) (values, size int){
			"usher":      func(b *testing.B) (int, int) { b.Helper(); return readColumn(b, f, memory) },
			"parquet-go": func(b *testing.B) (int, int) { b.Helper(); return readPages(b, data.Bytes()) },
		} {
			b.Run(c.name+"/"+name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if values, size := read(b); values != n || size != 36*n {
						b.Fatalf("%d values of %d bytes", values, size)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/row")
			})
		}
	}
}

func readColumn(b *testing.B, f *places.File, memory *parquet.Memory) (values, size int) {
	b.Helper()
	footer, err := parquet.ReadFooter(b.Context(), f)
	if err != nil {
		b.Fatal(err)
	}
	r := parquet.NewReader(b.Context(), f, footer, footer.Groups, memory, 1)
	defer r.Close()
	for {
		value, _, err := r.Next()
		if errors.Is(err, io.EOF) {
			return values, size
		}
		if err != nil {
			b.Fatal(err)
		}
		values++
		size += len(value)
	}
}

func readPages(b *testing.B, data []byte) (values, size int) {
	b.Helper()
	f, err := library.OpenFile(bytes.NewReader(data), int64(len(data)), library.SkipPageIndex(true), library.SkipBloomFilters(true), library.ReadBufferSize(64<<10))
	if err != nil {
		b.Fatal(err)
	}
	for _, group := range f.RowGroups() {
		pages := group.ColumnChunks()[1].Pages()
		for {
			page, err := pages.ReadPage()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				b.Fatal(err)
			}
			data := page.Data()
			text, offsets := data.ByteArray()
			for i := range len(offsets) - 1 {
				values++
				size += len(text[offsets[i]:offsets[i+1]])
			}
			library.Release(page)
		}
		if err := pages.Close(); err != nil {
			b.Fatal(err)
		}
	}
	return values, size
}
