package exports_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
)

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
