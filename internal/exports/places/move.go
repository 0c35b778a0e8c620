package places

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"

	"usher"
)

// Move moves a file, which must be unchanged, to an allowed folder. If that has another file
// of the name, the moved file's name gets a prefix. It may be repeated after a crash at any
// point: the file is removed only when its copy is complete, and a copy that is there is used.
// If the file is no longer there, Move does nothing.
func (a *Access) Move(ctx context.Context, from Origin, at Location, file usher.File, to Location, prefix string) error {
	source := at.File(file.Name)
	origin := from.File(file.Name)
	f, err := a.Open(ctx, origin, source, Range{})
	var refused *usher.Permanent
	if errors.As(err, &refused) && refused.Class == usher.SourceMissing {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // only read
	if f.Size != file.Size || f.Stamp != file.Stamp {
		return f.Changed()
	}
	target, err := a.target(origin, to)
	if err != nil {
		return err
	}
	defer target.close()
	name, copied, err := freeName(ctx, f, target, file.Name, prefix+file.Name)
	if err != nil {
		return origin.jobError(ctx, "move", err)
	}
	if !copied {
		if moved, err := a.rename(origin, source, file, target, name); moved || err != nil {
			return err
		}
		if err := target.write(ctx, f, name); err != nil {
			return origin.jobError(ctx, "move", err)
		}
	}
	return a.remove(ctx, origin, source, file)
}

// freeName returns the first of some names that no other file in the target has, and reports
// whether the target has a copy of f there.
func freeName(ctx context.Context, f *File, to target, names ...string) (name string, copied bool, err error) {
	for _, name := range names {
		same, exists, err := to.compare(ctx, f, name)
		if err != nil || same || !exists {
			return name, same, err
		}
	}
	return "", false, f.refused("remove it from that folder", "the folder to which it is moved has other files of its name")
}

// target is a folder to which files are moved.
type target interface {
	// compare reports whether the folder has a file of a name, and whether its content is
	// that of f.
	compare(ctx context.Context, f *File, name string) (same, exists bool, err error)
	// write writes a copy of f, which is visible only when it is complete.
	write(ctx context.Context, f *File, name string) error
	// draft begins to write a file of a name.
	draft(ctx context.Context, name string) (Draft, error)
	close()
}

// target opens the folder to, and makes it if it is a missing directory.
func (a *Access) target(o Origin, to Location) (target, error) {
	if to.scheme != "file" {
		if err := a.allowed.allow(o, to); err != nil {
			return nil, err
		}
		bucket, err := a.buckets.bucket(context.Background(), to)
		return bucketTarget{bucket, strings.TrimPrefix(to.File("").path, "/")}, err
	}
	for _, place := range a.allowed.existing() {
		rel, ok := below(place.given, to.path)
		if !ok {
			rel, ok = below(place.path, to.path)
		}
		if !ok || place.single {
			continue
		}
		root, err := os.OpenRoot(place.path)
		if err != nil {
			return nil, o.statError(err)
		}
		if err := root.MkdirAll(rel, 0o750); err != nil {
			_ = root.Close()
			return nil, o.Failed("make the folder to move to for", withoutPath(err))
		}
		return directory{root, place.path, rel}, nil
	}
	return nil, a.allowed.outside(o)
}

// directory is a local target.
type directory struct {
	root *os.Root
	path string // of the root
	rel  string
}

func (d directory) close() { _ = d.root.Close() }

func (d directory) compare(ctx context.Context, f *File, name string) (same, exists bool, err error) {
	copied, err := d.root.Open(filepath.Join(d.rel, name))
	if errors.Is(err, fs.ErrNotExist) {
		return false, false, nil
	}
	if err != nil {
		return false, false, withoutPath(err)
	}
	defer func() { _ = copied.Close() }() // only read
	info, err := copied.Stat()
	if err != nil {
		return false, false, withoutPath(err)
	}
	if !info.Mode().IsRegular() || info.Size() != f.Size {
		return false, true, nil
	}
	same, err = equal(NewInput(ctx, f, 0, f.Size), copied)
	return same, true, err
}

// write writes to a hidden file first. Its name follows from what is copied, so that the next
// attempt after a crash goes on with that file and leaves none behind. Two attempts at the same
// time write the same bytes to the same places, so the file is never emptied.
func (d directory) write(ctx context.Context, f *File, name string) error {
	id := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%d", name, f.Stamp, f.Size))
	part := filepath.Join(d.rel, ".usher-"+hex.EncodeToString(id[:13]))
	if found, err := d.root.Lstat(part); err == nil && !found.Mode().IsRegular() {
		return fmt.Errorf("%s in the folder to move to is not a file of usher", filepath.Base(part))
	}
	w, err := d.root.OpenFile(part, os.O_WRONLY|os.O_CREATE, 0o640)
	if err != nil {
		return withoutPath(err)
	}
	_, err = io.Copy(w, NewInput(ctx, f, 0, f.Size))
	if err == nil {
		err = errors.Join(w.Truncate(f.Size), w.Sync())
	}
	if err = errors.Join(err, w.Close()); err != nil {
		_ = d.root.Remove(part) // the next attempt begins anew
		return withoutPath(err)
	}
	return withoutPath(d.root.Rename(part, filepath.Join(d.rel, name)))
}

// bucketTarget is a folder in a bucket.
type bucketTarget struct {
	bucket *blob.Bucket
	prefix string
}

func (bucketTarget) close() {}

func (b bucketTarget) compare(ctx context.Context, f *File, name string) (same, exists bool, err error) {
	copied, err := b.bucket.NewReader(ctx, b.prefix+name, nil)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return false, false, nil
	}
	if err != nil {
		return false, false, err
	}
	defer func() { _ = copied.Close() }() // only read
	if copied.Size() != f.Size {
		return false, true, nil
	}
	same, err = equal(NewInput(ctx, f, 0, f.Size), copied)
	return same, true, err
}

func (b bucketTarget) write(ctx context.Context, f *File, name string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w, err := b.bucket.NewWriter(ctx, b.prefix+name, &blob.WriterOptions{ContentType: "application/octet-stream"})
	if err != nil {
		return err
	}
	if _, err := io.Copy(w, NewInput(ctx, f, 0, f.Size)); err != nil {
		cancel() // so that Close writes nothing
		return errors.Join(err, w.Close())
	}
	return w.Close()
}

// equal reports whether two readers have the same bytes.
func equal(a, b io.Reader) (bool, error) {
	one, other := make([]byte, 64<<10), make([]byte, 64<<10)
	for {
		n, err := io.ReadFull(a, one)
		m, otherErr := io.ReadFull(b, other)
		if !bytes.Equal(one[:n], other[:m]) {
			return false, nil
		}
		ended := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		otherEnded := errors.Is(otherErr, io.EOF) || errors.Is(otherErr, io.ErrUnexpectedEOF)
		switch {
		case err != nil && !ended:
			return false, err
		case otherErr != nil && !otherEnded:
			return false, otherErr
		case ended || otherEnded:
			return true, nil // both have as many bytes
		}
	}
}

// rename moves a file within an allowed directory without a copy, if that is possible. If
// the file was replaced meanwhile, it puts the other file back.
func (a *Access) rename(o Origin, at Location, file usher.File, to target, name string) (moved bool, err error) {
	d, local := to.(directory)
	if !local || at.scheme != "file" {
		return false, nil
	}
	in, resolved, err := a.allowed.resolve(o, at.path)
	if err != nil || in.path != d.path {
		return false, err
	}
	rel, _ := below(in.path, resolved)
	target := filepath.Join(d.rel, name)
	err = d.root.Rename(rel, target)
	if errors.Is(err, syscall.EXDEV) {
		return false, nil
	}
	if err != nil {
		return false, o.Failed("move", withoutPath(err))
	}
	info, err := d.root.Lstat(target)
	if err == nil && stampOf(info) == file.Stamp {
		return true, nil
	}
	if err := d.root.Link(target, rel); err != nil {
		return false, o.Failed("move", fmt.Errorf("it was replaced meanwhile, and is now %s: %w", path.Base(target), withoutPath(err)))
	}
	return false, errors.Join(o.Changed(), withoutPath(d.root.Remove(target)))
}

// remove removes a file that is still the one that was moved.
func (a *Access) remove(ctx context.Context, o Origin, at Location, file usher.File) error {
	f, err := a.Open(ctx, o, at, Range{})
	if err != nil {
		return err
	}
	_ = f.Close() // nothing was read
	if f.Size != file.Size || f.Stamp != file.Stamp {
		return f.Changed()
	}
	if at.scheme != "file" {
		bucket, err := a.buckets.bucket(ctx, at)
		if err == nil {
			err = bucket.Delete(ctx, strings.TrimPrefix(at.path, "/"))
		}
		if err != nil {
			return o.jobError(ctx, "remove", (&object{origin: o}).jobError(err))
		}
		return nil
	}
	in, resolved, err := a.allowed.resolve(o, at.path)
	if err != nil {
		return err
	}
	if in.single {
		return o.refused("allow its folder, not the file alone", "it cannot be moved")
	}
	root, err := os.OpenRoot(in.path)
	if err != nil {
		return o.statError(err)
	}
	defer func() { _ = root.Close() }()
	rel, _ := below(in.path, resolved)
	if err := root.Remove(rel); err != nil {
		return o.Failed("remove", withoutPath(err))
	}
	return nil
}
