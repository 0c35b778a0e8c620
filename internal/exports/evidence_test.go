package exports_test

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
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
	const lower = "sampled ids are in lower case, as aaid usually is and idfa is not: set the profile to aaid if they are, for a segment of type ANDROID_ID"
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
			"b: 20 of 20 sampled rows with an id are of another type than idfa in column 2 (os): set source.typeColumn to os",
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
			plan, err := o.Plan(t.Context(), src, exports.Wanted{Type: usher.IDFA, Removes: true}, 0)
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

// warningsOf reads an export and returns the warnings of its plan, and those of its readers.
func warningsOf(t *testing.T, o *exports.Opener, src *usher.Source, wanted usher.IDType, partBytes int64) (planned, read []usher.Warning) {
	t.Helper()
	plan, err := o.Plan(t.Context(), src, exports.Wanted{Type: wanted, Removes: true}, partBytes)
	must(t, err)
	for _, part := range plan.Parts {
		r, err := o.Open(t.Context(), src, plan, part)
		must(t, err)
		for {
			b, err := r.Next(t.Context())
			if errors.Is(err, io.EOF) {
				break
			}
			must(t, err)
			b.Release()
		}
		read = usher.AddWarnings(read, r.Warnings()...)
		must(t, r.Close())
	}
	return plan.Warnings, read
}

// Ids in the letter case of another type are found wherever they stand, also between the places
// that are sampled.
func TestLetterCaseBeyondSamples(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	type phone struct {
		ID string `parquet:"device_id"`
	}
	const from, n = 4000, 3500 // behind the head and before the first window
	ids := func(total, other int, usual, unusual func(int) string) []string {
		list := make([]string, total)
		for i := range list {
			list[i] = usual(i)
			if i >= from && i < from+other {
				list[i] = unusual(i)
			}
		}
		return list
	}
	text := func(ids []string, row string) string {
		var b strings.Builder
		for _, id := range ids {
			fmt.Fprintf(&b, row+"\n", id)
		}
		return b.String()
	}
	mixed, pure := ids(60_000, n, uuid, lowerUUID), ids(60_000, 0, uuid, nil)
	var phones []phone
	for _, id := range mixed {
		phones = append(phones, phone{id})
	}
	words := ids(60_000, 0, func(i int) string { return []string{"null", uuid(i)}[i%2] }, nil)
	const lower = "ids beyond the sampled ones are in lower case, as aaid usually is and idfa is not: if they are, "
	for name, c := range map[string]struct {
		data  string
		types string
		idAs  usher.IDType
		count int64 // 0: no warning
	}{
		"list":                    {text(mixed, "%s"), "", usher.IDFA, n},
		"list, CR LF":             {text(mixed, "%s\r"), "", usher.IDFA, n},
		"csv":                     {"idfa\tn\n" + text(mixed, "%s\t1"), "", usher.IDFA, n},
		"ndjson":                  {text(mixed, `{"idfa":%q}`), "", usher.IDFA, n},
		"gzip":                    {gzipped(t, text(mixed, "%s")), "", usher.IDFA, n},
		"parquet":                 {parquetOf(t, phones, 30_000), "", usher.IDFA, n},
		"aaid":                    {text(ids(60_000, n, lowerUUID, uuid), "%s"), "", usher.AAID, n},
		"one case":                {text(pure, "%s"), "", usher.IDFA, 0},
		"too few":                 {text(ids(60_000, 200, uuid, lowerUUID), "%s"), "", usher.IDFA, 0},
		"words":                   {"n,idfa\n" + text(words, "1,%s"), "", usher.IDFA, 0},
		"rows have their types":   {"os,device_id\n" + text(mixed, "ios,%s"), "os", usher.IDFA, 0},
		"android ids have a case": {text(ids(60_000, n, androidID, func(i int) string { return strings.ToUpper(androidID(i)) }), "%s"), "", usher.AndroidID, 0},
	} {
		for _, part := range []int64{0, 1 << 20} {
			o, src := export(t, c.data, exports.Options{})
			src.TypeColumn = c.types
			planned, read := warningsOf(t, o, src, c.idAs, part)
			switch {
			case len(planned) > 0:
				t.Errorf("%s: the plan warns: %+v", name, planned)
			case c.count == 0 && len(read) > 0:
				t.Errorf("%s, parts of %d: %+v", name, part, read)
			case c.count > 0 && (len(read) != 1 || read[0].Code != "letter_case" || read[0].Count != c.count || c.idAs == usher.IDFA && !strings.HasPrefix(read[0].Description, lower)):
				t.Errorf("%s, parts of %d: %+v, want %d", name, part, read, c.count)
			}
		}
	}
}

// The same in files of a folder, of which the first rows are sampled, and in those of an archive.
func TestLetterCaseInFolder(t *testing.T) {
	t.Parallel()
	rows := func(from int, id func(int) string) string {
		return rowsFrom(from, 3000, func(i int) string { return id(i) + "\n" })
	}
	dir := t.TempDir()
	files := []string{rows(0, uuid), rows(5000, uuid) + rows(9000, lowerUUID)}
	var members []member
	for i, data := range files {
		name := fmt.Sprintf("%d.txt", i)
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600))
		members = append(members, member{name, data, 8, 0})
	}
	folder, archive := opener(t, dir, exports.Options{}), zipped(t, members...)
	planned, read := warningsOf(t, folder, &usher.Source{URL: dir + "/"}, usher.IDFA, 0)
	if len(planned) > 0 || len(read) != 1 || read[0].Count != 3000 {
		t.Errorf("folder: planned %+v, read %+v", planned, read)
	}
	o, src := export(t, archive, exports.Options{})
	planned, read = warningsOf(t, o, src, usher.IDFA, 0)
	if len(planned) > 0 || len(read) != 1 || read[0].Count != 3000 {
		t.Errorf("zip: planned %+v, read %+v", planned, read)
	}
}

// If the samples have ids in the letter case of another type, the warning counts those of all rows.
func TestLetterCaseOfAllRows(t *testing.T) {
	t.Parallel()
	id := func(i int) string { return []string{uuid(i), lowerUUID(i)}[i%2] }
	list := rowsFrom(0, 20_000, func(i int) string { return id(i) + "\n" })
	all := rowsFrom(0, 20_000, func(i int) string { return lowerUUID(i) + "\n" })
	compact := rowsFrom(0, 20_000, func(i int) string { return `"` + strings.ReplaceAll(lowerUUID(i), "-", "") + "\"\n" })
	const mixed, set = "ids are in lower case, as aaid usually is and idfa is not: if they are, write", "ids are in lower case, as aaid usually is and idfa is not: set the profile to aaid if they are, for a segment of type ANDROID_ID"
	for name, c := range map[string]struct {
		data, text string
		count      int64
	}{
		"list":           {list, mixed, 10_000},
		"csv":            {"idfa,n\n" + strings.ReplaceAll(list, "\n", ",1\n"), mixed, 10_000},
		"gzip":           {gzipped(t, list), mixed, 10_000},
		"all":            {all, set, 20_000},
		"without hyphen": {compact, set, 20_000},
		"zip":            {zipped(t, member{"a.txt", list, 8, 0}, member{"b.txt", list, 8, 0}), "file 1 of its archive (a.txt), file 2 of its archive (b.txt): " + mixed, 20_000},
	} {
		for _, part := range []int64{0, 100_000} {
			o, src := export(t, c.data, exports.Options{})
			planned, read := warningsOf(t, o, src, usher.IDFA, part)
			shown := usher.AddWarnings(planned, read...)
			if len(shown) != 1 || shown[0].Code != "letter_case" || shown[0].Count != c.count || !strings.HasPrefix(shown[0].Description, c.text) {
				t.Errorf("%s, parts of %d: %+v, want %d %q", name, part, shown, c.count, c.text)
			}
		}
	}
}

// androidID returns an ANDROID_ID that looks random.
func androidID(i int) string { return fmt.Sprintf("%016x", uint64(i+1)*0x9E3779B97F4A7C15) }
