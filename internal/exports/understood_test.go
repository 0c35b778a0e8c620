package exports_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
)

func TestUnderstood(t *testing.T) {
	t.Parallel()
	type row struct {
		OS string `parquet:"os"`
		ID string `parquet:"idfa"`
	}
	zip := zipped(t, member{"a.csv", "n;idfa\n1;" + id1 + "\n", 8, 0}, member{"b.csv", "n;idfa\n2;" + id2 + "\n", 8, 0})
	for _, c := range []struct {
		name, data string
		source     usher.Source
		want       string // without why
	}{
		{"list", id1 + "\n", usher.Source{}, `{"format":"text","encoding":"utf-8","compression":"none","delimiter":"","quote":"","escape":"","skip":0,"header":false,"column":{"name":"","number":1},"kind":"idfa","typeColumn":"","files":1,"beside":{"idColumns":1}}`},
		{"csv", "os,idfa\nios," + id1 + "\n", usher.Source{TypeColumn: "os"}, `{"format":"csv","encoding":"utf-8","compression":"none","delimiter":",","quote":"double","escape":"double","skip":0,"header":true,"column":{"name":"idfa","number":2},"kind":"idfa","typeColumn":"os","files":1,"beside":{"columns":["os"],"typeName":"os","typeValues":["ios"]}}`},
		{"csv without header", "1\t" + id1 + "\n2\t" + id2 + "\n", usher.Source{}, `{"format":"csv","encoding":"utf-8","compression":"none","delimiter":"\t","quote":"double","escape":"double","skip":0,"header":false,"column":{"name":"","number":2},"kind":"idfa","typeColumn":"","files":1,"beside":{"idColumns":1}}`},
		{"zip", zip, usher.Source{}, `{"format":"csv","encoding":"utf-8","compression":"zip","delimiter":";","quote":"double","escape":"double","skip":0,"header":true,"column":{"name":"idfa","number":2},"kind":"idfa","typeColumn":"","files":2,"beside":{"columns":["n"]}}`},
		{"ndjson", `{"device":{"idfa":"` + id1 + `"}}` + "\n", usher.Source{}, `{"format":"ndjson","encoding":"utf-8","compression":"none","delimiter":"","quote":"","escape":"","skip":0,"header":false,"column":{"name":"device.idfa","number":0},"kind":"idfa","typeColumn":"","files":1}`},
		{"parquet", parquetOf(t, []row{{"ios", id1}}, 9), usher.Source{TypeColumn: "auto"}, `{"format":"parquet","encoding":"utf-8","compression":"none","delimiter":"","quote":"","escape":"","skip":0,"header":false,"column":{"name":"idfa","number":2},"kind":"idfa","typeColumn":"","files":1,"beside":{"columns":["os"]}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o, src := export(t, c.data, exports.Options{})
			c.source.URL = src.URL
			checkUnderstood(t, o, &c.source, c.want)
		})
	}
}

// A name of the column of ids that has an id in it is refused: it would be shown and stored.
func TestNamesThatHoldIDs(t *testing.T) {
	t.Parallel()
	long := "idfa " + strings.Repeat("x", 23) + " "
	for name, c := range map[string]struct {
		data, column string
	}{
		"a first row declared a header": {"x," + id1 + "\ny," + id2 + "\n", id1},
		"a key":                         {`{"` + id1 + `":{"x":"` + id2 + `"}}` + "\n", ""},
		"a key beside a word":           {`{"idfa ` + id1 + `":"` + id2 + `"}` + "\n", ""},
		"a long header of a list":       {long + id1 + "\n" + id2 + "\n", ""},
		"a long header":                 {long + id1 + ",n\n" + id2 + ",1\n", ""},
		"statements":                    {"INSERT INTO users(idfa) VALUES('" + id1 + "');\nINSERT INTO users(idfa) VALUES('" + id2 + "');\n", ""},
	} {
		o, src := export(t, c.data, exports.Options{})
		src.Column = c.column
		plan, err := o.Plan(t.Context(), src, exports.Wanted{Type: usher.IDFA}, 0)
		if class(err) != usher.SourceBroken {
			t.Errorf("%s: planned as %+v, %v", name, plan, err)
			continue
		}
		if said := err.Error() + permanent(t, err).Hint; strings.Contains(said, id1[9:23]) || strings.Contains(said, id1[:12]) {
			t.Errorf("%s: %s", name, said)
		}
	}
}

func checkUnderstood(t *testing.T, o *exports.Opener, src *usher.Source, want string) {
	t.Helper()
	plan, err := o.Plan(t.Context(), src, exports.Wanted{Type: usher.IDFA}, 0)
	must(t, err)
	u := exports.Understood(src, &plan)
	if strings.Contains(u.Column.Why, id1) {
		t.Errorf("why shows an id: %s", u.Column.Why)
	}
	u.Column.Why = ""
	got, err := json.Marshal(u)
	must(t, err)
	if text := strings.Replace(string(got), `,"why":""`, "", 1); text != want {
		t.Errorf("understood\n%s, want\n%s", text, want)
	}
}

func TestUnderstoodFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"a.txt", "b.txt", "c.txt"} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(id1+"\n"), 0o600))
	}
	o := opener(t, dir, exports.Options{})
	src := &usher.Source{URL: dir + "/"}
	plan, err := o.Plan(t.Context(), src, exports.Wanted{}, 0)
	must(t, err)
	if u := exports.Understood(src, &plan); u.Files != 3 {
		t.Errorf("understood %d files, want 3", u.Files)
	}
}

func TestInlineIDsAreNotUnderstood(t *testing.T) {
	t.Parallel()
	src := &usher.Source{IDs: []string{id1}}
	plan, err := exports.New(nil, exports.Options{}).Plan(t.Context(), src, exports.Wanted{}, 0)
	must(t, err)
	if u := exports.Understood(src, &plan); u != nil {
		t.Errorf("inline ids are understood as %+v", u)
	}
}

func TestInline(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 70_000)
	src := &usher.Source{IDs: []string{id1, "", "  ", id2 + "\r\n", id3 + "\n" + id4, "a,b", id1 + "," + id2, long}}
	want := []string{id1, "", "", id2, id3 + " " + id4, "a,b", id1 + "," + id2, "?"}
	rows, plan, err := read(t, exports.New(nil, exports.Options{}), src, 1)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(rows, want) {
		t.Errorf("rows %q, want %q", rows, want)
	}
	if len(plan.Parts) != 1 || plan.Format != "text" {
		t.Errorf("plan %+v", plan)
	}
}

func TestInlineOverBlocks(t *testing.T) {
	t.Parallel()
	src := &usher.Source{IDs: slices.Repeat([]string{id1, "", id3}, 3333)}
	o := exports.New(nil, small)
	rows, plan, err := read(t, o, src, 0)
	if err != nil || !slices.Equal(rows, src.IDs) {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	other := &usher.Source{IDs: src.IDs[1:]}
	if _, err := o.Open(t.Context(), other, plan, plan.Parts[0]); class(err) != usher.SourceBroken {
		t.Errorf("other ids than planned: %v", err)
	}
}

func TestSample(t *testing.T) {
	t.Parallel()
	for data, want := range map[string][]string{
		"":                                nil,
		"idfa\n":                          nil,
		"n;idfa\n1;" + id1 + "\n2;":       {id1, ""},
		strings.Repeat(id1+"\n", 100_000): slices.Repeat([]string{id1}, 7000),
	} {
		o, src := export(t, data, exports.Options{})
		plan, err := o.Plan(t.Context(), src, exports.Wanted{}, 0)
		must(t, err)
		b, err := o.FirstBlock(t.Context(), src, plan)
		must(t, err)
		rows := rowsOf(b)
		b.Release()
		if n := len(want); len(rows) < n || n == 0 && len(rows) > 0 || !slices.Equal(rows[:n], want) {
			t.Errorf("%.20q: %d rows, want %d", data, len(rows), n)
		}
	}
}

func TestSurvey(t *testing.T) {
	t.Parallel()
	type typed struct {
		OS string `parquet:"os,dict"`
		ID string `parquet:"device_id"`
		X  string `parquet:"x"`
	}
	csv := "os,name,device_id,kind\nios,x," + id1 + ",a\nandroid,y," + id3 + "|" + id4 + ",b\n,z,,c\niPhone OS,," + id2 + ",ios\n"
	for _, c := range []struct {
		name, data, column  string
		files, cells, lists int
	}{
		{"csv", csv, "os", 0, 3, 1},
		{"csv in zip", zipped(t, member{"a.csv", csv, 8, 0}, member{"b.csv", "", 8, 0}), "os", 2, 3, 1},
		{"csv without header", strings.TrimPrefix(csv, "os,name,device_id,kind\n"), "1", 0, 3, 1},
		{"ndjson", `{"d":{"os":"ios"},"idfa":"` + id1 + `"}` + "\n" + `{"d":{"os":"android"},"idfa":["` + id3 + `"]}` + "\n" + `{"d":{"os":"ios"},"idfa":"` + id1 + "," + id2 + `"}`, "d.os", 0, 3, 1},
		{"parquet", parquetOf(t, []typed{{"ios", id1, "x"}, {"android", id3 + ";" + id4, "y"}, {"", "", "z"}, {"ios", id2, ""}}, 9), "os", 0, 3, 1},
	} {
		o, src := export(t, c.data, exports.Options{})
		plan, err := o.Plan(t.Context(), src, exports.Wanted{}, 0)
		must(t, err)
		s, err := o.Survey(t.Context(), src, plan)
		must(t, err)
		if len(s.Types) != 1 || s.Types[0].Column != c.column || s.Types[0].Rows[usher.RowIOS] != 2 || s.Types[0].Rows[usher.RowAndroid] != 1 ||
			s.Bytes || plan.Files != c.files || s.Cells != c.cells || s.Lists != c.lists {
			t.Errorf("%s: %+v", c.name, s)
		}
		src.TypeColumn = s.Types[0].Column
		if _, err := o.Plan(t.Context(), src, exports.Wanted{}, 0); err != nil {
			t.Errorf("%s: what was found cannot be used: %v", c.name, err)
		}
	}
	type binary struct {
		ID [16]byte `parquet:"device_id,uuid"`
	}
	o, src := export(t, parquetOf(t, []binary{{[16]byte{1, 2, 3}}}, 9), exports.Options{})
	binaryPlan, err := o.Plan(t.Context(), src, exports.Wanted{}, 0)
	must(t, err)
	if s, err := o.Survey(t.Context(), src, binaryPlan); err != nil || !s.Bytes {
		t.Errorf("UUIDs of bytes: %+v, %v", s, err)
	}
	o, src = export(t, id1+"\n", exports.Options{})
	plan, err := o.Plan(t.Context(), src, exports.Wanted{}, 0)
	must(t, err)
	if s, err := o.Survey(t.Context(), src, plan); err != nil || s.Types != nil {
		t.Errorf("a list: %+v, %v", s, err)
	}
}
