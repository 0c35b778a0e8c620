package exports_test

import (
	"archive/zip"
	"os"
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
)

// TestMixedFormats refuses a folder and an archive of files of different formats, and says
// which these are.
func TestMixedFormats(t *testing.T) {
	t.Parallel()
	data := map[string]string{
		"csv":     "n,idfa\n1," + id1 + "\n",
		"text":    id1 + "\n" + id1 + "\n",
		"ndjson":  `{"idfa":"` + id1 + `"}` + "\n",
		"xlsx":    workbookOf(t, [][]string{{"n", "idfa"}, {"1", id1}}),
		"parquet": parquetOf(t, devices(3), 3),
		"avro":    avroFile(t),
	}
	check := func(name string, o *exports.Opener, src *usher.Source, says string) {
		t.Helper()
		_, err := o.Plan(t.Context(), src, exports.Wanted{}, 0)
		if class(err) != usher.SourceBroken {
			t.Errorf("%s: %v", name, err)
			return
		}
		if text := err.Error(); !strings.HasSuffix(text, says) || strings.Contains(text, "\n") || !strings.HasPrefix(permanent(t, err).Hint, "submit a job for each format") {
			t.Errorf("%s: %v\nhint: %s", name, err, permanent(t, err).Hint)
		}
	}
	for first := range data {
		for second := range data {
			if first == second || first == "csv" && second == "text" { // a list is CSV without a header
				continue
			}
			dir := t.TempDir()
			must(t, os.WriteFile(dir+"/a."+first, []byte(data[first]), 0o600))
			must(t, os.WriteFile(dir+"/b."+second, []byte(data[second]), 0o600))
			src := &usher.Source{URL: dir + "/"}
			if first == "parquet" {
				src.Column = "several_id"
			}
			says := "its format is " + second + ", and that of the first file is " + first
			check("folder", opener(t, dir, exports.Options{}), src, "b."+second+`": `+says)
			if first == "xlsx" || first == "parquet" || first == "avro" {
				continue
			}
			o, src := export(t, zipped(t, member{"a", data[first], zip.Deflate, 0}, member{"b", data[second], zip.Deflate, 0}), exports.Options{})
			check("archive", o, src, `file 2 of its archive (b)": `+says)
		}
	}
}

// TestOrderInArchive refuses an archive whose files have their columns in another order, and
// no header.
func TestOrderInArchive(t *testing.T) {
	t.Parallel()
	for members, early := range map[int]bool{2: true, 65: false} {
		files := []member{{"a.csv", "Ann," + uuid(1) + ",x\n", zip.Deflate, 0}}
		for range members - 2 {
			files = append(files, files[0])
		}
		o, src := export(t, zipped(t, append(files, member{"b.csv", uuid(2) + ",Ann,x\n", zip.Deflate, 0})...), exports.Options{})
		if _, err := o.Plan(t.Context(), src, exports.Wanted{}, 0); (err != nil) != early {
			t.Errorf("%d members: planned with %v", members, err)
		}
		const says = `(b.csv)": its device ids are in column 1, and those of the first file in column 2`
		if _, _, err := read(t, o, src, 0); class(err) != usher.SourceBroken || !strings.HasSuffix(err.Error(), says) {
			t.Errorf("%d members: %v", members, err)
		}
	}
}
