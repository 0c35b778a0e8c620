package exports_test

import (
	"bytes"
	"encoding/hex"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/twmb/avro"
	"github.com/twmb/avro/ocf"

	"usher"
	"usher/internal/exports"
)

// avroFile writes an Avro file of three records.
func avroFile(t testing.TB) string {
	t.Helper()
	schema, err := avro.Parse(`{"type":"record","name":"r","fields":[{"name":"n","type":"double"},
		{"name":"os","type":{"type":"enum","name":"os","symbols":["ios","android"]}},
		{"name":"device","type":{"type":"record","name":"d","fields":[{"name":"idfa","type":["null",{"type":"fixed","name":"f","size":16,"logicalType":"uuid"}]}]}}]}`)
	must(t, err)
	var out bytes.Buffer
	w, err := ocf.NewWriter(&out, schema, ocf.WithSyncMarker([16]byte{1}))
	must(t, err)
	for i, id := range []string{id1, id2, ""} {
		record := map[string]any{"n": float64(i), "os": "ios", "device": map[string]any{"idfa": nil}}
		if id != "" {
			raw, err := hex.DecodeString(strings.ReplaceAll(id, "-", ""))
			must(t, err)
			record["device"] = map[string]any{"idfa": [16]byte(raw)}
		}
		must(t, w.Encode(record))
	}
	must(t, w.Close())
	return out.String()
}

func TestAvro(t *testing.T) {
	t.Parallel()
	data := avroFile(t)
	want := []string{strings.ToLower(id1), strings.ToLower(id2), ""}
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "a.avro"), []byte(data), 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "b.avro"), []byte(data), 0o600))
	o := opener(t, dir, exports.Options{})
	src := &usher.Source{URL: filepath.Join(dir, "a.avro"), TypeColumn: "os"}
	rows, plan, err := read(t, o, src, 1)
	if err != nil || plan.Format != "avro" || plan.Path != "device.idfa" || !slices.Equal(rows, want) {
		t.Errorf("%q of %s, %v", rows, plan.Path, err)
	}
	rows, _, err = read(t, o, &usher.Source{URL: dir + "/"}, 1)
	if err != nil || !slices.Equal(rows, slices.Concat(want, want)) {
		t.Errorf("%q of two files, %v", rows, err)
	}
	header := strings.Index(data, "\x01"+strings.Repeat("\x00", 15)) + 16
	for n := range len(data) {
		must(t, os.WriteFile(src.URL, []byte(data[:n]), 0o600))
		if rows, _, err := read(t, o, src, 0); n != header && class(err) != usher.SourceBroken {
			t.Errorf("cut at byte %d of %d: %d rows, %v", n, len(data), len(rows), err)
		}
	}
}

// avroWith writes records of ids, numbered from one on, with further fields.
func avroWith(t testing.TB, from, n int, fields string, more func(i int) map[string]any) string {
	t.Helper()
	schema, err := avro.Parse(`{"type":"record","name":"r","fields":[` + fields + `]}`)
	must(t, err)
	var out bytes.Buffer
	w, err := ocf.NewWriter(&out, schema)
	must(t, err)
	for i := range n {
		record := more(i)
		record["idfa"] = uuid(from + i)
		must(t, w.Encode(record))
	}
	must(t, w.Close())
	return out.String()
}

// A further file of a folder has a field that the first one lacks, and that is null in its sampled records.
func TestAvroFieldOfFurtherFile(t *testing.T) {
	t.Parallel()
	const id = `{"name":"idfa","type":"string"}`
	const privacy = `,{"name":"privacy","type":["null",{"type":"record","name":"p","fields":[{"name":"opted_out","type":"boolean"}]}]}`
	for name, c := range map[string]struct {
		optedOut  any
		disregard []string
		removes   bool
		says      string // "": it is read
	}{
		"an opt-out":  {map[string]any{"opted_out": true}, nil, false, "column privacy.opted_out says no, first in record 61"},
		"no opt-out":  {map[string]any{"opted_out": false}, nil, false, ""},
		"null":        {nil, nil, false, ""},
		"disregarded": {map[string]any{"opted_out": true}, []string{"privacy.opted_out"}, false, ""},
		"a removal":   {map[string]any{"opted_out": true}, nil, true, ""},
	} {
		dir := t.TempDir()
		must(t, os.WriteFile(filepath.Join(dir, "a.avro"), []byte(avroWith(t, 0, 100, id, func(int) map[string]any { return map[string]any{} })), 0o600))
		must(t, os.WriteFile(filepath.Join(dir, "b.avro"), []byte(avroWith(t, 100, 100, id+privacy, func(i int) map[string]any {
			if i == 60 {
				return map[string]any{"privacy": c.optedOut}
			}
			return map[string]any{"privacy": nil}
		})), 0o600))
		o, src := opener(t, dir, exports.Options{}), &usher.Source{URL: dir + "/", Disregard: c.disregard}
		rows, err := readAll(t, o, src, exports.Wanted{Type: usher.IDFA, Removes: c.removes})
		if c.says == "" && (err != nil || len(rows) != 200) || c.says != "" && (class(err) != usher.SourceBroken || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: %d rows, %v", name, len(rows), err)
		}
	}
}

// readAll plans an export and reads all of its parts.
func readAll(t testing.TB, o *exports.Opener, src *usher.Source, wanted exports.Wanted) (rows []string, err error) {
	t.Helper()
	plan, err := o.Plan(t.Context(), src, wanted, 0)
	for i := 0; err == nil && i < len(plan.Parts); i++ {
		var more []string
		more, err = readPart(t, o, src, plan, plan.Parts[i])
		rows = append(rows, more...)
	}
	return rows, err
}

// A type that the schema defines once and refers to by its name has flags in each field of that type.
func TestAvroReferences(t *testing.T) {
	t.Parallel()
	const fields = `{"name":"idfa","type":"string"},
		{"name":"profile","type":["null",{"type":"record","name":"Profile","namespace":"crm","fields":[{"name":"city","type":"string"},{"name":"opted_out","type":"boolean"}]}]},
		{"name":"profile_b","type":["null","crm.Profile"]},
		{"name":"parent","type":["null",{"type":"record","name":"Node","fields":[{"name":"consent","type":["null","boolean"]},{"name":"above","type":["null","Node"]}]}]}`
	const n, at = 6000, 3000 // no sample has the record
	flags := func(is bool) map[string]any { return map[string]any{"city": "x", "opted_out": is} }
	for name, c := range map[string]struct {
		record    map[string]any
		disregard []string
		removes   bool
		says      string // "": it is read
	}{
		"where it is defined":   {map[string]any{"profile": flags(true)}, nil, false, "column profile.opted_out says no, first in record 3001"},
		"where it is referred":  {map[string]any{"profile_b": flags(true)}, nil, false, "column profile_b.opted_out says no, first in record 3001"},
		"no opt-out":            {map[string]any{"profile_b": flags(false)}, nil, false, ""},
		"disregarded":           {map[string]any{"profile_b": flags(true)}, []string{"profile_b.opted_out"}, false, ""},
		"a removal":             {map[string]any{"profile_b": flags(true)}, nil, true, ""},
		"far within itself":     {map[string]any{"parent": map[string]any{"above": map[string]any{"above": map[string]any{"consent": false}}}}, nil, false, "column parent.above.above.consent, which no sampled record has, says no, first in record 3001"},
		"a yes far within":      {map[string]any{"parent": map[string]any{"above": map[string]any{"above": map[string]any{"consent": true}}}}, nil, false, ""},
		"nothing in any record": {map[string]any{}, nil, false, ""},
	} {
		o, src := export(t, avroWith(t, 0, n, fields, func(i int) map[string]any {
			record := map[string]any{"profile": nil, "profile_b": nil, "parent": nil}
			if i == at {
				maps.Copy(record, c.record)
			}
			return record
		}), exports.Options{})
		src.Disregard = c.disregard
		rows, err := readAll(t, o, src, exports.Wanted{Type: usher.IDFA, Removes: c.removes})
		if c.says == "" && (err != nil || len(rows) != n) || c.says != "" && (class(err) != usher.SourceBroken || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: %d rows, %v", name, len(rows), err)
		}
	}
}

// Records of several kinds, as the events of one topic are, have flags in one kind only, which no sample has.
func TestAvroKinds(t *testing.T) {
	t.Parallel()
	const n, at = 6000, 3000
	for name, optedOut := range map[string]string{"by the schema": `["null","boolean"]`, "in a map": `{"type":"map","values":"boolean"}`} {
		schema, err := avro.Parse(`[{"type":"record","name":"Seen","fields":[{"name":"idfa","type":"string"},{"name":"note","type":"string"}]},
			{"type":"record","name":"Changed","fields":[{"name":"idfa","type":"string"},{"name":"opted_out","type":` + optedOut + `}]}]`)
		must(t, err)
		for _, is := range []bool{false, true} {
			var out bytes.Buffer
			w, err := ocf.NewWriter(&out, schema)
			must(t, err)
			for i := range n {
				record := map[string]any{"idfa": uuid(i), "note": strings.Repeat("x", 60)}
				if i == at {
					record = map[string]any{"idfa": uuid(i), "opted_out": is}
					if name == "in a map" {
						record["opted_out"] = map[string]any{"ads": is}
					}
				}
				must(t, w.Encode(record))
			}
			must(t, w.Close())
			o, src := export(t, out.String(), exports.Options{})
			rows, err := readAll(t, o, src, exports.Wanted{Type: usher.IDFA})
			if !is && (err != nil || len(rows) != n) || is && (class(err) != usher.SourceBroken || !strings.Contains(err.Error(), "first in record 3001")) {
				t.Errorf("%s, %v: %d rows, %v", name, is, len(rows), err)
			}
		}
	}
}

// A second field of a device's type, which is empty, does not make it doubtful which field has the ids. Named by the
// source, it may be null in all records of a further file.
func TestAvroSecondDevice(t *testing.T) {
	t.Parallel()
	const fields = `{"name":"idfa","type":"string"},
		{"name":"device","type":["null",{"type":"record","name":"Device","fields":[{"name":"idfv","type":["null","string"]},{"name":"gaid","type":["null","string"]}]}]},
		{"name":"device_before","type":["null","Device"]}`
	dir := t.TempDir()
	for file, before := range map[string]any{"a.avro": map[string]any{"gaid": lowerUUID(1)}, "b.avro": nil} {
		must(t, os.WriteFile(filepath.Join(dir, file), []byte(avroWith(t, 0, 100, fields, func(i int) map[string]any {
			return map[string]any{"device": map[string]any{"gaid": lowerUUID(i)}, "device_before": before}
		})), 0o600))
	}
	for name, c := range map[string]struct {
		src usher.Source
		ids int
	}{
		"chosen": {usher.Source{URL: dir + "/b.avro"}, 100},
		"named":  {usher.Source{URL: dir + "/", Column: "device_before.gaid"}, 100},
	} {
		rows, _, err := readType(t, opener(t, dir, exports.Options{}), &c.src, usher.AAID, 0)
		if err != nil || len(uuidsOf(rows)) != c.ids {
			t.Errorf("%s: %d ids of %d rows, %v", name, len(uuidsOf(rows)), len(rows), err)
		}
	}
}

// TestForgedAvro checks that a block that claims to be large takes no memory.
func TestForgedAvro(t *testing.T) {
	data := avroFile(t)
	header := strings.Index(data, "\x01"+strings.Repeat("\x00", 15)) + 16
	for name, block := range map[string]string{
		"a large block": "\x06\xfe\xff\xff\xff\xff\x0f",
		"many records":  "\xfe\xff\xff\xff\xff\x0f\x04\x00\x00" + "\x01" + strings.Repeat("\x00", 15),
		"negative":      "\x06\x01",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		o, src := export(t, data[:header]+block, exports.Options{})
		rows, _, err := read(t, o, src, 0)
		runtime.ReadMemStats(&after)
		if class(err) != usher.SourceBroken {
			t.Errorf("%s: %d rows, %v", name, len(rows), err)
		}
		if made := after.TotalAlloc - before.TotalAlloc; made > 24<<20 {
			t.Errorf("%s: %d MiB of memory", name, made>>20)
		}
	}
}

// FuzzAvro reads arbitrary data: it never panics.
func FuzzAvro(f *testing.F) {
	f.Add([]byte(avroFile(f)))
	f.Fuzz(func(t *testing.T, data []byte) {
		o, src := export(t, string(data), exports.Options{})
		src.Format = "avro"
		if _, _, err := read(t, o, src, 0); err != nil && permanent(t, err).Hint == "" {
			t.Errorf("no hint: %v", err)
		}
	})
}
