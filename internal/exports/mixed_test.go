package exports_test

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

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
	for members, early := range map[int]bool{2: true, 65: true, 130: false} {
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

// A workbook is called one where the job says that its files are CSV.
func TestWorkbookAmongCSV(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must(t, os.WriteFile(dir+"/a.csv", []byte("n,idfa\n1,"+id1+"\n"), 0o600))
	must(t, os.WriteFile(dir+"/b.xlsx", []byte(workbookOf(t, [][]string{{"n", "idfa"}, {"1", id1}})), 0o600))
	for _, url := range []string{dir + "/", dir + "/b.xlsx"} {
		_, err := opener(t, dir, exports.Options{}).Plan(t.Context(), &usher.Source{URL: url, Format: "csv"}, exports.Wanted{}, 0)
		if class(err) != usher.SourceBroken || !strings.HasSuffix(err.Error(), `b.xlsx": it is an .xlsx workbook, and source.format says csv`) {
			t.Errorf("%s: %v", url, err)
		}
	}
}

// A file without a header whose types stand in another column than those of the first file is
// refused, wherever it stands in the folder.
func TestOrderOfTypes(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	for name, c := range map[string]struct {
		row  string
		want bool
	}{
		"types in another column": {",x,ios\n", false},
		"types of another system": {",android,x\n", true},
		"no types at all":         {",y,x\n", true},
		"empty types":             {",,x\n", true},
	} {
		for _, files := range []int{3, 200} {
			dir := t.TempDir()
			for i := range files {
				row := ",ios,x\n"
				if i == files-2 {
					row = c.row
				}
				must(t, os.WriteFile(fmt.Sprintf("%s/%03d.csv", dir, i), []byte(rowsFrom(30*i, 30, func(i int) string { return uuid(i) + row })), 0o600))
			}
			src := &usher.Source{URL: dir + "/", Column: "1", TypeColumn: "2"}
			rows, _, err := readType(t, opener(t, dir, exports.Options{}), src, usher.IDFA, 0)
			if c.want != (err == nil) || !c.want && (class(err) != usher.SourceBroken || !strings.Contains(err.Error(), "its types of ids are in column 3, and those of the first file in column 2")) {
				t.Errorf("%s, %d files: %d rows, %v", name, files, len(rows), err)
			}
		}
	}
}

// Evidence in one file of many that Plan does not look at is found by the reader of the file.
func TestEvidenceOfOneFile(t *testing.T) {
	t.Parallel()
	const files, odd = 200, 101
	type row struct {
		Device string `parquet:"device"`
	}
	dir, packed, parquets := t.TempDir(), t.TempDir(), t.TempDir()
	var members []member
	for i := range files {
		id := uuid
		if i == odd {
			id = lowerUUID
		}
		data := rowsFrom(30*i, 30, func(i int) string { return id(i) + "\n" })
		members = append(members, member{fmt.Sprintf("%03d.txt", i), data, zip.Deflate, 0})
		must(t, os.WriteFile(filepath.Join(dir, members[i].name), []byte(data), 0o600))
		var rows []row
		for device := range strings.FieldsSeq(data) {
			rows = append(rows, row{device})
		}
		must(t, parquet.WriteFile(fmt.Sprintf("%s/%03d.parquet", parquets, i), rows))
	}
	must(t, os.WriteFile(packed+"/all.zip", []byte(zipped(t, members...)), 0o600))
	for _, url := range []string{dir + "/", packed + "/all.zip", parquets + "/"} {
		o, src := opener(t, filepath.Dir(url), exports.Options{}), &usher.Source{URL: url}
		plan, err := o.Plan(t.Context(), src, exports.Wanted{Type: usher.IDFA}, 0)
		if err != nil || len(plan.Warnings) != 0 {
			t.Fatalf("%s: warnings %+v, %v", url, plan.Warnings, err)
		}
		var found []usher.Warning
		for _, part := range plan.Parts {
			r, err := o.Open(t.Context(), src, plan, part)
			must(t, err)
			for err == nil {
				var b *usher.Block
				if b, err = r.Next(t.Context()); err == nil {
					b.Release()
				}
			}
			if !errors.Is(err, io.EOF) {
				t.Fatal(err)
			}
			found = usher.AddWarnings(found, r.Warnings()...)
			must(t, r.Close())
		}
		if len(found) != 1 || found[0].Code != "letter_case" || found[0].Count != 30 || !strings.Contains(found[0].Description, strconv.Itoa(odd)+".") {
			t.Errorf("%s: warnings %+v", url, found)
		}
	}
}

// Evidence is taken from all over a large folder or archive.
func TestEvidenceOfManyFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var members []member
	for i := range 200 {
		id := uuid
		if i >= 100 {
			id = lowerUUID
		}
		data := rowsFrom(30*i, 30, func(i int) string { return id(i) + "\n" })
		members = append(members, member{fmt.Sprintf("%03d.txt", i), data, zip.Deflate, 0})
		must(t, os.WriteFile(dir+"/"+members[i].name, []byte(data), 0o600))
	}
	zipDir := t.TempDir()
	must(t, os.WriteFile(zipDir+"/all.zip", []byte(zipped(t, members...)), 0o600))
	for _, url := range []string{dir + "/", zipDir + "/all.zip"} {
		plan, err := opener(t, filepath.Dir(url), exports.Options{}).Plan(t.Context(), &usher.Source{URL: url}, exports.Wanted{Type: usher.IDFA}, 0)
		if err != nil || len(plan.Warnings) != 1 || plan.Warnings[0].Code != "letter_case" || plan.Warnings[0].Count != 32*30 {
			t.Errorf("%s: warnings %+v, %v", url, plan.Warnings, err)
		}
	}
}

// What refuses an export does so in a file that is not looked at before anything is sent, too, and
// the message says so.
func TestRefusedFileOfMany(t *testing.T) {
	t.Parallel()
	type row struct {
		Gaid string `parquet:"gaid"`
	}
	for name, bad := range map[string]func(*rand.Rand) string{
		"another version": randomVersion('7'),
		"with a label":    func(r *rand.Rand) string { return "gaid:" + randomAAID(r) },
	} {
		for _, format := range []string{"txt", "csv", "ndjson", "parquet"} {
			dir, zipDir := t.TempDir(), t.TempDir()
			var members []member
			for i := range 100 {
				ids := randomIDs(uint64(i), 20, randomAAID)
				if i == 1 { // isSampled leaves it out
					ids = randomIDs(1000, 20, bad)
				}
				data := ""
				switch format {
				case "txt":
					data = strings.Join(ids, "\n") + "\n"
				case "csv":
					data = "n,gaid\n" + rowsFrom(0, len(ids), func(i int) string { return fmt.Sprintf("%d,%s\n", i, ids[i]) })
				case "ndjson":
					data = rowsFrom(0, len(ids), func(i int) string { return fmt.Sprintf(`{"gaid":%q}`+"\n", ids[i]) })
				case "parquet":
					var rows []row
					for _, id := range ids {
						rows = append(rows, row{id})
					}
					data = parquetOf(t, rows, len(rows))
				}
				members = append(members, member{fmt.Sprintf("%03d.%s", i, format), data, zip.Deflate, 0})
				must(t, os.WriteFile(filepath.Join(dir, members[i].name), []byte(data), 0o600))
			}
			urls := []string{dir + "/"}
			if format != "parquet" {
				must(t, os.WriteFile(zipDir+"/all.zip", []byte(zipped(t, members...)), 0o600))
				urls = append(urls, zipDir+"/all.zip")
			}
			for _, url := range urls {
				o, src := opener(t, filepath.Dir(url), exports.Options{}), &usher.Source{URL: url}
				_, _, err := readType(t, o, src, usher.AAID, 0)
				if p := permanent(t, err); p.Class != usher.SourceBroken || !strings.Contains(p.Error(), "001."+format) || !strings.Contains(p.Hint, "earlier files may have been sent") {
					t.Errorf("%s, %s: %v: %s", name, url, err, p.Hint)
				}
			}
		}
	}
}
