package exports_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/internal/exports"
)

// TestFlippedIsNotPlanned flips a bit in the middle of a compressed export: Plan refuses
// it, so that no id is sent that was never in it.
func TestFlippedIsNotPlanned(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(11, 12))
	var rows []string
	for range 1500 {
		rows = append(rows, fmt.Sprintf("%08X-%04X-4%03X-A%03X-%012X", random.Uint32(), random.IntN(1<<16), random.IntN(1<<12), random.IntN(1<<12), random.Uint64N(1<<48)))
	}
	text := strings.Join(rows, "\n")
	for name, whole := range map[string]string{"gzip": gzipped(t, text), "zstd": zstdPacked(t, text), "zip": zipped(t, member{"a", text, 8, 0})} {
		dir := t.TempDir()
		o := opener(t, dir, exports.Options{})
		src := &usher.Source{URL: dir + "/export", Compression: name, Format: "text"}
		for range 60 {
			data := []byte(whole)
			data[len(data)/10+random.IntN(len(data)*8/10)] ^= 1 << random.IntN(8)
			must(t, os.WriteFile(src.URL, data, 0o600))
			_, err := o.Plan(t.Context(), src, exports.Wanted{}, 0)
			if err == nil { // a bit without a meaning
				got, _, err := read(t, o, src, 0)
				if err != nil || !slices.Equal(got, rows) {
					t.Errorf("%s: planned, then %d rows, %v", name, len(got), err)
				}
			} else if class(err) != usher.SourceBroken || permanent(t, err).Hint == "" {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// TestChecksAreReported checks that the progress of the check of a compressed export is
// reported, in bytes that only grow, and its end, even if the export is damaged.
func TestChecksAreReported(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(15, 16))
	var text strings.Builder
	for range 8000 {
		fmt.Fprintf(&text, "%08X-0000-4000-A000-%012X\n", random.Uint32(), random.Uint64N(1<<48))
	}
	packed := gzipped(t, text.String())
	for name, data := range map[string]string{
		"gzip": packed, "damaged gzip": packed[:len(packed)/2] + "damage" + packed[len(packed)/2+6:],
		"zstd": zstdPacked(t, text.String()),
		"zip":  zipped(t, member{"a", text.String(), 8, 0}, member{"b", text.String(), 8, 0}),
	} {
		o, src := export(t, data, exports.Options{})
		var at, total int64
		told, over := 0, 0
		_, err := o.WithProgress(func(c *usher.Check) {
			if c == nil {
				over++
				return
			}
			if c.Read < at || c.Read > c.Total || over > 0 {
				t.Errorf("%s: %d of %d after %d, over %d times", name, c.Read, c.Total, at, over)
			}
			at, total, told = c.Read, c.Total, told+1
		}, nil).Plan(t.Context(), src, exports.Wanted{}, 0)
		whole := at == total
		if name == "damaged gzip" {
			whole = class(err) == usher.SourceBroken
		}
		if !whole || told < 3 || over != 1 || total < int64(len(data)) {
			t.Errorf("%s: told %d times, to %d of %d, over %d times, %v", name, told, at, total, over, err)
		}
	}
	o, src := export(t, text.String(), exports.Options{})
	if _, err := o.WithProgress(func(c *usher.Check) { t.Errorf("plain text is checked: %v", c) }, nil).Plan(t.Context(), src, exports.Wanted{}, 0); err != nil {
		t.Error(err)
	}
}

// TestFlippedInFolder does the same with a file of a folder: no block has a row that was
// not in one of its files.
func TestFlippedInFolder(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	random := rand.New(rand.NewPCG(13, 14))
	dir := t.TempDir()
	known := map[string]bool{}
	var packed []byte
	for _, name := range []string{"a.gz", "b.gz"} {
		var text strings.Builder
		for range 3000 {
			id := fmt.Sprintf("%08X-0000-4000-A000-%012X", random.Uint32(), random.Uint64N(1<<48))
			known[id] = true
			text.WriteString(id + "\n")
		}
		packed = []byte(gzipped(t, text.String()))
		must(t, os.WriteFile(dir+"/"+name, packed, 0o600))
	}
	o, src := opener(t, dir, exports.Options{}), &usher.Source{URL: "file://" + dir + "/"}
	for range 40 {
		data := slices.Clone(packed)
		data[len(data)/4+random.IntN(len(data)/2)] ^= 1 << random.IntN(8)
		must(t, os.WriteFile(dir+"/b.gz", data, 0o600))
		plan, err := o.Plan(t.Context(), src, exports.Wanted{}, 0)
		must(t, err)
		broken := false
		for _, part := range plan.Parts {
			r, err := o.Open(t.Context(), src, plan, part)
			if class(err) == usher.SourceBroken {
				broken = true
				continue
			}
			must(t, err)
			for {
				var b *usher.Block
				if b, err = r.Next(t.Context()); err != nil {
					break
				}
				for _, row := range rowsOf(b) {
					if !known[row] {
						t.Fatalf("a row was in no file: %q", row)
					}
				}
				b.Release()
			}
			broken = broken || class(err) == usher.SourceBroken
			must(t, r.Close())
		}
		if !broken {
			t.Error("the damage was not found")
		}
	}
}

// TestChanged changes a file between its plan and its end: it is never read to its end
// without an error.
func TestChanged(t *testing.T) {
	t.Parallel()
	list := strings.Repeat(id1+"\n", 20_000)
	for _, c := range []struct {
		name   string
		change func(path string) error
		late   usher.Class // if it changes after the first block
		early  usher.Class // if it changes before Open
	}{
		{"touched", func(p string) error { return os.Chtimes(p, time.Time{}, time.Unix(1, 1)) }, usher.SourceBroken, usher.SourceBroken},
		{"truncated", func(p string) error { return os.Truncate(p, 370) }, usher.SourceBroken, usher.SourceBroken},
		{"truncated at a line", func(p string) error { return os.Truncate(p, 10_000*37) }, usher.SourceBroken, usher.SourceBroken},
		{"appended", func(p string) error { return appendTo(p, id2) }, usher.SourceBroken, usher.SourceBroken},
		{"replaced", func(p string) error { return replace(p, list) }, "none", usher.SourceBroken},
		{"removed", os.Remove, "none", usher.SourceMissing},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o, src := export(t, list, exports.Options{})
			plan, err := o.Plan(t.Context(), src, exports.Wanted{}, 0)
			must(t, err)
			r, err := o.Open(t.Context(), src, plan, plan.Parts[0])
			must(t, err)
			b, err := r.Next(t.Context())
			must(t, err)
			b.Release()
			must(t, c.change(src.URL))
			for err == nil {
				if b, err = r.Next(t.Context()); err == nil {
					b.Release()
				}
			}
			if errors.Is(err, io.EOF) {
				err = nil
			}
			if class(err) != c.late {
				t.Errorf("while it is read: %v", err)
			}
			must(t, r.Close())
			if _, err := o.Open(t.Context(), src, plan, plan.Parts[0]); class(err) != c.early {
				t.Errorf("before it is opened: %v", err)
			}
		})
	}
}

func appendTo(path, data string) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(data)
	return errors.Join(err, f.Close())
}

func replace(path, data string) error {
	if err := os.WriteFile(path+".new", []byte(data), 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// TestCancelled cancels a context: its cause is returned unchanged.
func TestCancelled(t *testing.T) {
	t.Parallel()
	for _, data := range []string{strings.Repeat(id1+"\n", 20_000), gzipped(t, strings.Repeat(id1+"\n", 20_000))} {
		o, src := export(t, data, exports.Options{})
		ctx, cancel := context.WithCancelCause(t.Context())
		plan, err := o.Plan(ctx, src, exports.Wanted{}, 0)
		must(t, err)
		r, err := o.Open(ctx, src, plan, plan.Parts[0])
		must(t, err)
		b, err := r.Next(ctx)
		must(t, err)
		b.Release()
		cancel(usher.ErrCancelled)
		if _, err := r.Next(ctx); !errors.Is(err, usher.ErrCancelled) {
			t.Errorf("next: %v", err)
		}
		if _, err := o.Plan(ctx, src, exports.Wanted{}, 0); !errors.Is(err, usher.ErrCancelled) {
			t.Errorf("plan: %v", err)
		}
		if _, err := o.Open(ctx, src, plan, plan.Parts[0]); !errors.Is(err, usher.ErrCancelled) && bytes.HasPrefix([]byte(data), []byte{0x1f}) {
			t.Errorf("open: %v", err)
		}
		must(t, r.Close())
		if _, err := r.Next(t.Context()); err == nil {
			t.Error("a closed reader can be read")
		}
	}
}

// TestAheadCancel stops reading a compressed export after some blocks, by its context
// and by closing it. TestMain finds goroutines that are left.
func TestAheadCancel(t *testing.T) {
	t.Parallel()
	data := strings.Repeat(id1+"\n"+id3+"\n", 40_000)
	for name, packed := range map[string]string{"gzip": gzipped(t, data), "zstd": zstdPacked(t, data)} {
		o, src := export(t, packed, exports.Options{})
		plan, err := o.Plan(t.Context(), src, exports.Wanted{}, 0)
		must(t, err)
		for blocks := range 4 {
			r, err := o.Open(t.Context(), src, plan, plan.Parts[0])
			must(t, err)
			ctx, cancel := context.WithCancelCause(t.Context())
			for range blocks {
				b, err := r.Next(ctx)
				must(t, err)
				b.Release()
			}
			cause := errors.New("enough")
			cancel(cause)
			if _, err := r.Next(ctx); !errors.Is(err, cause) {
				t.Errorf("%s: after %d blocks and a cancel: %v", name, blocks, err)
			}
			b, err := r.Next(t.Context()) // the reader can go on
			must(t, err)
			b.Release()
			must(t, r.Close())
			must(t, r.Close())
		}
	}
}
