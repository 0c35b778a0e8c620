package places

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"gocloud.dev/blob"

	"usher/internal/filelock"
)

// Names of files that usher writes beside exports begin with ownPrefix. They are never exports.
const (
	ownPrefix   = ".usher-"
	draftPrefix = ownPrefix + "put-"
)

// A Draft is a file of a watched place while it is written. Nobody sees it before Publish, whatever
// becomes of the process.
type Draft interface {
	io.Writer
	// Publish makes the file visible as a whole. It replaces one of the same name.
	Publish() error
	// Discard removes what was written. After Publish it does nothing.
	Discard()
}

// Draft begins to write a file in an allowed folder, which must exist. It removes what killed
// processes have left there.
func (a *Access) Draft(ctx context.Context, from Origin, folder Location, name string) (Draft, error) {
	if folder.scheme == "file" && !a.isDirectory(from, folder) {
		return nil, from.missing()
	}
	to, err := a.target(from, folder)
	if err != nil {
		return nil, err
	}
	draft, err := to.draft(ctx, name)
	if err != nil {
		to.close()
	}
	return draft, err
}

// fileDraft is a hidden file beside the one that it will be. It is locked while its process lives.
type fileDraft struct {
	file *os.File
	dir  directory
	part string // the hidden file's name
	name string
	done bool
}

func (d directory) draft(_ context.Context, name string) (Draft, error) {
	if err := d.removeDrafts(); err != nil {
		return nil, err
	}
	for {
		draft := &fileDraft{dir: d, part: draftPrefix + rand.Text(), name: name}
		var err error
		draft.file, err = d.root.OpenFile(filepath.Join(d.rel, draft.part), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return nil, withoutPath(err)
		}
		switch err := filelock.Lock(draft.file); {
		case errors.Is(err, filelock.ErrHeld), err == nil && !draft.exists(): // another process took it for one that is left
			_ = draft.file.Close()
			continue
		case err != nil && !errors.Is(err, errors.ErrUnsupported):
			_ = draft.file.Close()
			return nil, withoutPath(err)
		}
		return draft, nil
	}
}

// removeDrafts removes the drafts of processes that have ended: those that nobody has locked.
func (d directory) removeDrafts() error {
	entries, err := fs.ReadDir(d.root.FS(), filepath.ToSlash(d.rel))
	if err != nil {
		return withoutPath(err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), draftPrefix) || !e.Type().IsRegular() {
			continue
		}
		path := filepath.Join(d.rel, e.Name())
		f, err := d.root.Open(path)
		if err != nil {
			continue // it is gone, or another user's
		}
		if filelock.Lock(f) == nil {
			_ = d.root.Remove(path) // the next draft tries again
		}
		_ = f.Close() // nothing was read
	}
	return nil
}

// exists reports whether the hidden file still has its name.
func (d *fileDraft) exists() bool {
	info, err := d.file.Stat()
	found, nameErr := d.dir.root.Lstat(filepath.Join(d.dir.rel, d.part))
	return err == nil && nameErr == nil && os.SameFile(info, found)
}

func (d *fileDraft) Write(data []byte) (int, error) {
	n, err := d.file.Write(data)
	return n, withoutPath(err)
}

// Publish syncs the file and its folder, so that a power cut leaves the whole file or none.
func (d *fileDraft) Publish() error {
	if err := d.file.Sync(); err != nil {
		return withoutPath(err)
	}
	if err := d.dir.root.Rename(filepath.Join(d.dir.rel, d.part), filepath.Join(d.dir.rel, d.name)); err != nil {
		return withoutPath(err)
	}
	d.done = true
	defer d.dir.close()
	folder, err := d.dir.root.Open(d.dir.rel)
	if err != nil {
		return errors.Join(d.afterRename(err), d.file.Close())
	}
	return errors.Join(d.afterRename(folder.Sync()), folder.Close(), d.file.Close())
}

// afterRename says that the file is there although an error came.
func (d *fileDraft) afterRename(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the file is there, but a power cut may still take it away: %w", withoutPath(err))
}

func (d *fileDraft) Discard() {
	if d.done {
		return
	}
	d.done = true
	_ = d.dir.root.Remove(filepath.Join(d.dir.rel, d.part)) // the next draft removes it
	_ = d.file.Close()
	d.dir.close()
}

// objectDraft is an object that exists when its writer is closed.
type objectDraft struct {
	*blob.Writer

	cancel context.CancelFunc
}

// draftBuffer is the size of the parts in which a draft is sent to a store. S3 takes 10,000 parts.
const draftBuffer = 32 << 20

func (b bucketTarget) draft(ctx context.Context, name string) (Draft, error) {
	ctx, cancel := context.WithCancel(ctx)
	w, err := b.bucket.NewWriter(ctx, b.prefix+name, &blob.WriterOptions{ContentType: "application/octet-stream", BufferSize: draftBuffer})
	if err != nil {
		cancel()
		return nil, err
	}
	return &objectDraft{w, cancel}, nil
}

func (d *objectDraft) Publish() error {
	defer d.cancel()
	return d.Close()
}

func (d *objectDraft) Discard() {
	d.cancel()    // so that Close writes nothing
	_ = d.Close() // after Publish it only returns an error
}
