package exports_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
)

// readTyped reads the rows of an export and their types.
func readTyped(t *testing.T, o *exports.Opener, src *usher.Source, partBytes int64) (rows []string, types []usher.RowType, err error) {
	t.Helper()
	plan, err := o.Plan(t.Context(), src, exports.Wanted{}, partBytes)
	if err != nil {
		return nil, nil, err
	}
	for _, part := range plan.Parts {
		r, err := o.Open(t.Context(), src, plan, part)
		must(t, err)
		for {
			b, err := r.Next(t.Context())
			if errors.Is(err, io.EOF) {
				break
			}
			must(t, err)
			if len(rowsOf(b)) != len(b.Types) {
				t.Fatalf("a block of %d rows has %d types", len(rowsOf(b)), len(b.Types))
			}
			rows, types = append(rows, rowsOf(b)...), append(types, b.Types...)
			b.Release()
		}
		must(t, r.Close())
	}
	return rows, types, nil
}

func TestTypes(t *testing.T) {
	t.Parallel()
	type typed struct {
		OS string  `parquet:"os,dict"`
		ID *string `parquet:"device_id,optional"`
	}
	first, second := id1, id3
	wantRows := []string{id1, id3, "", id2, id4, id1, id3}
	wantTypes := []usher.RowType{usher.RowIOS, usher.RowAAID, usher.RowAndroid, usher.RowIOS, usher.RowIOS, usher.RowOther, usher.RowAndroidID}
	for _, c := range []struct {
		name, data, column string
	}{
		{"csv", "os,device_id\niOS," + id1 + "\ngaid," + id3 + "\nANDROID 14,\n\"iPhone OS\",\"" + id2 + ";" + id4 + "\"\n," + id1 + "\nandroid_id," + id3 + "\n", "os"},
		{"csv by number", "iOS," + id1 + "\ngaid," + id3 + "\nANDROID 14,\nipad," + id2 + " " + id4 + "\n\"a \"\" b\"," + id1 + "\nandroid_id," + id3, "1"},
		{"csv behind", "idfa,x,type\r\n" + id1 + ",,\" apple\"\r\n" + id3 + ",,AAID\r\n,,google\r\n\"" + id2 + "|" + id4 + "\",,idfa\r\n" + id1 + ",,\r\n" + id3 + ",a\"b,Android-ID\r\n", "Type"},
		{"ndjson", `{"d":{"os":"ios"},"idfa":"` + id1 + `"}` + "\n" + `{"d":{"os":"gaid"},"idfa":"` + id3 + `"}` + "\n" + `{"d":{"os":"google"},"idfa":null}` + "\n" +
			`{"d":{"os":"\u0069os"},"idfa":["` + id2 + `","` + id4 + `"]}` + "\n" + `{"d":{"os":["ios","android"]},"idfa":"` + id1 + `"}` + "\n" + `{"idfa":"` + id3 + `","d":{"os":"androidId"}}`, "d.os"},
		{"parquet", parquetOf(t, []typed{
			{"ios", &first}, {"gaid", &second}, {"android", nil}, {"ios", new(id2 + "," + id4)}, {"web", &first}, {"android_id", &second},
		}, 4), "os"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o, src := export(t, c.data, exports.Options{})
			src.TypeColumn = c.column
			for _, part := range []int64{1 << 40, 60} {
				rows, types, err := readTyped(t, o, src, part)
				if err != nil || !slices.Equal(rows, wantRows) || !slices.Equal(types, wantTypes) {
					t.Errorf("rows %q\ntypes %v, %v\nwant %v", rows, types, err, wantTypes)
				}
			}
		})
	}
}

// TestTypesOfManyRows checks that types stay with their rows over chunks and blocks.
func TestTypesOfManyRows(t *testing.T) {
	t.Parallel()
	words := []string{"ios", "android", "gaid", "web", "\"iOS\"", ""}
	kinds := []usher.RowType{usher.RowIOS, usher.RowAndroid, usher.RowAAID, usher.RowOther, usher.RowIOS, usher.RowOther}
	var data strings.Builder
	var want []usher.RowType
	data.WriteString("os;idfa\n")
	for i := range 30_000 {
		fmt.Fprintf(&data, "%s;%08x-0000-4000-8000-000000000000\n", words[i*i%7%6], i)
		want = append(want, kinds[i*i%7%6])
	}
	o, src := export(t, data.String(), exports.Options{})
	src.TypeColumn = "os"
	rows, types, err := readTyped(t, o, src, 100_000)
	if err != nil || len(rows) != len(want) || !slices.Equal(types, want) || rows[29_999][:8] != "0000752f" {
		t.Errorf("%d rows, %d types of %d, %v", len(rows), len(types), len(want), err)
	}
}

func TestTypesRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ data, column, hint string }{
		"a plain list":     {id1 + "\n", "os", "source.typeColumn"},
		"no such column":   {"os,idfa\nios," + id1 + "\n", "platform", "source.typeColumn"},
		"no header":        {"ios," + id1 + "\n", "os", "number from 1 to 2"},
		"the ids' own":     {"os,idfa\nios," + id1 + "\n", "idfa", "source.typeColumn"},
		"no such path":     {`{"os":"ios","idfa":"` + id1 + `"}`, "type", "source.typeColumn"},
		"the ids' path":    {`{"os":"ios","idfa":"` + id1 + `"}`, "idfa", "source.typeColumn"},
		"parquet, a list":  {parquetOf(t, devices(3), 3), "several_id", "source.typeColumn"},
		"parquet, numbers": {parquetOf(t, devices(3), 3), "customer", "source.typeColumn"},
	} {
		o, src := export(t, c.data, exports.Options{})
		if src.TypeColumn = c.column; strings.HasPrefix(name, "parquet") {
			src.Column = "plain_id"
		}
		_, err := o.Plan(t.Context(), src, exports.Wanted{}, 0)
		if class(err) != usher.SourceBroken || !strings.Contains(permanent(t, err).Hint, c.hint) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The columns of a table in arrays within an array have no names, so its ids are not told
// from others.
func TestTablesInArrays(t *testing.T) {
	t.Parallel()
	split := `{"columns":["idfv","idfa"],"index":[0,1],"data":[["` + id1 + `","` + id2 + `"],["` + id3 + `","` + id1 + `"]]}`
	for name, data := range map[string]string{"a document": split, "lines": `{"data":[["` + id1 + `","` + id2 + `"]]}` + "\n" + `{"data":[["` + id1 + `","` + id2 + `"]]}` + "\n"} {
		o, src := export(t, data, exports.Options{})
		if _, _, err := read(t, o, src, 0); class(err) != usher.SourceBroken || !strings.Contains(err.Error(), "arrays within an array") {
			t.Errorf("%s: %v", name, err)
		}
		src.Column = "data"
		if rows, _, err := read(t, o, src, 0); err != nil || len(rows) != 4 {
			t.Errorf("%s, named: %d rows, %v", name, len(rows), err)
		}
	}
}

// Elements of an array that name kinds of their own are warned of.
func TestKindsOfElements(t *testing.T) {
	t.Parallel()
	for kind, warns := range map[string]int{"ios_vendor_id": 1, "ios_advertising_id": 0} {
		data := rowsFrom(1, 30, func(i int) string {
			return fmt.Sprintf(`{"identities":[{"identity_type":"ios_advertising_id","device_id":%q},{"identity_type":%q,"device_id":%q}]}`+"\n", uuid(i), kind, uuid(1000+i))
		})
		o, src := export(t, data, exports.Options{})
		plan, err := o.Plan(t.Context(), src, exports.Wanted{Type: usher.IDFA, Removes: true}, 0)
		must(t, err)
		if len(plan.Warnings) != warns || warns == 1 && !strings.Contains(plan.Warnings[0].Description, "identities.identity_type") {
			t.Errorf("%s: it warns of %+v", kind, plan.Warnings)
		}
	}
}

// Each element of an array has the type that it names, also one without an id.
func TestTypesOfElements(t *testing.T) {
	t.Parallel()
	data := rowsFrom(1, 30, func(i int) string {
		return fmt.Sprintf(`{"ids":[{"type":"ios","device_id":%q},{"type":"gaid","device_id":null},{"type":"android","device_id":%q}]}`+"\n", uuid(i), uuid(1000+i))
	})
	o, src := export(t, data, exports.Options{})
	plan, err := o.Plan(t.Context(), src, exports.Wanted{Type: usher.IDFA, Removes: true}, 0)
	must(t, err)
	if len(plan.Warnings) != 1 || plan.Warnings[0].Code != "type_column" || plan.Warnings[0].Count != 30 {
		t.Errorf("it warns of %+v", plan.Warnings)
	}
	src.TypeColumn = "ids.type"
	plan, err = o.Plan(t.Context(), src, exports.Wanted{Type: usher.IDFA, Removes: true}, 0)
	must(t, err)
	r, err := o.Open(t.Context(), src, plan, plan.Parts[0])
	must(t, err)
	b, err := r.Next(t.Context())
	must(t, err)
	for i, rowType := range b.Types {
		if want := []usher.RowType{usher.RowIOS, usher.RowAAID, usher.RowAndroid}[i%3]; rowType != want {
			t.Fatalf("row %d is of type %d, not %d", i+1, rowType, want)
		}
	}
	if len(b.Types) != 90 {
		t.Errorf("%d rows have types", len(b.Types))
	}
	b.Release()
	must(t, r.Close())
}
