package main_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"

	"usher"
)

// exportFormat is a format in which customers deliver exports.
type exportFormat struct {
	id     string
	kind   usher.Kind // "": segment.add
	source job        // fields besides the URL
	parts  int
	// write encodes the values, and updates e for values that it omits or adds. It
	// returns the last file of the folder, which the caller writes.
	write writer
}

type writer func(t *testing.T, dir string, e *export, values []string) (name, data string)

func exportFormats() []exportFormat {
	return []exportFormat{
		{id: "parquet-strings-snappy", parts: 3, write: parquetStrings(&parquet.Snappy)},
		{id: "parquet-strings-zstd", parts: 3, write: parquetStrings(&parquet.Zstd)},
		{id: "parquet-uuids-snappy", parts: 2, write: parquetUUIDs(&parquet.Snappy)},
		{id: "parquet-uuids-zstd", parts: 2, write: parquetUUIDs(&parquet.Zstd)},
		{id: "zip-of-one", parts: 1, write: zipOf(3000)},
		{id: "zip-of-many", parts: 1, write: zipOf(300)},
		{id: "csv-several-ids-a-cell", parts: 3, source: job{"column": "ids"}, write: writeMultiIDCells},
		{id: "csv-of-two-systems", parts: 4, source: job{"typeColumn": "os"}, write: twoSystems(false)},
		{id: "csv-of-two-systems-into-a-target", kind: usher.TargetAdd, parts: 4, source: job{"typeColumn": "os"}, write: twoSystems(true)},
		{id: "folder-of-gzip", parts: 5, source: job{"doneMarker": "_SUCCESS"}, write: writeGzipFolder},
		{id: "ndjson-by-path", parts: 5, source: job{"column": "user.devices.id"}, write: writeNestedNDJSON},
	}
}

// TestFormats uploads a dirty export in every format. Each job's tally is exact,
// and in the end the platform has all digests and no others.
func TestFormats(t *testing.T) {
	t.Parallel()
	d := newDeployment(t, "USHER_UPLOAD_BATCH_IDS=500", "USHER_SOURCES_PART_BYTES=65536")
	d.worker("only")
	all, exports := map[[16]byte]bool{}, map[string]export{}
	for i, c := range exportFormats() {
		dir := filepath.Join(d.exports, c.id)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		e := newExport(t, t.TempDir(), 3000, uint64(100+i))
		text, err := os.ReadFile(e.path)
		if err != nil {
			t.Fatal(err)
		}
		name, data := c.write(t, dir, &e, strings.Fields(string(text)))
		writeFile(t, filepath.Join(dir, name), data)
		source := job{"url": "file://" + filepath.Join(dir, name)}
		if _, folder := c.source["doneMarker"]; folder {
			source["url"] = "file://" + dir + "/"
		}
		maps.Copy(source, c.source)
		exports[c.id] = e
		if c.kind == usher.TargetAdd {
			d.publish(c.kind, job{"id": c.id, "campaign": "SANDBOX1-spring", "profile": "idfa", "source": source})
			continue
		}
		maps.Copy(all, e.digests)
		d.publish(usher.SegmentAdd, d.addJob(c.id, "", job{"source": source}))
	}
	for _, c := range exportFormats() {
		r := d.ended(c.id)
		if r.State != usher.Done || asJSON(r.Tally) != asJSON(exports[c.id].tally) || r.Parts.Total != c.parts {
			t.Errorf("%s ended %s %+v in %d parts, with the tally\n%s, not\n%s", c.id, r.State, r.Error, r.Parts.Total, asJSON(r.Tally), asJSON(exports[c.id].tally))
		}
	}
	if got, want := d.members("segments/1"), fingerprintOf(all); got != want {
		t.Errorf("members are %+v, not %+v", got, want)
	}
	if got, want := d.members("campaigns/SANDBOX1-spring"), fingerprintOf(exports["csv-of-two-systems-into-a-target"].digests); got != want {
		t.Errorf("the target's members are %+v, not %+v", got, want)
	}
}

// writeRowGroups writes a Parquet file with row groups of 700 rows and small
// pages.
func writeRowGroups[T any](t *testing.T, rows []T, options ...parquet.WriterOption) (name, data string) {
	t.Helper()
	var out bytes.Buffer
	w := parquet.NewGenericWriter[T](&out, append(options, parquet.PageBufferSize(4000))...)
	for group := range slices.Chunk(rows, 700) {
		if _, err := w.Write(group); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return "export.parquet", out.String()
}

// parquetStrings adds a customer without an id after every tenth customer.
func parquetStrings(codec compress.Codec) writer {
	type customer struct {
		Number int64   `parquet:"number"`
		Name   string  `parquet:"name,dict"`
		IDFA   *string `parquet:"idfa,optional"`
	}
	return func(t *testing.T, _ string, e *export, values []string) (name, data string) {
		t.Helper()
		var rows []customer
		e.tally.Junk[usher.Empty] = 0
		for i := range values {
			rows = append(rows, customer{int64(i), "a name", &values[i]})
			if i%10 == 0 {
				rows = append(rows, customer{int64(i), "a name", nil})
				e.tally.Read++
				e.tally.Junk[usher.Empty]++
			}
		}
		return writeRowGroups(t, rows, parquet.Compression(codec))
	}
}

// parquetUUIDs omits values that are not UUIDs.
func parquetUUIDs(codec compress.Codec) writer {
	type customer struct {
		Device [16]byte `parquet:"device_id,uuid"`
		Name   string   `parquet:"name"`
	}
	return func(t *testing.T, _ string, e *export, values []string) (name, data string) {
		t.Helper()
		var rows []customer
		for _, v := range values {
			if id, err := hex.DecodeString(strings.ReplaceAll(v, "-", "")); err == nil {
				rows = append(rows, customer{[16]byte(id), "a name"})
			}
		}
		e.tally.Read -= e.tally.Junk[usher.Placeholder] + e.tally.Invalid[usher.Shape]
		delete(e.tally.Junk, usher.Placeholder)
		delete(e.tally.Invalid, usher.Shape)
		return writeRowGroups(t, rows, parquet.Compression(codec))
	}
}

// zipOf writes CSV files with a header and the given number of rows, and a file
// that macOS adds to archives.
func zipOf(rows int) writer {
	return func(t *testing.T, _ string, _ *export, values []string) (name, data string) {
		var out bytes.Buffer
		w := zip.NewWriter(&out)
		write := func(name, text string) {
			f, err := w.Create(name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(f, text); err != nil {
				t.Fatal(err)
			}
		}
		write("__MACOSX/._export.csv", "\x00\x01")
		n := 0
		for file := range slices.Chunk(values, rows) {
			write(fmt.Sprintf("export/%03d.csv", n), "city,idfa\nBerlin,"+strings.Join(file, "\nBerlin,")+"\n")
			n++
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return "export.zip", out.String()
	}
}

// writeMultiIDCells writes up to three ids per cell. A value that is not an id has
// its own cell.
func writeMultiIDCells(_ *testing.T, _ string, _ *export, values []string) (name, data string) {
	var text strings.Builder
	text.WriteString("name;ids;city\n")
	var cell []string
	for i, v := range values {
		if cell = append(cell, v); len(v) == 36 && len(cell) < 3 && i+1 < len(values) && len(values[i+1]) == 36 {
			continue
		}
		fmt.Fprintf(&text, "\"Doe; Jane\";\"%s\";Berlin\n", strings.Join(cell, ","))
		cell = nil
	}
	return "export.csv", text.String()
}

// twoSystems adds an Android customer after every third customer. A segment of
// IDFAs rejects these rows; a campaign's target accepts them.
func twoSystems(target bool) writer {
	return func(_ *testing.T, _ string, e *export, values []string) (name, data string) {
		var text strings.Builder
		text.WriteString("os,device_id\n")
		for i, v := range values {
			fmt.Fprintf(&text, "iPhone OS 17.1,%s\n", v)
			if i%3 > 0 {
				continue
			}
			aaid := fmt.Sprintf("97987bca-ae59-4c7d-94ba-%012x", i+1)
			fmt.Fprintf(&text, "Android,%s\n", strings.ToUpper(aaid))
			e.tally.Read++
			if target {
				e.tally.Accepted++
				e.digests[md5.Sum([]byte(aaid))] = true
			} else {
				e.tally.Invalid[usher.WrongType]++
			}
		}
		return "export.csv", text.String()
	}
}

func writeGzipFolder(t *testing.T, dir string, _ *export, values []string) (name, data string) {
	n := 0
	for file := range slices.Chunk(values, 300) {
		var out bytes.Buffer
		w := gzip.NewWriter(&out)
		_, _ = io.WriteString(w, strings.Join(file, "\r\n")) // Close returns the error
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(dir, fmt.Sprintf("part-%05d.gz", n)), out.String())
		n++
	}
	return "_SUCCESS", ""
}

func writeNestedNDJSON(_ *testing.T, _ string, _ *export, values []string) (name, data string) {
	var text strings.Builder
	for user := range slices.Chunk(values, 2) {
		text.WriteString(`{"id":"6D92078A-8246-4BA4-AE5B-76104861E7DC","user":{"name":"\"id\":","devices":[{"os":"iOS","id":"` +
			strings.Join(user, `"},{"id":"`) + `"}]},"at":"2026-03-01"}` + "\n")
	}
	return "export.ndjson", text.String()
}
