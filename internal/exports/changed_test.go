package exports_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"usher"
	"usher/internal/exports"
)

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
