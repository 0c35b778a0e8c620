package exports_test

import (
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
)

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
