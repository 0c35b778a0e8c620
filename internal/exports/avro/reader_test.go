package avro_test

import (
	"bytes"
	"io"
	"math"
	"os"
	"path/filepath"
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
	path := filepath.Join(t.TempDir(), "devices.avro")
	must(t, os.WriteFile(path, data.Bytes(), 0o600))
	allowed, err := places.Allow([]string{filepath.Dir(path)})
	must(t, err)
	f, err := places.New(places.Options{Allowed: allowed}).OpenSource(t.Context(), &usher.Source{URL: path}, places.Range{})
	must(t, err)
	t.Cleanup(func() { _ = f.Close() })
	return f, data.Bytes()
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
			if paths := r.Paths(); !slices.Equal(paths, []string{"device.id", "device.os", "score", "raw", "tags"}) {
				t.Errorf("paths %q", paths)
			}
			if got, err := io.ReadAll(r); string(got) != c.want || err != nil {
				t.Errorf("%q, %v", got, err)
			}
		})
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
