package places_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"usher"
	"usher/internal/azuretest"
	"usher/internal/exports/places"
)

// TestMove moves objects of each kind of store.
func TestMove(t *testing.T) {
	t.Parallel()
	for _, s := range []store{newS3(t), newGoogle(t)} {
		t.Run(s.scheme, func(t *testing.T) {
			t.Parallel()
			testMove(t, s)
		})
	}
	t.Run("azblob", func(t *testing.T) {
		t.Parallel()
		bucket := bucketName()
		options, client := azuretest.Serve(t, bucket)
		testMove(t, store{
			scheme: "azblob", option: "?" + options, bucket: bucket,
			put: func(t *testing.T, bucket, key string, data []byte) {
				t.Helper()
				if _, err := client.UploadBuffer(t.Context(), bucket, key, data, nil); err != nil {
					t.Fatal(err)
				}
			},
		})
	})
}

// testMove moves an object within its bucket. It does so again after a copy that was not followed
// by the removal, beside another object of its name, and after a change, which it refuses.
func testMove(t *testing.T, s store) {
	t.Helper()
	bucket := s.bucket
	if bucket == "" {
		bucket = bucketName()
	}
	access := s.access(t, bucket)
	from, to := location(t, s, bucket, "in/new/"), location(t, s, bucket, "in/done/")
	origin := places.Origin(from.String())
	list := func(at places.Location) map[string]usher.File {
		t.Helper()
		files, err := access.List(t.Context(), origin, at, "", 100)
		if err != nil && classOf(err) != usher.SourceMissing {
			t.Fatal(err)
		}
		found := map[string]usher.File{}
		for _, f := range files {
			found[f.Name] = f
		}
		return found
	}
	put := func(key, text string) { t.Helper(); s.put(t, bucket, key, []byte(text)) }
	move := func(f usher.File) error { return access.Move(t.Context(), origin, from, f, to, "again-") }

	put("in/new/a", "one")
	a := list(from)["a"]
	if err := move(a); err != nil {
		t.Fatal(err)
	}
	if left, there := list(from), list(to); len(left) != 0 || len(there) != 1 || there["a"].Size != 3 {
		t.Fatalf("after a move: %v and %v", left, there)
	}
	if err := move(a); err != nil {
		t.Errorf("a repeated move: %v", err)
	}
	put("in/new/a", "one")
	if err := move(list(from)["a"]); err != nil || len(list(from)) != 0 || len(list(to)) != 1 {
		t.Errorf("after a move that was killed: %v, %v, %v", err, list(from), list(to))
	}
	put("in/new/a", "other")
	if err := move(list(from)["a"]); err != nil || len(list(from)) != 0 || list(to)["again-a"].Size != 5 || list(to)["a"].Size != 3 {
		t.Errorf("after a move beside another file: %v, %v, %v", err, list(from), list(to))
	}
	put("in/new/b", "old")
	b := list(from)["b"]
	put("in/new/b", "newer")
	if err := move(b); classOf(err) != usher.SourceBroken || len(list(from)) != 1 || len(list(to)) != 2 {
		t.Errorf("a move of a changed object: %v, %v, %v", err, list(from), list(to))
	}
}

func location(t *testing.T, s store, bucket, key string) places.Location {
	t.Helper()
	at, err := places.Parse(s.scheme + "://" + bucket + "/" + key)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// A worker that is killed while it copies a file to another file system leaves a hidden file. The
// next one goes on with it, whatever is in it.
func TestMoveAfterKill(t *testing.T) {
	t.Parallel()
	other, err := os.MkdirTemp("/dev/shm", "usher-places-*")
	if err != nil {
		t.Skip("there is no other file system: ", err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(other) })
	dir := t.TempDir()
	allowed, err := places.Allow([]string{dir, other})
	if err != nil {
		t.Fatal(err)
	}
	access := places.New(places.Options{Allowed: allowed})
	t.Cleanup(access.Close)
	from, to := fileLocation(t, dir+"/"), fileLocation(t, other+"/")
	origin := places.Origin(from.String())
	data := bytes.Repeat([]byte(anID), 100_000)
	if err := os.WriteFile(filepath.Join(dir, "a.csv"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	files, err := access.List(t.Context(), origin, from, "", 1)
	if err != nil {
		t.Fatal(err)
	}
	ctx := &endsWhileCopying{Context: t.Context(), folder: other}
	if err := access.Move(ctx, origin, from, files[0], to, ""); err == nil || ctx.hidden == "" {
		t.Fatalf("a move with a context that ends: %v", err)
	}
	if err := os.WriteFile(filepath.Join(other, ctx.hidden), bytes.Repeat([]byte("x"), len(data)+7), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := access.Move(t.Context(), origin, from, files[0], to, ""); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(other)
	if err != nil || len(entries) != 1 || entries[0].Name() != "a.csv" {
		t.Errorf("after the move there are %v: %v", entries, err)
	}
	if moved, err := os.ReadFile(filepath.Join(other, "a.csv")); err != nil || !bytes.Equal(moved, data) {
		t.Errorf("the moved file has %d bytes, not those of the export: %v", len(moved), err)
	}
}

// endsWhileCopying is a context that has ended once its folder has a hidden file.
type endsWhileCopying struct {
	context.Context

	folder, hidden string
}

func (c *endsWhileCopying) Err() error {
	if entries, err := os.ReadDir(c.folder); err == nil && len(entries) > 0 {
		c.hidden = entries[0].Name()
		return context.Canceled
	}
	return c.Context.Err()
}

func fileLocation(t *testing.T, path string) places.Location {
	t.Helper()
	at, err := places.Parse(path)
	if err != nil {
		t.Fatal(err)
	}
	return at
}
