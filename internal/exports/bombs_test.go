package exports_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"usher"
	"usher/internal/exports"
)

// repeated is a stream of one byte, n times.
type repeated struct {
	chunk []byte
	n     int
}

func repeat(c byte, n int) io.Reader {
	return &repeated{bytes.Repeat([]byte{c}, 64<<10), n}
}

func (r *repeated) Read(p []byte) (int, error) {
	if r.n == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.chunk[:min(r.n, len(r.chunk))])
	r.n -= n
	return n, nil
}

// TestBombs reads streams that expand without end, and long lines, in the memory of a
// few blocks.
func TestBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	dir := t.TempDir()
	write := func(name string, fill func(w io.Writer) error) *usher.Source {
		src := &usher.Source{URL: filepath.Join(dir, name)}
		f, err := os.Create(src.URL)
		must(t, err)
		must(t, fill(f))
		must(t, f.Close())
		return src
	}
	const size = 40 << 20
	pack := func(c byte) func(io.Writer) error {
		return func(w io.Writer) error {
			z, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
			if err != nil {
				return err
			}
			if _, err := io.WriteString(z, id1+"\n"); err != nil {
				return err
			}
			if _, err := io.Copy(z, repeat(c, size)); err != nil {
				return err
			}
			return z.Close()
		}
	}
	for _, c := range []struct {
		name string
		src  *usher.Source
		want usher.Class
		rows int
	}{
		{"gzip of line ends", write("lines", pack('\n')), usher.SourceBroken, 0},
		{"gzip of one line", write("line", pack('a')), usher.SourceBroken, 0},
		{"zstd of one line", write("zstd", func(w io.Writer) error {
			z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
			if err != nil {
				return err
			}
			if _, err := io.Copy(z, repeat('a', size)); err != nil {
				return err
			}
			return z.Close()
		}), usher.SourceBroken, 0},
		{"zstd with a large window", write("window", func(w io.Writer) error {
			z, err := zstd.NewWriter(w, zstd.WithWindowSize(64<<20), zstd.WithEncoderConcurrency(1))
			if err != nil {
				return err
			}
			if _, err := io.Copy(z, repeat('a', 4<<20)); err != nil {
				return err
			}
			return errors.Join(z.Flush(), z.Close())
		}), usher.SourceBroken, 0},
		{"lz4 of line ends", write("lz4", func(w io.Writer) error {
			z := lz4.NewWriter(w)
			_, err := io.Copy(z, repeat('\n', size))
			return errors.Join(err, z.Close())
		}), usher.SourceBroken, 0},
		{"bzip2 of line ends", write("bzip2", func(w io.Writer) error {
			_, err := io.WriteString(w, packedFile(t, "lines.txt.bz2"))
			return err
		}), usher.SourceBroken, 0},
		{"xz of line ends", write("xz", func(w io.Writer) error {
			_, err := io.WriteString(w, packedFile(t, "lines.txt.xz"))
			return err
		}), usher.SourceBroken, 0},
		{"xz with a large dictionary in its second stream", write("xz-dictionary", func(w io.Writer) error {
			_, err := io.WriteString(w, packedFile(t, "large-dictionary-later.txt.xz"))
			return err
		}), usher.SourceBroken, 0},
		{"a long line in a list", write("long", func(w io.Writer) error {
			_, err := io.Copy(w, io.MultiReader(strings.NewReader(id1+"\n"), repeat('a', size), strings.NewReader("\n"+id2)))
			return err
		}), "none", 3},
		{"a long record", write("csv", func(w io.Writer) error {
			_, err := io.Copy(w, io.MultiReader(strings.NewReader("n,idfa\n1,"+id1+"\n"), repeat(',', size), strings.NewReader("\n2,"+id2)))
			return err
		}), "none", 3},
		{"a long JSON record", write("json", func(w io.Writer) error {
			_, err := io.Copy(w, io.MultiReader(strings.NewReader(`{"idfa":"`+id1+"\"}\n"), repeat('[', size), strings.NewReader("\n{}")))
			return err
		}), "none", 3},
	} {
		o := opener(t, dir, exports.Options{})
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		rows, _, err := read(t, o, c.src, 1<<40)
		runtime.ReadMemStats(&after)
		if class(err) != c.want || len(rows) != c.rows {
			t.Errorf("%s: %d rows, %v", c.name, len(rows), err)
		}
		if made := after.TotalAlloc - before.TotalAlloc; made > 24<<20 {
			t.Errorf("%s: %d MiB of memory", c.name, made>>20)
		}
	}
}
