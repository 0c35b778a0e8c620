package exports_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/twmb/avro"
	"github.com/twmb/avro/ocf"

	"usher"
	"usher/internal/exports"
)

// manyRows is how many rows the following exports have, of which the samples have a few.
const manyRows = 3 * lateRows

// lateFlags returns records of which only one has a field, far behind the samples: as NDJSON, as a JSON document, and
// with a map as Avro.
func lateFlags(t *testing.T, field, value string, at int) map[string]string {
	t.Helper()
	schema, err := avro.Parse(`{"type":"record","name":"r","fields":[{"name":"idfa","type":"string"},{"name":"note","type":"string"},
		{"name":"about","type":["null",{"type":"map","values":"string"}]}]}`)
	must(t, err)
	var lines, records bytes.Buffer
	w, err := ocf.NewWriter(&records, schema, ocf.WithBlockBytes(4<<10))
	must(t, err)
	for i := range manyRows {
		about, text := map[string]any{}, "{}"
		if i == at {
			about, text = map[string]any{field: value}, fmt.Sprintf("{%q:%q}", field, value)
		}
		fmt.Fprintf(&lines, `{"idfa":%q,"note":%q,"about":%s}`+"\n", uuid(i), strings.Repeat("x", 60), text)
		must(t, w.Encode(map[string]any{"idfa": uuid(i), "note": strings.Repeat("x", 60), "about": about}))
	}
	must(t, w.Close())
	return map[string]string{
		"ndjson": lines.String(), "avro": records.String(),
		"json": "[" + strings.ReplaceAll(strings.TrimSpace(lines.String()), "\n", ",\n") + "]",
	}
}

// readWhole reads an export and returns the number of its rows.
func readWhole(t *testing.T, data string, wanted exports.Wanted, change func(*usher.Source)) (n int, err error) {
	t.Helper()
	o, src := export(t, data, exports.Options{})
	change(src)
	plan, err := o.Plan(t.Context(), src, wanted, 0)
	must(t, err)
	if len(plan.Checks) > 0 {
		t.Fatalf("the samples have the field: %+v", plan.Checks)
	}
	r, err := o.Open(t.Context(), src, plan, usher.Part{To: -1})
	must(t, err)
	defer func() { must(t, r.Close()) }()
	for {
		b, err := r.Next(t.Context())
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		n += bytes.Count(b.Data, []byte("\n"))
		b.Release()
	}
}

// A field that says no is found although no sampled record has it, as in exports that leave out what is false.
func TestLateFlags(t *testing.T) {
	t.Parallel()
	const at = manyRows - 2500
	nothing := func(*usher.Source) {}
	for name, c := range map[string]struct {
		field, value string
		wanted       exports.Wanted
		change       func(*usher.Source)
		refusal      string
	}{
		"an opt-out":        {"opted_out", "true", exports.Wanted{Type: usher.IDFA}, nothing, fmt.Sprintf("column about.opted_out, which no sampled record has, says no, first in record %d", at+1)},
		"a deletion":        {"deleted_at", "2026-01-02T03:04:05Z", exports.Wanted{Type: usher.IDFA}, nothing, "column about.deleted_at, which no sampled record has, says no"},
		"a refused consent": {"consent", "denied", exports.Wanted{Type: usher.IDFA}, nothing, "column about.consent, which no sampled record has, says no"},
		"not clear":         {"consent_refused", "false", exports.Wanted{Type: usher.IDFA}, nothing, "says yes or no, and its name does not show which"},
		"no opt-out":        {"opted_out", "false", exports.Wanted{Type: usher.IDFA}, nothing, ""},
		"another field":     {"city", "no", exports.Wanted{Type: usher.IDFA}, nothing, ""},
		"disregarded":       {"opted_out", "true", exports.Wanted{Type: usher.IDFA}, func(src *usher.Source) { src.Disregard = []string{"about.opted_out"} }, ""},
		"a removal":         {"opted_out", "true", exports.Wanted{Type: usher.IDFA, Removes: true}, nothing, ""},
	} {
		for format, data := range lateFlags(t, c.field, c.value, at) {
			n, err := readWhole(t, data, c.wanted, c.change)
			switch {
			case c.refusal == "" && (err != nil || n != manyRows):
				t.Errorf("%s, %s: %d rows, %v, want %d", name, format, n, err, manyRows)
			case c.refusal != "" && (class(err) != usher.SourceBroken || !strings.Contains(err.Error(), c.refusal)):
				t.Errorf("%s, %s: %d rows, %v, want %s", name, format, n, err, c.refusal)
			}
		}
	}
}

// The hint for a row beyond the samples that says no has the values that may be uploaded.
func TestHintForLateNo(t *testing.T) {
	t.Parallel()
	data := "id,_fivetran_deleted,idfa\n" + rowsFrom(0, manyRows, func(i int) string {
		return fmt.Sprintf("%d,%v,%s\n", i, i == manyRows-2500, uuid(i))
	})
	o, src := export(t, data, exports.Options{})
	plan, err := o.Plan(t.Context(), src, exports.Wanted{Type: usher.IDFA}, 0)
	must(t, err)
	r, err := o.Open(t.Context(), src, plan, usher.Part{To: -1})
	must(t, err)
	defer func() { must(t, r.Close()) }()
	for err == nil {
		var b *usher.Block
		if b, err = r.Next(t.Context()); err == nil {
			b.Release()
		}
	}
	const want = "set source.only to _fivetran_deleted=false to leave these rows out, or source.disregard to _fivetran_deleted if the column does not decide"
	if p := permanent(t, err); !strings.Contains(p.Error(), "column 2 (_fivetran_deleted) says no, first in row") || p.Hint != want {
		t.Errorf("%v\nhint: %s", err, p.Hint)
	}
}

// A late field is found behind a record that cannot be read or shares its line, in a further file, and after a first
// value that says nothing.
func TestLateFlagsAfterOthers(t *testing.T) {
	t.Parallel()
	line := func(i int, more string) string {
		return fmt.Sprintf(`{"idfa":%q,"note":%q%s}`, uuid(i), strings.Repeat("x", 60), more)
	}
	const at = manyRows - 2500
	for name, odd := range map[string][2]string{
		"broken before":   {line(at-1, `,"unsubscribed":true,`), line(at, `,"unsubscribed":true`)},
		"on one line":     {line(at-1, `,"unsubscribed":true`) + line(at, ""), line(at+1, "")},
		"a number before": {line(at-1, `,"unsubscribed":5`), line(at, `,"unsubscribed":true`)},
		"an event before": {line(at-1, `,"last_event":"click"`), line(at, `,"last_event":"unsubscribe"`)},
	} {
		data := rowsFrom(0, at-1, func(i int) string { return line(i, "") + "\n" }) + odd[0] + "\n" + odd[1] + "\n" + rowsFrom(at+2, manyRows, func(i int) string { return line(i, "") + "\n" })
		n, err := readWhole(t, data, exports.Wanted{Type: usher.IDFA}, func(*usher.Source) {})
		if class(err) != usher.SourceBroken || !strings.Contains(err.Error(), "which no sampled record has, says no") {
			t.Errorf("%s: %d rows, %v", name, n, err)
		}
	}
	dir := t.TempDir()
	for file, more := range map[string]string{"a.ndjson": "", "b.ndjson": `,"unsubscribed":true`} {
		text := rowsFrom(0, 100, func(i int) string {
			if i == 60 {
				return line(i+1000*len(more), more) + "\n"
			}
			return line(i+1000*len(more), "") + "\n"
		})
		must(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600))
	}
	o := opener(t, dir, exports.Options{})
	_, _, err := readType(t, o, &usher.Source{URL: dir + "/"}, usher.IDFA, 0)
	if class(err) != usher.SourceBroken || !strings.Contains(err.Error(), "says no") {
		t.Errorf("a further file: %v", err)
	}
}

// A value is found late although records before it have the field with an object, with an empty array or with null.
func TestLateValues(t *testing.T) {
	t.Parallel()
	const at = manyRows - 1200 // behind the last window of the samples
	for name, c := range map[string]struct {
		usual, late string
		refused     bool
	}{
		"an object":                 {`"consent":{"given":true}`, `"consent":false`, true},
		"an object within another":  {`"user":{"consent":{"given":true}}`, `"user":{"consent":"denied"}`, true},
		"an empty object":           {`"opted_out":{}`, `"opted_out":true`, true},
		"an empty array":            {`"opted_out":[]`, `"opted_out":[true]`, true},
		"an array in an array":      {`"opted_out":[[]]`, `"opted_out":[[],true]`, true},
		"the other way round":       {`"consent":true`, `"consent":{"given":false}`, true},
		"an object and yes":         {`"consent":{"given":true}`, `"consent":true`, false},
		"an object and null":        {`"consent":{"given":true}`, `"consent":null`, false},
		"an empty array and no":     {`"opted_out":[]`, `"opted_out":[false]`, false},
		"something else":            {`"tags":[]`, `"tags":["no"]`, false},
		"a value and an empty list": {`"consent":true`, `"consent":[]`, false},
	} {
		lines := rowsFrom(0, manyRows, func(i int) string {
			beside := c.usual
			if i == at {
				beside = c.late
			}
			return fmt.Sprintf(`{"idfa":%q,"note":%q,%s}`+"\n", uuid(i), strings.Repeat("x", 60), beside)
		})
		for format, data := range map[string]string{"ndjson": lines, "json": "[" + strings.ReplaceAll(strings.TrimSpace(lines), "\n", ",\n") + "]"} {
			o, src := export(t, data, exports.Options{})
			rows, _, err := readType(t, o, src, usher.IDFA, 0)
			switch want := fmt.Sprintf("says no, first in record %d", at+1); {
			case !c.refused && (err != nil || len(uuidsOf(rows)) != manyRows):
				t.Errorf("%s, %s: %d rows, %v", name, format, len(rows), err)
			case c.refused && (class(err) != usher.SourceBroken || !strings.Contains(err.Error(), want)):
				t.Errorf("%s, %s: %d rows, %v, want %s", name, format, len(rows), err, want)
			}
		}
	}
}

// A flag among more fields than are examined, or behind a number that no computer has, is found each time.
func TestFlagsAmongManyFields(t *testing.T) {
	t.Parallel()
	many := func(last string) string {
		var b strings.Builder
		for i := range 1200 {
			fmt.Fprintf(&b, `"f%d":%d,`, i, i)
		}
		return b.String() + last
	}
	record := func(beside string) string { return fmt.Sprintf(`{"idfa":%q,%s}`+"\n", uuid(1), beside) }
	plain := rowsFrom(0, manyRows, func(i int) string {
		return fmt.Sprintf(`{"idfa":%q,"note":%q}`+"\n", uuid(i), strings.Repeat("x", 60))
	})
	last := rowsFrom(manyRows, 1200, func(i int) string { return fmt.Sprintf(`{"idfa":%q}`+"\n", uuid(i)) })
	for name, c := range map[string]struct {
		data    string
		refused bool
	}{
		"sampled":                  {record(many(`"opted_out":true`)), true},
		"sampled, within":          {record(`"user":{` + many(`"opted_out":true`) + "}"), true},
		"sampled, behind keys":     {record(`"a":{` + many(`"x":1`) + `},"opted_out":true`), true},
		"sampled, of another kind": {record(many(`"os":"android"`)), true},
		"sampled, and no":          {record(many(`"opted_out":false`)), false},
		"late":                     {plain + record(many(`"opted_out":true`)) + last, true},
		"late, and no":             {plain + record(many(`"opted_out":false`)) + last, false},
		"a large number":           {record(`"n":1e999,"opted_out":true`), true},
		"late, a large number":     {plain + record(`"n":1e999,"opted_out":true`) + last, true},
		"a large number, and no":   {record(`"n":-1e999,"opted_out":false`), false},
	} {
		o, src := export(t, c.data, exports.Options{})
		times := 50
		if len(c.data) > len(plain) {
			times = 5
		}
		for range times {
			_, _, err := readType(t, o, src, usher.IDFA, 0)
			if refused := class(err) == usher.SourceBroken; refused != c.refused || err != nil && !refused {
				t.Errorf("%s: %v", name, err)
				break
			}
		}
	}
}

// A map of Avro that says nothing is not read, however long it is.
func TestLongMap(t *testing.T) {
	t.Parallel()
	schema, err := avro.Parse(`{"type":"record","name":"r","fields":[{"name":"idfa","type":"string"},{"name":"about","type":{"type":"map","values":"string"}}]}`)
	must(t, err)
	var records bytes.Buffer
	w, err := ocf.NewWriter(&records, schema)
	must(t, err)
	for i := range 20 {
		must(t, w.Encode(map[string]any{"idfa": uuid(i), "about": map[string]any{"page": strings.Repeat("x", 100_000), "consent": "yes"}}))
	}
	must(t, w.Close())
	o, src := export(t, records.String(), exports.Options{})
	rows, _, err := readType(t, o, src, usher.IDFA, 0)
	if err != nil || len(uuidsOf(rows)) != 20 {
		t.Errorf("%d ids of %q, %v", len(uuidsOf(rows)), rows, err)
	}
}
