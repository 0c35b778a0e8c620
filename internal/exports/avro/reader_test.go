package avro_test

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	library "github.com/twmb/avro"
	"github.com/twmb/avro/ocf"

	"usher"
	"usher/internal/exports/avro"
	"usher/internal/exports/places"
)

const schema = `{"type":"record","name":"r","fields":[
	{"name":"device","type":{"type":"record","name":"d","fields":[
		{"name":"id","type":["null",{"type":"fixed","name":"f","size":16,"logicalType":"uuid"}]},
		{"name":"os","type":"string"}]}},
	{"name":"score","type":"double"},
	{"name":"raw","type":"bytes"},
	{"name":"tags","type":{"type":"array","items":"string"}}]}`

// open opens a file of n records, one in each block.
func open(t *testing.T, n int) (*places.File, []byte) {
	t.Helper()
	parsed, err := library.Parse(schema)
	must(t, err)
	var data bytes.Buffer
	w, err := ocf.NewWriter(&data, parsed, ocf.WithBlockCount(1))
	must(t, err)
	for i := range n {
		must(t, w.Encode(map[string]any{
			"device": map[string]any{"id": [16]byte{1, 2, 15: byte(i)}, "os": strings.Repeat("x", 2000)},
			"score":  math.NaN(), "raw": []byte{0, 0xFF}, "tags": []any{"a", "b"},
		}))
	}
	must(t, w.Close())
	return openData(t, data.Bytes()), data.Bytes()
}

// openData opens a file.
func openData(t *testing.T, data []byte) *places.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "devices.avro")
	must(t, os.WriteFile(path, data, 0o600))
	allowed, err := places.Allow([]string{filepath.Dir(path)})
	must(t, err)
	f, err := places.New(places.Options{Allowed: allowed}).OpenSource(t.Context(), &usher.Source{URL: path}, places.Range{})
	must(t, err)
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// TestReader checks what records are as JSON, with all fields and with some.
func TestReader(t *testing.T) {
	t.Parallel()
	const id = `"id":"01020000-0000-0000-0000-000000000000"`
	for name, c := range map[string]struct {
		paths []string
		want  string
	}{
		"all":  {nil, `{"device":{` + id + `,"os":"` + strings.Repeat("x", 1024) + `"},"raw":"00ff","score":null,"tags":["a","b"]}` + "\n"},
		"some": {[]string{"device.id", "tags"}, `{"device":{` + id + `,"os":"` + strings.Repeat("x", 2000) + `"},"tags":["a","b"]}` + "\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, _ := open(t, 1)
			in := places.NewInput(t.Context(), f, 0, f.Size)
			r, err := avro.Open(in, in, avro.Layout{MaxRatio: 200, Paths: c.paths})
			must(t, err)
			defer r.Close()
			if paths, _ := r.Paths(); !slices.Equal(paths, []string{"device.id", "device.os", "score", "raw", "tags"}) {
				t.Errorf("paths %q", paths)
			}
			if got, err := io.ReadAll(r); string(got) != c.want || err != nil {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}

// TestPaths lists the paths of schemas whose types are defined once and referred to by their names.
func TestPaths(t *testing.T) {
	t.Parallel()
	wide := `{"name":"f0","type":{"type":"record","name":"r0","fields":[{"name":"opted_out","type":"string"}]}}`
	for i := range 16 { // each record has ten of the one before
		var fields []string
		for j := range 10 {
			fields = append(fields, fmt.Sprintf(`{"name":"x%d","type":"r%d"}`, j, i))
		}
		wide += fmt.Sprintf(`,{"name":"f%d","type":{"type":"record","name":"r%d","fields":[%s]}}`, i+1, i+1, strings.Join(fields, ","))
	}
	for name, c := range map[string]struct {
		fields string
		paths  []string
		again  []string
	}{
		"records": {
			`{"name":"a","type":["null",{"type":"record","name":"Profile","fields":[{"name":"idfa","type":"string"},{"name":"opted_out","type":"boolean"}]}]},
			{"name":"b","type":["null","Profile"]},{"name":"c","type":{"type":"array","items":"Profile"}}`,
			[]string{"a.idfa", "a.opted_out"}, []string{"b.idfa", "b.opted_out", "c.idfa", "c.opted_out"},
		},
		"namespaces": {
			`{"name":"a","type":{"type":"record","name":"X","namespace":"one","fields":[{"name":"x1","type":"string"},{"name":"y","type":["null",{"type":"enum","name":"E","symbols":["s"]}]},{"name":"z","type":"E"}]}},
			{"name":"b","type":{"type":"record","name":"two.X","fields":[{"name":"x2","type":"string"},{"name":"z","type":["null","one.E"]}]}},
			{"name":"c","type":["null","one.X"]},{"name":"d","type":["null","two.X"]}`,
			[]string{"a.x1", "a.y", "b.x2"}, []string{"a.z", "b.z", "c.x1", "c.y", "c.z", "d.x2", "d.z"},
		},
		"within itself": {
			`{"name":"a","type":{"type":"record","name":"Node","fields":[{"name":"x","type":"string"},{"name":"next","type":["null","Node"]}]}}`,
			[]string{"a.x"}, nil,
		},
		"of a map": {
			`{"name":"a","type":{"type":"map","values":{"type":"record","name":"V","fields":[{"name":"x","type":"string"}]}}},{"name":"b","type":["null","V"]}`,
			nil, []string{"b.x"},
		},
	} {
		paths, again := pathsOf(t, c.fields)
		if !slices.Equal(paths, c.paths) || !slices.Equal(again, c.again) {
			t.Errorf("%s: %q and %q", name, paths, again)
		}
	}
	if paths, again := pathsOf(t, wide); len(paths) != 1 || len(again) < 1000 || len(again) > 10_000 {
		t.Errorf("%d and %d paths", len(paths), len(again))
	}
}

// fileOf returns a file of n records with fields, compressed.
func fileOf(t *testing.T, fields string, n int, record func(i int) map[string]any) []byte {
	t.Helper()
	parsed, err := library.Parse(`{"type":"record","name":"r","fields":[` + fields + `]}`)
	must(t, err)
	var data bytes.Buffer
	w, err := ocf.NewWriter(&data, parsed, ocf.WithBlockBytes(1<<20), ocf.WithCodec(ocf.DeflateCodec(9)))
	must(t, err)
	for i := range n {
		must(t, w.Encode(record(i)))
	}
	must(t, w.Close())
	return data.Bytes()
}

// pathsOf returns the paths of a schema with fields, by a file without records.
func pathsOf(t *testing.T, fields string) (paths, again []string) {
	t.Helper()
	f := openData(t, fileOf(t, fields, 0, nil))
	in := places.NewInput(t.Context(), f, 0, f.Size)
	r, err := avro.Open(in, in, avro.Layout{MaxRatio: 200})
	must(t, err)
	defer r.Close()
	return r.Paths()
}

// TestLongKeys reads records of a map with another key of 1 MiB each, which pack well: they do not stay in memory.
func TestLongKeys(t *testing.T) {
	const n, long = 48, 1 << 20
	f := openData(t, fileOf(t, `{"name":"id","type":"string"},{"name":"about","type":{"type":"map","values":"string"}}`, n, func(i int) map[string]any {
		about := map[string]any{fmt.Sprintf("%d%s", i, strings.Repeat("x", long)): "", "opted_out": "yes", strings.Repeat("x", 300) + ".consent": "no"}
		return map[string]any{"id": "a", "about": about}
	}))
	if f.Size > 1<<20 {
		t.Fatalf("the file has %d bytes", f.Size)
	}
	in := places.NewInput(t.Context(), f, 0, f.Size)
	r, err := avro.Open(in, in, avro.Layout{MaxRatio: 200, Paths: []string{"id"}, InMap: func(path string) bool {
		return strings.HasSuffix(path, "opted_out") || strings.HasSuffix(path, ".consent")
	}})
	must(t, err)
	defer r.Close()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	got, err := io.ReadAll(r)
	must(t, err)
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 24<<20 {
		t.Errorf("%d MiB stay in memory", grown>>20)
	}
	if want := strings.Repeat(`{"about":{"opted_out":"yes","`+strings.Repeat("x", 300)+`.consent":"no"},"id":"a"}`+"\n", n); string(got) != want {
		t.Errorf("%d bytes, not %d: %.500s", len(got), len(want), got)
	}
}

// TestWindows checks that windows have whole records from all over a file.
func TestWindows(t *testing.T) {
	t.Parallel()
	f, data := open(t, 100)
	windows, err := avro.Windows(t.Context(), f, data[:8<<10], 3, 2<<10, avro.Layout{MaxRatio: 200})
	if err != nil || len(windows) != 3 {
		t.Fatalf("%d windows, %v", len(windows), err)
	}
	var last []byte
	for i, window := range windows {
		if !bytes.HasPrefix(window, []byte(`{"device":{"id":"01020000-`)) || len(window) > 2<<10 || bytes.Equal(window, last) {
			t.Errorf("window %d: %.100q", i, window)
		}
		last = window
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
