package exports_test

import (
	"fmt"
	"strings"
	"testing"

	"usher"
	"usher/internal/exports"
)

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
			return fmt.Sprintf(`{"identities":[{"identity_type":"ios_advertising_id","identity":%q},{"identity_type":%q,"identity":%q}]}`+"\n", uuid(i), kind, uuid(1000+i))
		})
		o, src := export(t, data, exports.Options{})
		plan, err := o.Plan(t.Context(), src, exports.Wanted{Type: usher.IDFA}, 0)
		must(t, err)
		if len(plan.Warnings) != warns || warns == 1 && !strings.Contains(plan.Warnings[0].Description, "identities.identity_type") {
			t.Errorf("%s: it warns of %+v", kind, plan.Warnings)
		}
	}
}

// Each element of an array has the type that it names.
func TestTypesOfElements(t *testing.T) {
	t.Parallel()
	data := rowsFrom(1, 30, func(i int) string {
		return fmt.Sprintf(`{"ids":[{"type":"ios","id":%q},{"type":"android","id":%q}]}`+"\n", uuid(i), uuid(1000+i))
	})
	o, src := export(t, data, exports.Options{})
	plan, err := o.Plan(t.Context(), src, exports.Wanted{Type: usher.IDFA}, 0)
	must(t, err)
	if len(plan.Warnings) != 1 || plan.Warnings[0].Code != "type_column" || plan.Warnings[0].Count != 30 {
		t.Errorf("it warns of %+v", plan.Warnings)
	}
	src.TypeColumn = "ids.type"
	plan, err = o.Plan(t.Context(), src, exports.Wanted{Type: usher.IDFA}, 0)
	must(t, err)
	r, err := o.Open(t.Context(), src, plan, plan.Parts[0])
	must(t, err)
	b, err := r.Next(t.Context())
	must(t, err)
	for i, rowType := range b.Types {
		if want := []usher.RowType{usher.RowIOS, usher.RowAndroid}[i%2]; rowType != want {
			t.Fatalf("row %d is of type %d, not %d", i+1, rowType, want)
		}
	}
	if len(b.Types) != 60 {
		t.Errorf("%d rows have types", len(b.Types))
	}
	b.Release()
	must(t, r.Close())
}
