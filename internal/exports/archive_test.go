package exports_test

import (
	"archive/zip"
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
)

// member is a file of a zip archive.
type member struct {
	name, data string
	method     uint16
	flags      uint16
}

func zipped(t testing.TB, members ...member) string {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, m := range members {
		f, err := w.CreateHeader(&zip.FileHeader{Name: m.name, Method: m.method})
		must(t, err)
		_, err = f.Write([]byte(m.data))
		must(t, err)
	}
	must(t, w.Close())
	data := out.Bytes()
	for _, m := range members { // the writer does not write all flags
		for _, head := range []string{"PK\x03\x04", "PK\x01\x02"} {
			at := 6
			if head == "PK\x01\x02" {
				at = 8
			}
			for from := 0; m.flags != 0; {
				i := bytes.Index(data[from:], []byte(head))
				if i < 0 {
					break
				}
				data[from+i+at] |= byte(m.flags)
				from += i + 4
			}
		}
	}
	return string(data)
}

func TestArchive(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	const deflate = zip.Deflate
	all := []string{id1, id2, id3}
	many := strings.Repeat(id1+"\n", 20_000)
	for _, c := range []struct {
		name string
		data string
		want []string // nil: source_broken
	}{
		{"one list", zipped(t, member{"ids.txt", id1 + "\n" + id2 + "\n" + id3, deflate, 0}), all},
		{"stored", zipped(t, member{"ids.txt", id1 + "\n" + id2 + "\n" + id3, zip.Store, 0}), all},
		{"a header in each", zipped(t, member{"a.csv", "n,idfa\n1," + id1 + "\n", deflate, 0}, member{"b.csv", "n,idfa\n2," + id2 + "\n3," + id3, deflate, 0}), all},
		{"files of the systems", zipped(t, member{"x/", "", zip.Store, 0}, member{"__MACOSX/x/._a.txt", "\x00\x01", deflate, 0}, member{"x/.DS_Store", "\x00", deflate, 0},
			member{"x/empty", "", deflate, 0}, member{"x/a", id1 + "\n\n", deflate, 0}, member{"x/b", "", deflate, 0}, member{"x/c", id2 + "\n" + id3, deflate, 0}), all},
		{"ndjson", zipped(t, member{"a", `{"idfa":"` + id1 + `"}`, deflate, 0}, member{"b", `{"idfa":["` + id2 + `","` + id3 + `"]}` + "\n", deflate, 0}), all},
		{"utf-16", zipped(t, member{"a", utf16le("idfa;x\n" + id1 + ";1\n"), deflate, 0}, member{"b", utf16le("idfa;x\n" + id2 + ";1\n" + id3 + ";"), deflate, 0}), all},
		{"many rows", zipped(t, member{"a", many, deflate, 0}, member{"b", many, deflate, 0}), slices.Repeat([]string{id1}, 40_000)},

		{"other columns", zipped(t, member{"a.csv", "n,idfa\n1," + id1 + "\n", deflate, 0}, member{"b.csv", "idfa,n\n" + id2 + ",2\n", deflate, 0}), all[:2]},
		{"a header in the first", zipped(t, member{"a.csv", "n,idfa\n1," + id1 + "\n", deflate, 0}, member{"b.csv", "2," + id2 + "\n3," + id3, deflate, 0}), nil},
		{"another column", zipped(t, member{"a.csv", "n,idfa\n1," + id1 + "\n", deflate, 0}, member{"b.csv", "n,gaid\n2," + id2 + "\n", deflate, 0}), nil},
		{"another format", zipped(t, member{"a.csv", "n,idfa\n1," + id1 + "\n", deflate, 0}, member{"b", `{"idfa":"` + id2 + `"}`, deflate, 0}), nil},
		{"a picture", zipped(t, member{"a.csv", "n,idfa\n1," + id1 + "\n", deflate, 0}, member{"b", "\x89PNG\r\n\x1a\n\x00\x00", deflate, 0}), nil},
		{"gzip within", zipped(t, member{"a.gz", gzipped(t, id1), deflate, 0}), nil},
		{"gzip within, later", zipped(t, member{"a", id1 + "\n", deflate, 0}, member{"b.gz", gzipped(t, id1), deflate, 0}), nil},
		{"zip within", zipped(t, member{"a.zip", zipped(t, member{"a", id1, deflate, 0}), zip.Store, 0}), nil},
		{"encrypted", zipped(t, member{"a", id1 + "\n", deflate, 1}), nil},
		{"a spreadsheet", zipped(t, member{"[Content_Types].xml", "<x/>", deflate, 0}, member{"xl/workbook.xml", "<x/>", deflate, 0}), nil},
		{"two archives", zipped(t, member{"a", id1, deflate, 0}) + zipped(t, member{"a", id2, deflate, 0}), nil},
		{"text behind it", zipped(t, member{"a", id1, deflate, 0}) + id2 + "\n", nil},
		{"empty", zipped(t), nil},
		{"only folders", zipped(t, member{"x/", "", zip.Store, 0}), nil},
		{"a bomb", zipped(t, member{"a", strings.Repeat("\n", 17<<20), deflate, 0}), nil},
		{"bombs", zipped(t, slices.Repeat([]member{{"a", id1 + strings.Repeat("\n", 1<<20), deflate, 0}}, 18)...), nil},
		{"too many", zipped(t, slices.Repeat([]member{{"a", id1, zip.Store, 0}}, 1001)...), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o, src := export(t, c.data, exports.Options{})
			rows, plan, err := read(t, o, src, 10)
			if c.want == nil {
				if class(err) != usher.SourceBroken || permanent(t, err).Hint == "" {
					t.Error(err)
				}
				return
			}
			if err != nil || !slices.Equal(rows, c.want) || plan.Compression != "zip" || len(plan.Parts) != 1 {
				t.Errorf("%d rows, %v, plan %+v", len(rows), err, plan)
			}
		})
	}
}

// TestFormatInArchive packs files that are compressed inside: the hint says to give them as
// they are.
func TestFormatInArchive(t *testing.T) {
	t.Parallel()
	book := workbookOf(t, [][]string{{"n", "idfa"}, {"1", id1}})
	for name, c := range map[string]struct{ data, hint string }{
		"avro":              {zipped(t, member{"a.avro", avroFile(t), zip.Deflate, 0}), "give the Avro file as it is"},
		"xlsx":              {zipped(t, member{"a.xlsx", book, zip.Deflate, 0}), "give the workbook as it is"},
		"xlsx, stored":      {zipped(t, member{"a.xlsx", book, zip.Store, 0}), "give the workbook as it is"},
		"xlsx behind a csv": {zipped(t, member{"a.csv", "n,idfa\n1," + id1 + "\n", zip.Deflate, 0}, member{"b.xlsx", book, zip.Deflate, 0}), "give the workbook as it is"},
		"avro behind a csv": {zipped(t, member{"a.csv", "n,idfa\n1," + id1 + "\n", zip.Deflate, 0}, member{"b.avro", avroFile(t), zip.Deflate, 0}), "give the Avro file as it is"},
		"xlsx, gzip":        {gzipped(t, book), "give the workbook as it is"},
		"parquet":           {zipped(t, member{"a.parquet", parquetOf(t, devices(3), 3), zip.Deflate, 0}), "give the Parquet file as it is"},
		"zip":               {zipped(t, member{"a.zip", zipped(t, member{"a.csv", id1, zip.Deflate, 0}), zip.Deflate, 0}), "compress it once only"},
	} {
		o, src := export(t, c.data, exports.Options{})
		if _, _, err := read(t, o, src, 0); class(err) != usher.SourceBroken || !strings.Contains(permanent(t, err).Hint, c.hint) {
			t.Errorf("%s: %v: %s", name, err, permanent(t, err).Hint)
		}
	}
}

// TestArchiveDamage flips bits and truncates: an archive is read with all of its rows,
// or is source_broken.
func TestArchiveDamage(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	var want []string
	for i := range 500 {
		want = append(want, id1[:28]+strings.Repeat(string("0123456789"[i%10]), 8))
	}
	whole := zipped(t, member{"a", strings.Join(want[:300], "\n"), zip.Deflate, 0}, member{"b", strings.Join(want[300:], "\n"), zip.Deflate, 0})
	random := rand.New(rand.NewPCG(7, 8))
	for range 300 {
		data := []byte(whole)
		if at := random.IntN(len(data)); random.IntN(3) == 0 {
			data = data[:at]
		} else {
			data[at] ^= 1 << random.IntN(8)
		}
		o, src := export(t, string(data), exports.Options{})
		src.Compression = "zip"
		rows, _, err := read(t, o, src, 1)
		if err == nil && !slices.Equal(rows, want) && len(rows) != 300 && len(rows) != 200 {
			t.Fatalf("%d rows", len(rows))
		}
		if err != nil && permanent(t, err).Hint == "" {
			t.Errorf("no hint: %v", err)
		}
	}
}
