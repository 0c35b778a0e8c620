package main_test

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/twmb/avro"
	"github.com/twmb/avro/ocf"

	"usher"
)

// BenchmarkMemory reports the peak of a worker's anonymous memory, in MiB, while two
// parts run at a time: parts of a text export, parts of a Parquet export with row
// groups as data warehouses write them, parts of a Parquet export with one page per
// row group, and two gzip exports, which have one part each. Compare one round with
// many to see that the peak does not grow with the amount of data. JSON, Avro, xlsx and
// xz exports have one part each, too. It fails if a peak is beyond what BENCHMARKS.md allows.
func BenchmarkMemory(b *testing.B) {
	const n, fewer = 4_000_000, 1_000_000 // a sheet has at most 1,048,576 rows
	const most = 64 << 10                 // KiB
	dir := b.TempDir()
	path := writeIDFile(b, dir, n)
	short := writeIDFile(b, b.TempDir(), fewer)
	for _, c := range []struct {
		name string
		ids  int64
		urls []string
	}{
		{"cut", n, []string{path}},
		{"parquet", n, []string{parquetFile(b, path, &parquet.Zstd, 1<<20, 1_000_000)}},
		{"parquet-large-pages", n, []string{parquetFile(b, path, &parquet.Snappy, 100<<20, 122_880)}},
		{"gzip", n, []string{gzipFile(b, path, "a.gz"), gzipFile(b, path, "b.gz")}},
		{"xz", n, []string{xzFile(b, path, filepath.Join(dir, "a.xz")), xzFile(b, path, filepath.Join(dir, "b.xz"))}},
		{"json", fewer, []string{jsonFile(b, short, filepath.Join(dir, "a.json")), jsonFile(b, short, filepath.Join(dir, "b.json"))}},
		{"avro", fewer, []string{avroFile(b, short, filepath.Join(dir, "a.avro")), avroFile(b, short, filepath.Join(dir, "b.avro"))}},
		{"xlsx", fewer, []string{xlsxFile(b, short, filepath.Join(dir, "a.xlsx")), xlsxFile(b, short, filepath.Join(dir, "b.xlsx"))}},
		{"xlsx-shared", fewer / 10 * 9, []string{sharedXLSXFile(b, short, filepath.Join(dir, "c.xlsx")), sharedXLSXFile(b, short, filepath.Join(dir, "d.xlsx"))}},
	} {
		b.Run(c.name, func(b *testing.B) {
			platform := startPlatform(b)
			d := newDeployment(b, "USHER_PLATFORM_URL="+platform.url, "USHER_SOURCES_ALLOW="+dir)
			program, err := releaseBinary()
			if err != nil {
				b.Fatal(err)
			}
			w := startProcess(b, "worker", append([]string{"USHER_WORKER=worker"}, d.env...), program, "run")
			peak, round := 0, 0
			for b.Loop() {
				round++
				var ids []string
				for i, url := range c.urls {
					ids = append(ids, fmt.Sprintf("job-%d-%d", round, i))
					d.publish(usher.SegmentAdd, d.addJob(ids[i], url))
				}
				for i := 0; i < len(ids); {
					peak = max(peak, procStatusKB(w.cmd.Process.Pid, "RssAnon"))
					if r := d.record(ids[i]); !r.State.Ended() {
						time.Sleep(5 * time.Millisecond)
					} else if i++; r.State != usher.Done || r.Tally.Accepted != c.ids {
						b.Fatalf("job %s: %s", r.ID, recordText(r))
					}
				}
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(peak)/1024, "RssAnon-MiB")
			if peak > most {
				b.Errorf("the worker had %d MiB of anonymous memory", peak>>10)
			}
		})
	}
}

// parquetFile writes the ids of a text file as Parquet, and beside them a column of
// systems, which is read on every row. page is the maximum size of a page in bytes,
// group that of a row group in rows.
func parquetFile(b *testing.B, path string, codec compress.Codec, page int, group int64) string {
	b.Helper()
	type customer struct {
		OS   string `parquet:"os,dict"`
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
			rows[i] = customer{"ios", id}
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

// createFile creates a file, which write fills with the ids of a text file, and returns its
// path.
func createFile(b *testing.B, ids, path string, write func(w io.Writer, ids []string) error) string {
	b.Helper()
	text, err := os.ReadFile(ids)
	if err != nil {
		b.Fatal(err)
	}
	out, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	if err := errors.Join(write(out, strings.Fields(string(text))), out.Close()); err != nil {
		b.Fatal(err)
	}
	return path
}

// jsonFile writes the ids as one array of objects.
func jsonFile(b *testing.B, ids, path string) string {
	b.Helper()
	return createFile(b, ids, path, func(w io.Writer, ids []string) error {
		buffered := bufio.NewWriter(w)
		before := "["
		for _, id := range ids {
			fmt.Fprintf(buffered, "%s{\n  \"name\": \"a name\",\n  \"idfa\": %q\n}", before, id)
			before = ", "
		}
		buffered.WriteString("]\n")
		return buffered.Flush()
	})
}

// avroFile writes the ids as an Avro object container file.
func avroFile(b *testing.B, ids, path string) string {
	b.Helper()
	schema, err := avro.Parse(`{"type":"record","name":"customer","fields":[{"name":"name","type":"string"},{"name":"idfa","type":["null","string"]}]}`)
	if err != nil {
		b.Fatal(err)
	}
	return createFile(b, ids, path, func(w io.Writer, ids []string) error {
		out, err := ocf.NewWriter(w, schema)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if err := out.Encode(map[string]any{"name": "a name", "idfa": id}); err != nil {
				return err
			}
		}
		return out.Close()
	})
}

// xlsxFile writes the ids as a workbook of one sheet.
func xlsxFile(b *testing.B, ids, path string) string {
	b.Helper()
	return createFile(b, ids, path, func(w io.Writer, ids []string) error {
		const cell = `<c t="inlineStr"><is><t>%s</t></is></c>`
		return writeWorkbook(w, func(sheet, _ io.Writer) {
			fmt.Fprintf(sheet, `<row>`+cell+cell+`</row>`, "name", "idfa")
			for _, id := range ids {
				fmt.Fprintf(sheet, `<row>`+cell+cell+`</row>`, "a name", id)
			}
		})
	})
}

// sharedXLSXFile writes the ids as Excel does, with shared strings and a different name in
// each row. The last tenth of the rows has no ids, so that the names are examined as well.
func sharedXLSXFile(b *testing.B, ids, path string) string {
	b.Helper()
	return createFile(b, ids, path, func(w io.Writer, ids []string) error {
		const cell, text = `<c t="s"><v>%d</v></c>`, `<si><t>%s</t></si>`
		return writeWorkbook(w, func(sheet, shared io.Writer) {
			n := 0
			share := func(s string) string {
				fmt.Fprintf(shared, text, s)
				n++
				return fmt.Sprintf(cell, n-1)
			}
			fmt.Fprintf(sheet, `<row>%s%s</row>`, share("name"), share("idfa"))
			for i, id := range ids {
				row := share(fmt.Sprintf("customer %d", i))
				if i < len(ids)/10*9 {
					row += share(id)
				}
				fmt.Fprintf(sheet, `<row>%s</row>`, row)
			}
		})
	})
}

// writeWorkbook writes a workbook of one sheet. write writes its rows and shared strings.
func writeWorkbook(w io.Writer, write func(sheet, shared io.Writer)) error {
	const relations = `http://schemas.openxmlformats.org/officeDocument/2006/relationships`
	var sheet, shared bytes.Buffer
	write(&sheet, &shared)
	archive := zip.NewWriter(w)
	for _, part := range [][2]string{
		{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`},
		{"_rels/.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="` + relations + `/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
		{"xl/workbook.xml", `<workbook xmlns:r="` + relations + `"><sheets><sheet name="ids" sheetId="1" r:id="s"/></sheets></workbook>`},
		{"xl/_rels/workbook.xml.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
			`<Relationship Id="s" Type="` + relations + `/worksheet" Target="worksheets/sheet1.xml"/>` +
			`<Relationship Id="t" Type="` + relations + `/sharedStrings" Target="sharedStrings.xml"/></Relationships>`},
		{"xl/worksheets/sheet1.xml", `<worksheet><sheetData>` + sheet.String() + `</sheetData></worksheet>`},
		{"xl/sharedStrings.xml", `<sst>` + shared.String() + `</sst>`},
	} {
		f, err := archive.Create(part[0])
		if err != nil {
			return err
		}
		if _, err := io.WriteString(f, part[1]); err != nil {
			return err
		}
	}
	return archive.Close()
}

// xzFile compresses a file with the xz of the machine.
func xzFile(b *testing.B, from, to string) string {
	b.Helper()
	packed, err := exec.CommandContext(b.Context(), "xz", "--stdout", "-1", from).Output()
	if err != nil {
		b.Fatalf("compress with xz, of the package xz-utils: %v", err)
	}
	if err := os.WriteFile(to, packed, 0o600); err != nil {
		b.Fatal(err)
	}
	return to
}
