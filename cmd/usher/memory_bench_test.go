package main_test

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"

	"usher"
)

// BenchmarkMemory reports the peak of a worker's anonymous memory, in MiB, while two
// parts run at a time: parts of a text export, parts of a Parquet export with row
// groups as data warehouses write them, parts of a Parquet export with one page per
// row group, and two gzip exports, which have one part each. Compare one round with
// many to see that the peak does not grow with the amount of data.
func BenchmarkMemory(b *testing.B) {
	const n = 4_000_000
	dir := b.TempDir()
	path := writeIDFile(b, dir, n)
	for _, c := range []struct {
		name string
		urls []string
	}{
		{"cut", []string{path}},
		{"parquet", []string{parquetFile(b, path, &parquet.Zstd, 1<<20, 1_000_000)}},
		{"parquet-large-pages", []string{parquetFile(b, path, &parquet.Snappy, 100<<20, 122_880)}},
		{"gzip", []string{gzipFile(b, path, "a.gz"), gzipFile(b, path, "b.gz")}},
	} {
		b.Run(c.name, func(b *testing.B) {
			platform := startPlatform(b)
			p := newPlant(b, "USHER_PLATFORM_URL="+platform.url, "USHER_SOURCES_ALLOW="+dir)
			program, err := releaseBinary()
			if err != nil {
				b.Fatal(err)
			}
			w := startProcess(b, "worker", append([]string{"USHER_WORKER=worker"}, p.env...), program, "run")
			peak, round := 0, 0
			for b.Loop() {
				round++
				var ids []string
				for i, url := range c.urls {
					ids = append(ids, fmt.Sprintf("job-%d-%d", round, i))
					p.publish(usher.SegmentAdd, p.addJob(ids[i], url))
				}
				for i := 0; i < len(ids); {
					peak = max(peak, procStatusKB(w.cmd.Process.Pid, "RssAnon"))
					if r := p.record(ids[i]); !r.State.Ended() {
						time.Sleep(5 * time.Millisecond)
					} else if i++; r.State != usher.Done || r.Tally.Accepted != n {
						b.Fatalf("job %s: %s", r.ID, recordText(r))
					}
				}
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(peak)/1024, "RssAnon-MiB")
		})
	}
}

// parquetFile writes the ids of a text file, and a second column, as Parquet. page is
// the maximum size of a page in bytes, group that of a row group in rows.
func parquetFile(b *testing.B, path string, codec compress.Codec, page int, group int64) string {
	b.Helper()
	type customer struct {
		Name string `parquet:"name,dict"`
		IDFA string `parquet:"idfa"`
	}
	text, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	packed := fmt.Sprintf("%s.%d.parquet", path, group)
	out, err := os.Create(packed)
	if err != nil {
		b.Fatal(err)
	}
	w := parquet.NewGenericWriter[customer](out, parquet.Compression(codec), parquet.PageBufferSize(page), parquet.MaxRowsPerRowGroup(group))
	for lines := range slices.Chunk(strings.Fields(string(text)), 10_000) {
		rows := make([]customer, len(lines))
		for i, id := range lines {
			rows[i] = customer{"a name", id}
		}
		if _, err := w.Write(rows); err != nil {
			b.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), out.Close()); err != nil {
		b.Fatal(err)
	}
	return packed
}

func gzipFile(b *testing.B, path, name string) string {
	b.Helper()
	in, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer in.Close()
	packed := filepath.Join(filepath.Dir(path), name)
	out, err := os.Create(packed)
	if err != nil {
		b.Fatal(err)
	}
	w, err := gzip.NewWriterLevel(out, gzip.BestSpeed)
	if err != nil {
		b.Fatal(err)
	}
	_, err = io.Copy(w, in)
	if err := errors.Join(err, w.Close(), out.Close()); err != nil {
		b.Fatal(err)
	}
	return packed
}
