package exports_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

func gzipped(t testing.TB, data string) string {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write([]byte(data)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func zstdPacked(t testing.TB, data string) string {
	t.Helper()
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithZeroFrames(true))
	if err != nil {
		t.Fatal(err)
	}
	out := w.EncodeAll([]byte(data), nil)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func lz4Packed(t testing.TB, data string, options ...lz4.Option) string {
	t.Helper()
	var out bytes.Buffer
	w := lz4.NewWriter(&out)
	must(t, w.Apply(options...))
	_, err := w.Write([]byte(data))
	must(t, errors.Join(err, w.Close()))
	return out.String()
}

// packedFile returns a file of testdata/packed.
func packedFile(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata/packed", name))
	must(t, err)
	return string(data)
}
