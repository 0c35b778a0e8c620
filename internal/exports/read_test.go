package exports_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
	"go.uber.org/goleak"

	"usher"
	"usher/internal/exports"
	"usher/internal/exports/places"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("go.opencensus.io/stats/view.(*worker).start"))
}

const (
	id1 = "6D92078A-8246-4BA4-AE5B-76104861E7DC"
	id2 = "5AAB8704-4D8C-4879-8993-C6DD8361F88F"
	id3 = "97987bca-ae59-4c7d-94ba-ee4f19ab8c21"
	id4 = "af3802a465767e36"
)

// opener returns an Opener with options o that may read dir.
func opener(t testing.TB, dir string, o exports.Options) *exports.Opener {
	t.Helper()
	allowed, err := places.Allow([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	return exports.New(places.New(places.Options{Allowed: allowed}), o)
}

// export writes data to a file and returns its source and an Opener for it.
func export(t testing.TB, data string, o exports.Options) (*exports.Opener, *usher.Source) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "export")
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	return opener(t, dir, o), &usher.Source{URL: path}
}

// read plans an export and reads all of its parts.
func read(t testing.TB, o *exports.Opener, src *usher.Source, partBytes int64) ([]string, usher.Plan, error) {
	t.Helper()
	return readType(t, o, src, "", partBytes)
}

// readType is read for a type of ids.
func readType(t testing.TB, o *exports.Opener, src *usher.Source, wanted usher.IDType, partBytes int64) ([]string, usher.Plan, error) {
	t.Helper()
	plan, err := o.Plan(t.Context(), src, exports.Wanted{Type: wanted}, partBytes)
	if err != nil {
		return nil, plan, err
	}
	var rows []string
	for _, part := range plan.Parts {
		more, err := readPart(t, o, src, plan, part)
		if err != nil {
			return nil, plan, err
		}
		rows = append(rows, more...)
	}
	return rows, plan, nil
}

// readPart reads the rows of a part, and checks the contract of Block. It overwrites
// each buffer before it releases the block, so that data that is used later shows.
func readPart(t testing.TB, o *exports.Opener, src *usher.Source, plan usher.Plan, part usher.Part) ([]string, error) {
	t.Helper()
	r, err := o.Open(t.Context(), src, plan, part)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}()
	var rows []string
	for unended := false; ; {
		b, err := r.Next(t.Context())
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, err
		}
		if unended {
			t.Error("a block follows a block whose last line has no line end")
		}
		unended = !bytes.HasSuffix(b.Data, []byte{'\n'})
		more := rowsOf(b)
		if len(more) == 0 {
			t.Error("a block has no rows")
		}
		rows = append(rows, more...)
		data := b.Data[:cap(b.Data)]
		for i := range data {
			data[i] = '!'
		}
		b.Release()
	}
}

// rowsOf splits a block as the pipeline does: blank lines of plain text are not rows,
// and spaces around a value do not belong to it.
func rowsOf(b *usher.Block) []string {
	var rows []string
	for line := range strings.Lines(string(b.Data)) {
		line = strings.Trim(line, " \t\r\n\u00a0\ufeff")
		if line != "" || b.Records {
			rows = append(rows, line)
		}
	}
	return rows
}

// class returns the class of a Permanent, "none" for no error, and "retryable" for any
// other error.
func class(err error) usher.Class {
	var p *usher.Permanent
	switch {
	case err == nil:
		return "none"
	case errors.As(err, &p):
		return p.Class
	}
	return "retryable"
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func permanent(t testing.TB, err error) *usher.Permanent {
	t.Helper()
	var p *usher.Permanent
	if !errors.As(err, &p) {
		t.Fatalf("%v is not permanent", err)
	}
	return p
}

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
