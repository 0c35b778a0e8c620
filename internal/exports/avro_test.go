package exports_test

import (
	"bytes"
	"encoding/hex"
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
