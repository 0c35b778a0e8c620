package exports_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/twmb/avro"
	"github.com/twmb/avro/ocf"

	"usher"
	"usher/internal/exports"
)

// tableOf writes rows of a header and cells in each format that names columns.
func tableOf(t testing.TB, header []string, rows [][]string) map[string]string {
	t.Helper()
	var csv, tabs, ndjson, xlsx strings.Builder
	csv.WriteString(strings.Join(header, ",") + "\n")
	tabs.WriteString(strings.Join(header, "\t") + "\n")
	for _, row := range rows {
		csv.WriteString(strings.Join(row, ",") + "\n")
		tabs.WriteString(strings.Join(row, "\t") + "\n")
		ndjson.WriteString("{")
		for i, cell := range row {
			fmt.Fprintf(&ndjson, "%s%q:%q", strings.Repeat(",", min(i, 1)), header[i], cell)
		}
		ndjson.WriteString("}\n")
	}
	xlsx.WriteString(workbookOf(t, append([][]string{header}, rows...)))
	group := parquet.Group{}
	fields := make([]string, len(header))
	for i, name := range header {
		group[name] = parquet.String()
		fields[i] = fmt.Sprintf(`{"name":%q,"type":"string"}`, name)
	}
	var columns bytes.Buffer
	w := parquet.NewGenericWriter[map[string]string](&columns, parquet.NewSchema("r", group))
	tables := map[string]string{
		"csv": csv.String(), "tabs": tabs.String(), "ndjson": ndjson.String(), "xlsx": xlsx.String(),
		"json": "[" + strings.ReplaceAll(strings.TrimSpace(ndjson.String()), "\n", ",") + "]",
	}
	schema, err := avro.Parse(`{"type":"record","name":"r","fields":[` + strings.Join(fields, ",") + `]}`)
	named := err == nil // Avro's names are ASCII
	if !named {
		schema, err = avro.Parse(`{"type":"record","name":"r","fields":[]}`)
		must(t, err)
	}
	var records bytes.Buffer
	a, err := ocf.NewWriter(&records, schema)
	must(t, err)
	for _, row := range rows {
		cells, record := map[string]string{}, map[string]any{}
		for i, cell := range row {
			cells[header[i]], record[header[i]] = cell, cell
		}
		_, err := w.Write([]map[string]string{cells})
		must(t, err)
		must(t, a.Encode(record))
	}
	must(t, w.Close())
	must(t, a.Close())
	tables["parquet"] = columns.String()
	if named {
		tables["avro"] = records.String()
	}
	return tables
}

// A column whose name is not known is refused in every format, whatever its values, its place
// and the job's profile and input are. The error names the columns that it may be, and the job
// reads the one that it names.
func TestUnknownNames(t *testing.T) {
	t.Parallel()
	names := strings.Fields(`id uuid uid guid value device session_uuid customer_uuid session_key gaid_old consent_uuid old_idfa row_md5 md5 trace
		trace_id x Schluessel device_uuid uuid4 hashed row_hash android_uuid_old first_device_id`)
	r := rand.New(rand.NewPCG(40, 1))
	kinds := []struct {
		wanted exports.Wanted
		id     func(i int) string
		known  string
	}{
		{exports.Wanted{Type: usher.IDFA}, uuid, "idfa"},
		{exports.Wanted{Type: usher.AAID}, lowerUUID, "user_gaid"},
		{exports.Wanted{Type: usher.AndroidID}, func(i int) string { return md5Of(i)[:16] }, "device_android_id"},
		{exports.Wanted{Type: usher.IDFA, Input: usher.InputMD5}, md5Of, "idfa_md5"},
	}
	for _, name := range names {
		kind := kinds[r.IntN(len(kinds))]
		header := []string{"n", name, "country"}
		at := func(i int) []string { return []string{fmt.Sprint(i), kind.id(i), "DE"} }
		if r.IntN(2) == 0 {
			header, at = []string{name, "n", "country"}, func(i int) []string { return []string{kind.id(i), fmt.Sprint(i), "DE"} }
		}
		rows := make([][]string, 40)
		for i := range rows {
			rows[i] = at(i)
		}
		for format, data := range tableOf(t, header, rows) {
			o, src := export(t, data, exports.Options{})
			_, err := o.Plan(t.Context(), src, kind.wanted, 0)
			if class(err) != usher.SourceBroken || !strings.Contains(err.Error(), name) || !strings.Contains(permanent(t, err).Hint, "set source.column to") {
				t.Fatalf("%s, %s: %v", name, format, err)
			}
			src.Column = name
			if got, _, err := readType(t, o, src, kind.wanted.Type, 0); err != nil || len(got) != len(rows) || got[3] != kind.id(3) {
				t.Errorf("%s, %s, named: %d rows, %v", name, format, len(got), err)
			}
		}
		header[slices.Index(header, name)] = kind.known
		for format, data := range tableOf(t, header, rows) {
			o, src := export(t, data, exports.Options{})
			if plan, err := o.Plan(t.Context(), src, kind.wanted, 0); err != nil || plan.Header+plan.Path != kind.known {
				t.Errorf("%s, %s: column %s%s, %v", kind.known, format, plan.Header, plan.Path, err)
			}
		}
	}
}

// A state above ids is the name of a column if another name stands above numbers.
func TestStateAsName(t *testing.T) {
	t.Parallel()
	o, src := export(t, "n,active,country\n"+rowsFrom(1, 20, func(i int) string { return fmt.Sprintf("%d,%s,DE\n", i, uuid(i)) }), exports.Options{})
	if _, err := o.Plan(t.Context(), src, exports.Wanted{Type: usher.IDFA}, 0); class(err) != usher.SourceBroken || !strings.Contains(err.Error(), "2 (active)") {
		t.Errorf("planned with %v", err)
	}
}

// A list whose first line says that its ids are something else is refused.
func TestListOfOtherThings(t *testing.T) {
	t.Parallel()
	for name, refused := range map[string]bool{"session_uuid": true, "customer_uuid": true, "gaid_old": true, "uuid": false, "id": false, "Liste": false, "denied": false} {
		o, src := export(t, name+"\n"+rowsFrom(1, 20, func(i int) string { return uuid(i) + "\n" }), exports.Options{})
		if _, err := o.Plan(t.Context(), src, exports.Wanted{Type: usher.IDFA}, 0); refused != (class(err) == usher.SourceBroken) || !refused && err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
