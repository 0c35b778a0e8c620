package places_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"usher"
	"usher/internal/exports/places"
)

// contentKind is a kind of content: how to store a file, and how to open it.
type contentKind struct {
	put  func(t *testing.T, data []byte)
	open func(t *testing.T) (places.Content, error)
}

// newContentKind returns a contentKind with a new file.
type newContentKind func(t *testing.T) contentKind

// testContent checks an implementation of content against the contract of the
// interface.
func testContent(t *testing.T, kind newContentKind) {
	t.Helper()
	for name, check := range map[string]func(*testing.T, newContentKind){
		"at any offset":            contentAtOffsets,
		"in order":                 contentInOrder,
		"side by side":             contentConcurrently,
		"at its end":               contentAtEnd,
		"empty":                    contentEmpty,
		"its state":                contentState,
		"changed while it is read": contentChanged,
		"cancelled":                contentCancelled,
		"missing":                  contentMissing,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			check(t, kind)
		})
	}
}

// contentData returns the data of the file in most checks.
func contentData() []byte {
	data := make([]byte, 1<<20+17)
	for i := range data {
		data[i] = byte(i * i >> 7)
	}
	return data
}

// openContent stores data and opens it.
func openContent(t *testing.T, kind newContentKind, data []byte) (contentKind, places.Content) {
	t.Helper()
	k := kind(t)
	k.put(t, data)
	c, err := k.open(t)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return k, c
}

func contentAtOffsets(t *testing.T, kind newContentKind) {
	t.Helper()
	data := contentData()
	_, c := openContent(t, kind, data)
	for _, r := range []struct{ off, n int }{
		{0, 1}, {1, 100}, {101, 64 << 10}, {5, 3}, {1 << 20, 17}, {len(data) - 1, 1}, {700_000, 300_000}, {0, len(data)}, {0, 0},
	} {
		p := make([]byte, r.n)
		n, err := c.ReadAt(t.Context(), p, int64(r.off))
		if n != r.n || err != nil && (!errors.Is(err, io.EOF) || r.off+r.n < len(data)) || !bytes.Equal(p, data[r.off:r.off+r.n]) {
			t.Errorf("at %d: %d of %d bytes, %v", r.off, n, r.n, err)
		}
	}
}

func contentInOrder(t *testing.T, kind newContentKind) {
	t.Helper()
	data := contentData()
	_, c := openContent(t, kind, data)
	got, p := []byte(nil), make([]byte, 4099)
	for {
		n, err := c.ReadAt(t.Context(), p, int64(len(got)))
		got = append(got, p[:n]...)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil || n != len(p) {
			t.Fatalf("%d bytes, %v", n, err)
		}
	}
	if !bytes.Equal(got, data) {
		t.Errorf("%d bytes, not the %d that were put there", len(got), len(data))
	}
}

func contentConcurrently(t *testing.T, kind newContentKind) {
	t.Helper()
	data := contentData()
	_, c := openContent(t, kind, data)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			p := make([]byte, 1000)
			for off := i * 1000; off+len(p) < len(data); off += 97_001 {
				if _, err := c.ReadAt(t.Context(), p, int64(off)); err != nil || !bytes.Equal(p, data[off:off+len(p)]) {
					t.Errorf("at %d: %v", off, err)
				}
			}
		})
	}
	all.Wait()
}

func contentAtEnd(t *testing.T, kind newContentKind) {
	t.Helper()
	data := contentData()
	_, c := openContent(t, kind, contentData()[:1000])
	p := make([]byte, 100)
	if n, err := c.ReadAt(t.Context(), p, 950); n != 50 || !errors.Is(err, io.EOF) || !bytes.Equal(p[:n], data[950:1000]) {
		t.Errorf("over the end: %d bytes, %v", n, err)
	}
	for _, off := range []int64{1000, 5000} {
		if n, err := c.ReadAt(t.Context(), p, off); n != 0 || !errors.Is(err, io.EOF) {
			t.Errorf("at %d: %d bytes, %v", off, n, err)
		}
	}
}

func contentEmpty(t *testing.T, kind newContentKind) {
	t.Helper()
	_, c := openContent(t, kind, nil)
	if n, err := c.ReadAt(t.Context(), make([]byte, 10), 0); n != 0 || !errors.Is(err, io.EOF) {
		t.Errorf("%d bytes, %v", n, err)
	}
	if s, err := c.State(t.Context()); s.Size != 0 || err != nil {
		t.Errorf("state %+v, %v", s, err)
	}
}

func contentState(t *testing.T, kind newContentKind) {
	t.Helper()
	data := contentData()
	k, c := openContent(t, kind, data)
	s, err := c.State(t.Context())
	if s.Size != int64(len(data)) || s.Stamp == "" || err != nil {
		t.Errorf("state %+v, %v", s, err)
	}
	again, err := k.open(t)
	if err != nil {
		t.Fatal(err)
	}
	if now, err := again.State(t.Context()); now != s || err != nil {
		t.Errorf("opened again: %+v, then %+v, %v", s, now, err)
	}
	_ = again.Close()
	k.put(t, append([]byte("x"), data[1:]...))
	other, err := k.open(t)
	if err != nil {
		t.Fatal(err)
	}
	if now, err := other.State(t.Context()); now.Stamp == s.Stamp || err != nil {
		t.Errorf("changed: %+v, then %+v, %v", s, now, err)
	}
	_ = other.Close()
}

func contentChanged(t *testing.T, kind newContentKind) {
	t.Helper()
	data := contentData()
	k, c := openContent(t, kind, data)
	p := make([]byte, 10)
	if _, err := c.ReadAt(t.Context(), p, 0); err != nil {
		t.Fatal(err)
	}
	k.put(t, bytes.Repeat([]byte("x"), len(data)))
	// It returns the old bytes or an error, and never the new bytes.
	if _, err := c.ReadAt(t.Context(), p, 900_000); err == nil && !bytes.Equal(p, data[900_000:900_010]) {
		t.Errorf("it reads %q", p)
	} else if err != nil {
		var broken *usher.Permanent
		if !errors.As(err, &broken) || broken.Class != usher.SourceBroken {
			t.Errorf("it ends with %v", err)
		}
	}
}

func contentCancelled(t *testing.T, kind newContentKind) {
	t.Helper()
	data := contentData()
	_, c := openContent(t, kind, data)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(usher.ErrCancelled)
	if _, err := c.ReadAt(ctx, make([]byte, 10), 800_000); !errors.Is(err, usher.ErrCancelled) {
		t.Errorf("it ends with %v", err)
	}
	if n, err := c.ReadAt(t.Context(), make([]byte, 10), 800_000); n != 10 || err != nil {
		t.Errorf("the next call: %d bytes, %v", n, err)
	}
}

func contentMissing(t *testing.T, kind newContentKind) {
	t.Helper()
	c, err := kind(t).open(t)
	var missing *usher.Permanent
	if !errors.As(err, &missing) || missing.Class != usher.SourceMissing {
		t.Errorf("opened %v, %v", c, err)
	}
}

func TestDisk(t *testing.T) {
	t.Parallel()
	testContent(t, func(t *testing.T) contentKind {
		t.Helper()
		dir := t.TempDir()
		path := filepath.Join(dir, "export")
		allowed, err := places.Allow([]string{dir})
		if err != nil {
			t.Fatal(err)
		}
		access := places.New(places.Options{Allowed: allowed})
		return contentKind{
			put: func(t *testing.T, data []byte) { // complete, by rename, as exports are written
				t.Helper()
				if err := errors.Join(os.WriteFile(path+".new", data, 0o600), os.Rename(path+".new", path)); err != nil {
					t.Fatal(err)
				}
			},
			open: func(t *testing.T) (places.Content, error) {
				t.Helper()
				f, err := access.OpenSource(t.Context(), &usher.Source{URL: path}, places.Range{})
				if err != nil {
					return nil, err
				}
				return f.Content(), nil
			},
		}
	})
}
