package exports_test

import (
	"archive/zip"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
)

// TestEvidenceOfFiles checks that the warnings of a folder or an archive are about the files
// that they name.
func TestEvidenceOfFiles(t *testing.T) {
	t.Parallel()
	type phone struct {
		N  string `parquet:"n"`
		ID string `parquet:"device_id"`
	}
	lines := func(n int, row func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(row(i))
		}
		return b.String()
	}
	list := func(id func(int) string) string {
		return lines(20, func(i int) string { return id(i) + "\n" })
	}
	headless := func(id func(int) string) string {
		return lines(20, func(i int) string { return "Ann," + id(i) + "\n" })
	}
	headed := func(id func(int) string) string { return "n,device_id\n" + headless(id) }
	records := func(id func(int) string) string {
		return lines(20, func(i int) string { return fmt.Sprintf(`{"n":1,"device_id":%q}`, id(i)) + "\n" })
	}
	table := func(id func(int) string) string {
		var phones []phone
		for i := range 20 {
			phones = append(phones, phone{"Ann", id(i)})
		}
		return parquetOf(t, phones, 30)
	}
	book := func(id func(int) string) string {
		rows := [][]string{{"n", "device_id"}}
		for i := range 20 {
			rows = append(rows, []string{"1", id(i)})
		}
		return workbookOf(t, rows)
	}
	const lower = "sampled ids are in lower case, as aaid usually is and idfa is not: set the profile to aaid if they are"
	folder := func(files ...string) exportOfFiles { return exportOfFiles{files: files} }
	packed := func(files ...string) exportOfFiles { return exportOfFiles{files: files, zip: true} }
	for _, c := range []struct {
		name string
		exportOfFiles
		want []string
	}{
		{"no header, the second", folder(headless(uuid), headless(lowerUUID)), []string{"b: 20 of 20 " + lower}},
		{"no header, the first", folder(headless(lowerUUID), headless(uuid)), []string{"a: 20 of 20 " + lower}},
		{"header", folder(headed(uuid), headed(lowerUUID)), []string{"b: 20 of 20 " + lower}},
		{"lists", folder(list(uuid), list(lowerUUID)), []string{"b: 20 of 20 " + lower}},
		{"ndjson", folder(records(uuid), records(lowerUUID)), []string{"b: 20 of 20 " + lower}},
		{"parquet", folder(table(uuid), table(lowerUUID)), []string{"b: 20 of 20 " + lower}},
		{"xlsx", folder(book(uuid), book(lowerUUID)), []string{"b: 20 of 20 " + lower}},
		{"gzip", folder(gzipped(t, list(uuid)), gzipped(t, list(lowerUUID))), []string{"b: 20 of 20 " + lower}},
		{"all", folder(list(lowerUUID), list(lowerUUID), list(lowerUUID), list(lowerUUID), list(lowerUUID)), []string{"a, b, c and 2 more: 100 of 100 " + lower}},
		{"none", folder(list(uuid), list(uuid)), nil},
		{"digests", folder(headless(lowerUUID), headless(md5Of)), []string{"a: 20 of 20 " + lower, "b: 20 of 20 sampled values look like MD5 digests: set input to md5 if they are"}},
		{"types", folder(headed(uuid), "n,os,device_id\n"+lines(20, func(i int) string { return "Ann,android," + uuid(i) + "\n" })), []string{
			"b: 20 of 20 sampled rows are of another type than idfa in column 2 (os): set source.typeColumn to os",
		}},
		{"zip", packed(headless(uuid), headless(lowerUUID)), []string{"file 2 of its archive (b): 20 of 20 " + lower}},
		{"zip, the first", packed(headless(lowerUUID), headless(uuid)), []string{"file 1 of its archive (a): 20 of 20 " + lower}},
		{"zip of one file", packed(headless(lowerUUID)), []string{"20 of 20 " + lower}},
		{"zips", folder(
			zipped(t, member{"x", list(uuid), zip.Deflate, 0}, member{"y", list(lowerUUID), zip.Deflate, 0}),
			zipped(t, member{"z", list(lowerUUID), zip.Deflate, 0}),
		), []string{"a, file 2 of its archive (y), b: 40 of 40 " + lower}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o, src := c.open(t)
			plan, err := o.Plan(t.Context(), src, exports.Wanted{Type: usher.IDFA}, 0)
			must(t, err)
			var got []string
			for _, w := range plan.Warnings {
				got = append(got, w.Description)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("warns\n%q, want\n%q", got, c.want)
			}
		})
	}
}

// exportOfFiles is a folder, or an archive, of files whose names are a, b and so on.
type exportOfFiles struct {
	files []string
	zip   bool
}

func (e exportOfFiles) open(t *testing.T) (*exports.Opener, *usher.Source) {
	t.Helper()
	dir := t.TempDir()
	var members []member
	for i, data := range e.files {
		name := string(rune('a' + i))
		if e.zip {
			members = append(members, member{name, data, zip.Deflate, 0})
		} else {
			must(t, os.WriteFile(dir+"/"+name, []byte(data), 0o600))
		}
	}
	if e.zip {
		return export(t, zipped(t, members...), exports.Options{})
	}
	return opener(t, dir, exports.Options{}), &usher.Source{URL: dir + "/"}
}
