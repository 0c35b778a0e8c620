package exports_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/twmb/avro"
	"github.com/twmb/avro/ocf"

	"usher"
	"usher/internal/exports"
)

// phone is a row with a type that the job does not name.
type phone struct {
	OS string `parquet:"os"`
	ID string `parquet:"device_id"`
}

// phonesWith returns phones of one type, and at some rows of another.
func phonesWith(n int, other string, at ...int) []phone {
	list := make([]phone, n)
	for i := range list {
		list[i] = phone{"ios", uuid(i)}
	}
	for _, i := range at {
		list[i].OS = other
	}
	return list
}

// textOf writes phones by a format.
func textOf(phones []phone, header, row string) string {
	var b strings.Builder
	b.WriteString(header)
	for _, p := range phones {
		fmt.Fprintf(&b, row, p.OS, p.ID)
	}
	return b.String()
}

// avroOf writes phones as Avro.
func avroOf(t *testing.T, phones []phone) string {
	t.Helper()
	return avroTable(t, cellsOf(phones))
}

// avroTable writes rows below a header as Avro.
func avroTable(t *testing.T, cells [][]string) string {
	t.Helper()
	var fields []string
	for _, name := range cells[0] {
		fields = append(fields, fmt.Sprintf(`{"name":%q,"type":"string"}`, name))
	}
	schema, err := avro.Parse(`{"type":"record","name":"r","fields":[` + strings.Join(fields, ",") + `]}`)
	must(t, err)
	var out bytes.Buffer
	w, err := ocf.NewWriter(&out, schema)
	must(t, err)
	for _, row := range cells[1:] {
		record := map[string]any{}
		for i, name := range cells[0] {
			record[name] = row[i]
		}
		must(t, w.Encode(record))
	}
	must(t, w.Close())
	return out.String()
}

// sheetOf writes phones as a workbook.
func sheetOf(t *testing.T, phones []phone) string {
	t.Helper()
	return workbookOf(t, cellsOf(phones))
}

// cellsOf returns phones as rows below a header.
func cellsOf(phones []phone) [][]string {
	cells := [][]string{{"os", "device_id"}}
	for _, p := range phones {
		cells = append(cells, []string{p.OS, p.ID})
	}
	return cells
}

const (
	far       = 3000 // a row behind the head and before the first window
	csvHeader = "os,device_id\n"
	csvRow    = "%s,%s\n"
	jsonRow   = `{"os":%q,"device_id":%q}` + "\n"
	otherType = "rows with an id are of another type than idfa in column "
)

// The first rows of a folder are read to plan it. They are compared with the type that the job wants, and a
// job that takes ids out does not refuse those that say no.
func TestFirstRowsOfFolder(t *testing.T) {
	t.Parallel()
	const table = "os,idfa,gaid,consent\nios,%s,,yes\nandroid,,%s,no\n"
	for name, c := range map[string]struct {
		data   string
		wanted exports.Wanted
	}{
		"idfa":    {fmt.Sprintf(table, uuid(1), lowerUUID(2)), exports.Wanted{Type: usher.IDFA}},
		"ndjson":  {fmt.Sprintf(`{"os":"ios","idfa":%q}`+"\n"+`{"os":"android","gaid":%q}`+"\n", uuid(1), lowerUUID(2)), exports.Wanted{Type: usher.IDFA}},
		"removal": {fmt.Sprintf(table, uuid(1), lowerUUID(2)), exports.Wanted{Type: usher.AAID, Removes: true}},
	} {
		dir := t.TempDir()
		must(t, os.WriteFile(filepath.Join(dir, "a"), []byte(c.data), 0o600))
		o := opener(t, dir, exports.Options{})
		for _, url := range []string{dir + "/a", dir + "/"} {
			plan, err := o.Plan(t.Context(), &usher.Source{URL: url}, c.wanted, 0)
			if err != nil || plan.Type != c.wanted.Type || plan.Removes != c.wanted.Removes {
				t.Errorf("%s, %s: %v, for type %s, %t", name, url, err, plan.Type, plan.Removes)
			}
		}
	}
}

// Rows that by a column of types are of another type than the wanted one are found wherever they
// stand, also between the places that are sampled. They are read as if there were no such column.
func TestTypesBeyondSamples(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	one := phonesWith(20_000, "android", far)
	document := func(phones []phone) string {
		return "[" + strings.ReplaceAll(strings.TrimSpace(textOf(phones, "", jsonRow)), "\n", ",\n") + "]"
	}
	without := phonesWith(20_000, "android", far, far+1, far+2, far+3)
	without[far+1].ID, without[far+2].ID = "", "null"
	late := phonesWith(20_000, "android", 13_000)
	for i := range late {
		if i != 13_000 {
			late[i].OS = ""
		}
	}
	lists := phonesWith(20_000, "android", far)
	lists[far].ID += ";" + uuid(1<<20)
	for name, c := range map[string]struct {
		data   string
		column string // "": no warning
		count  int64
		src    usher.Source
	}{
		"csv":              {textOf(one, csvHeader, csvRow), "1 (os): set source.typeColumn to os", 1, usher.Source{}},
		"csv, quoted":      {textOf(one, csvHeader, `"%s","%s"`+"\n"), "1 (os): set source.typeColumn to os", 1, usher.Source{}},
		"csv, typed below": {textOf(late, csvHeader, csvRow), "1 (os): set source.typeColumn to os", 1, usher.Source{}},
		"csv, several ids": {textOf(lists, csvHeader, csvRow), "1 (os): set source.typeColumn to os", 2, usher.Source{}},
		"csv, no ids":      {textOf(without, csvHeader, csvRow), "1 (os): set source.typeColumn to os", 2, usher.Source{}},
		"csv, named":       {textOf(one, csvHeader, csvRow), "", 0, usher.Source{TypeColumn: "os"}},
		"csv, other words": {textOf(phonesWith(20_000, "desktop", far), csvHeader, csvRow), "", 0, usher.Source{}},
		"csv, companies":   {strings.NewReplacer("ios", "apple", "android", "google").Replace(textOf(one, "n,device_id\n", csvRow)), "", 0, usher.Source{}},
		"csv, web and ios": {strings.Replace(textOf(one, "n,device_id\n", csvRow), "ios", "web", 9), "1 (n): set source.typeColumn to n", 1, usher.Source{}},
		"csv, half is web": {webOf(textOf(one, csvHeader, csvRow)), "1 (os): set source.typeColumn to os", 1, usher.Source{}},
		"csv, no header":   {textOf(one, "", csvRow), `1: set source.typeColumn to "1"`, 1, usher.Source{}},
		"tabs":             {textOf(one, "os\tdevice_id\n", "%s\t%s\n"), "1 (os): set source.typeColumn to os", 1, usher.Source{}},
		"gzip":             {gzipped(t, textOf(one, csvHeader, csvRow)), "1 (os): set source.typeColumn to os", 1, usher.Source{}},
		"ndjson":           {textOf(one, "", jsonRow), "os: set source.typeColumn to os", 1, usher.Source{}},
		"ndjson, nested":   {textOf(one, "", `{"phone":{"platform":%q,"idfa":%q}}`+"\n"), "phone.platform: set source.typeColumn to phone.platform", 1, usher.Source{}},
		"json":             {document(one), "os: set source.typeColumn to os", 1, usher.Source{}},
		"parquet":          {parquetOf(t, one, 10_000), "1 (os): set source.typeColumn to os", 1, usher.Source{}},
		"avro":             {avroOf(t, one), "os: set source.typeColumn to os", 1, usher.Source{}},
		"xlsx":             {sheetOf(t, one), "1 (os): set source.typeColumn to os", 1, usher.Source{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, part := range []int64{0, 1 << 18} {
				o, src := export(t, c.data, exports.Options{})
				c.src.URL = src.URL
				planned, warned := warningsOf(t, o, &c.src, usher.IDFA, part)
				if len(planned) > 0 {
					t.Errorf("the plan warns: %+v", planned)
				}
				wantOtherTypes(t, warned, c.column, c.count)
				if c.column != "" {
					wantSameRows(t, o, &c.src, part)
				}
			}
		})
	}
}

func wantOtherTypes(t *testing.T, warned []usher.Warning, column string, count int64) {
	t.Helper()
	if column == "" && len(warned) == 0 {
		return
	}
	if column == "" || !slices.Equal(warned, []usher.Warning{{Code: "type_column", Count: count, Description: otherType + column}}) {
		t.Errorf("warns %+v, want %d, %s", warned, count, column)
	}
}

// wantSameRows checks that a plan that survives JSON reads the same rows as one without a check.
func wantSameRows(t *testing.T, o *exports.Opener, src *usher.Source, partBytes int64) {
	t.Helper()
	plan, err := o.Plan(t.Context(), src, exports.Wanted{Type: usher.IDFA, Removes: true}, partBytes)
	must(t, err)
	stored, err := json.Marshal(plan)
	must(t, err)
	var checked usher.Plan
	must(t, json.Unmarshal(stored, &checked))
	unchecked := plan
	unchecked.Checks, unchecked.Type = nil, ""
	for _, part := range plan.Parts {
		with, err := readPart(t, o, src, checked, part)
		must(t, err)
		without, err := readPart(t, o, src, unchecked, part)
		must(t, err)
		if !slices.Equal(with, without) {
			t.Errorf("%d rows with a check, %d without", len(with), len(without))
		}
	}
}

// The same in a folder and in an archive, whose files have the column at other places, under
// other names, or not at all.
func TestTypesOfFilesBeyondSamples(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	pure, one := phonesWith(9000, ""), phonesWith(9000, "android", far)
	reversed := func(phones []phone, header, row string) string {
		list := slices.Clone(phones)
		for i := range list {
			list[i] = phone{list[i].ID, list[i].OS}
		}
		return textOf(list, header, row)
	}
	type other struct {
		ID       string `parquet:"device_id"`
		Platform string `parquet:"platform"`
	}
	var others []other
	for _, p := range one {
		others = append(others, other{p.ID, p.OS})
	}
	none := textOf(pure, "n,device_id\n", "1%s,%s\n")
	first, moved := "1 (os): set source.typeColumn to os", "2 (platform): set source.typeColumn to platform"
	for name, c := range map[string]struct {
		files []string
		want  []string
		zip   bool
	}{
		"csv":            {[]string{textOf(pure, csvHeader, csvRow), none, reversed(one, "device_id,platform\n", csvRow)}, []string{moved}, true},
		"csv, all":       {[]string{textOf(pure, csvHeader, csvRow), textOf(one, csvHeader, csvRow), textOf(one, csvHeader, csvRow), reversed(one, "device_id,platform\n", csvRow)}, []string{first, first, moved}, true},
		"csv, not first": {[]string{none, textOf(one, csvHeader, csvRow)}, []string{first}, true},
		"ndjson":         {[]string{textOf(pure, "", jsonRow), textOf(pure, "", `{"n":%q,"device_id":%q}`+"\n"), textOf(one, "", `{"platform":%q,"device_id":%q}`+"\n")}, []string{"platform: set source.typeColumn to platform"}, true},
		"parquet":        {[]string{parquetOf(t, pure, 9000), parquetOf(t, one, 9000), parquetOf(t, others, 9000)}, []string{first, moved}, false},
		"avro":           {[]string{avroOf(t, pure), avroOf(t, one)}, []string{"os: set source.typeColumn to os"}, false},
		"xlsx":           {[]string{sheetOf(t, pure), sheetOf(t, one)}, []string{first}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var want []usher.Warning
			for _, column := range c.want {
				want = usher.AddWarnings(want, usher.Warning{Code: "type_column", Description: otherType + column})
			}
			for _, part := range []int64{0, 1 << 17} {
				o, src := exportOfFiles{files: c.files}.open(t)
				if planned, warned := warningsOf(t, o, src, usher.IDFA, part); len(planned) > 0 || !slices.Equal(warned, want) {
					t.Errorf("folder: plan %+v, read %+v", planned, warned)
				}
			}
			if !c.zip {
				return
			}
			o, src := exportOfFiles{files: c.files, zip: true}.open(t)
			if planned, warned := warningsOf(t, o, src, usher.IDFA, 0); len(planned) > 0 || !slices.Equal(warned, want) {
				t.Errorf("zip: plan %+v, read %+v", planned, warned)
			}
		})
	}
}

// webOf replaces the system of every other row.
func webOf(text string) string {
	n := 0
	return regexp.MustCompile("(?m)^ios").ReplaceAllStringFunc(text, func(ios string) string {
		if n++; n%2 == 0 {
			return "web"
		}
		return ios
	})
}

// If the samples show the contradiction already, the readers count all rows nevertheless, and their
// warning replaces that of the plan.
func TestTypesInSamples(t *testing.T) {
	t.Parallel()
	text := textOf(phonesWith(20_000, "android", 5, far), csvHeader, csvRow)
	const column = "1 (os): set source.typeColumn to os"
	o, src := export(t, text, exports.Options{})
	for _, part := range []int64{0, 1 << 17} {
		planned, warned := warningsOf(t, o, src, usher.IDFA, part)
		if len(planned) != 1 || planned[0].Code != "type_column" || planned[0].Count != 1 {
			t.Errorf("the plan warns: %+v", planned)
		}
		wantOtherTypes(t, usher.AddWarnings(planned, warned...), column, 2)
	}
	o, src = exportOfFiles{files: []string{textOf(phonesWith(50, ""), csvHeader, csvRow), text, text}}.open(t)
	for _, part := range []int64{0, 1 << 17} {
		planned, warned := warningsOf(t, o, src, usher.IDFA, part)
		want := []usher.Warning{{Code: "type_column", Count: 4, Description: "b, c: " + otherType + column}}
		if got := usher.AddWarnings(planned, warned...); len(planned) != 1 || !slices.Equal(got, want) {
			t.Errorf("warns %+v in the plan, %+v in all", planned, got)
		}
	}
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "a"), []byte(strings.Repeat(id1+"\n", 10)), 0o600))
	if planned, warned := warningsOf(t, opener(t, dir, exports.Options{}), &usher.Source{URL: dir + "/"}, usher.IDFA, 0); len(planned)+len(warned) > 0 {
		t.Errorf("a list: plan %+v, read %+v", planned, warned)
	}
}

// typedPhone is a row with three columns of types. The name of the last one does not say so.
type typedPhone struct {
	OS       string `parquet:"os"`
	Platform string `parquet:"platform"`
	App      string `parquet:"app"`
	ID       string `parquet:"device_id"`
}

// Of several columns of types, each is read on every row, also one that has fewer types in the
// samples than another, and one that is known by its values only.
func TestSeveralTypeColumns(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	const n = 10_000
	phones := make([]typedPhone, n)
	for i := range phones {
		phones[i] = typedPhone{"ios", "iOS 17", "iPhone", uuid(i)}
		if i%2 == 0 {
			phones[i].Platform = ""
		}
	}
	phones[far].Platform, phones[far+1].App, phones[far+2].App = "Android", "gaid", "Android 14"
	phones[far+3].OS, phones[far+3].ID = "android", ""
	text := func(header, row string) string {
		var b strings.Builder
		b.WriteString(header)
		for _, p := range phones {
			fmt.Fprintf(&b, row, p.OS, p.Platform, p.App, p.ID)
		}
		return b.String()
	}
	cells := [][]string{{"os", "platform", "app", "device_id"}}
	for _, p := range phones {
		cells = append(cells, []string{p.OS, p.Platform, p.App, p.ID})
	}
	const row = "%s,%s,%s,%s\n"
	named := []string{"2 (platform): set source.typeColumn to platform", "3 (app): set source.typeColumn to app"}
	unnumbered := []string{"platform: set source.typeColumn to platform", "app: set source.typeColumn to app"}
	for name, c := range map[string]struct {
		data string
		want []string
	}{
		"csv":       {text("os,platform,app,device_id\n", row), named},
		"quoted":    {text("os,platform,app,device_id\n", `"%s","%s","%s","%s"`+"\n"), named},
		"escaped":   {text("os,platform,app,note,device_id\n", `%s,%s,%s,"a \"quote\", or two",%s`+"\n"), named},
		"no header": {text("", row), []string{`2: set source.typeColumn to "2"`, `3: set source.typeColumn to "3"`}},
		"ndjson":    {text("", `{"os":%q,"platform":%q,"app":%q,"device_id":%q}`+"\n"), unnumbered},
		"parquet":   {parquetOf(t, phones, n/2), named},
		"avro":      {avroTable(t, cells), unnumbered},
		"xlsx":      {workbookOf(t, cells), named},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var want []usher.Warning
			for i, column := range c.want {
				want = append(want, usher.Warning{Code: "type_column", Count: int64(i) + 1, Description: otherType + column})
			}
			for _, part := range []int64{0, 1 << 18} {
				o, src := export(t, c.data, exports.Options{})
				planned, warned := warningsOf(t, o, src, usher.IDFA, part)
				if all := usher.AddWarnings(planned, warned...); !slices.Equal(byDescription(all), byDescription(want)) {
					t.Errorf("the plan warns %+v, the readers %+v", planned, warned)
				}
				wantSameRows(t, o, src, part)
			}
		})
	}
}

func byDescription(list []usher.Warning) []usher.Warning {
	return slices.SortedFunc(slices.Values(list), func(a, b usher.Warning) int { return strings.Compare(a.Description, b.Description) })
}

// In an array each id has the type beside it.
func TestTypesOfElementsBeyondSamples(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 4000 {
		second := "ios"
		if i == far {
			second = "android"
		}
		fmt.Fprintf(&b, `{"ids":[{"kind":"ios","device_id":%q},{"kind":%q,"device_id":"%s;%s"}],"note":"something that takes room in the head"}`+"\n", uuid(3*i), second, uuid(3*i+1), uuid(3*i+2))
	}
	o, src := export(t, b.String(), exports.Options{})
	planned, warned := warningsOf(t, o, src, usher.IDFA, 0)
	wantOtherTypes(t, usher.AddWarnings(planned, warned...), "ids.kind: set source.typeColumn to ids.kind", 2)
}

// An export may have more columns of types than are checked.
func TestManyTypeColumns(t *testing.T) {
	t.Parallel()
	header := "device_id,os,platform,system,type,idtype,ostype,deviceos,mobileos,clientos,osname\n"
	text := header + strings.Repeat(id1+strings.Repeat(",ios", 10)+"\n", 100) + id1 + strings.Repeat(",android", 10) + "\n"
	o, src := export(t, text, exports.Options{})
	planned, warned := warningsOf(t, o, src, usher.IDFA, 0)
	all := usher.AddWarnings(planned, warned...)
	if len(all) != 10 || slices.ContainsFunc(all, func(w usher.Warning) bool { return w.Count != 1 }) {
		t.Errorf("warns %+v", all)
	}
}
