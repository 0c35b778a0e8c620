package exports_test

import (
	"encoding/json"
	"os"
	"path/filepath"
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
		{"list", id1 + "\n", usher.Source{}, `{"format":"text","encoding":"utf-8","compression":"none","delimiter":"","quote":"","escape":"","skip":0,"header":false,"column":{"name":"","number":1},"typeColumn":"","files":1}`},
		{"csv", "os,idfa\nios," + id1 + "\n", usher.Source{TypeColumn: "os"}, `{"format":"csv","encoding":"utf-8","compression":"none","delimiter":",","quote":"double","escape":"double","skip":0,"header":true,"column":{"name":"idfa","number":2},"typeColumn":"os","files":1}`},
		{"csv without header", "1\t" + id1 + "\n2\t" + id2 + "\n", usher.Source{}, `{"format":"csv","encoding":"utf-8","compression":"none","delimiter":"\t","quote":"double","escape":"double","skip":0,"header":false,"column":{"name":"","number":2},"typeColumn":"","files":1}`},
		{"zip", zip, usher.Source{}, `{"format":"csv","encoding":"utf-8","compression":"zip","delimiter":";","quote":"double","escape":"double","skip":0,"header":true,"column":{"name":"idfa","number":2},"typeColumn":"","files":2}`},
		{"ndjson", `{"device":{"idfa":"` + id1 + `"}}` + "\n", usher.Source{}, `{"format":"ndjson","encoding":"utf-8","compression":"none","delimiter":"","quote":"","escape":"","skip":0,"header":false,"column":{"name":"device.idfa","number":0},"typeColumn":"","files":1}`},
		{"parquet", parquetOf(t, []row{{"ios", id1}}, 9), usher.Source{TypeColumn: "auto"}, `{"format":"parquet","encoding":"utf-8","compression":"none","delimiter":"","quote":"","escape":"","skip":0,"header":false,"column":{"name":"idfa","number":2},"typeColumn":"","files":1}`},
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
