package backups

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"
)

// Place is where a backup is saved: a Folder or a Bucket.
type Place interface {
	fmt.Stringer
	// prepare creates the place. It must be empty, so that no other backup is overwritten.
	prepare(ctx context.Context) error
	// create begins a file, which exists when it is closed.
	create(ctx context.Context, name string) (io.WriteCloser, error)
	// open opens a file. The error is fs.ErrNotExist if it does not exist.
	open(ctx context.Context, name string) (io.ReadCloser, error)
	// remove removes a file, which may not exist.
	remove(ctx context.Context, name string)
}

// Folder is a folder of this machine.
type Folder string

func (f Folder) String() string { return string(f) }

func (f Folder) path(name string) string { return filepath.Join(string(f), name) }

func (f Folder) prepare(context.Context) error {
	if err := os.MkdirAll(string(f), 0o700); err != nil {
		return fmt.Errorf("create the folder of the backup: %w", err)
	}
	entries, err := os.ReadDir(string(f))
	if err != nil {
		return fmt.Errorf("read the folder of the backup: %w", err)
	}
	if len(entries) > 0 {
		return fmt.Errorf("%s is not empty: give a new folder for each backup", f)
	}
	return nil
}

const unfinished = ".new" // what a file's name ends with before it is closed

func (f Folder) create(_ context.Context, name string) (io.WriteCloser, error) {
	path := f.path(name)
	file, err := os.OpenFile(path+unfinished, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600) //nolint:gosec // the administrator names the folder
	if err != nil {
		return nil, err
	}
	return &durable{File: file, path: path}, nil
}

// durable is a file that has its name when it is on the disk.
type durable struct {
	*os.File
	path string
}

func (d *durable) Close() error {
	if err := errors.Join(d.Sync(), d.File.Close()); err != nil {
		return err
	}
	return os.Rename(d.path+unfinished, d.path)
}

func (f Folder) open(_ context.Context, name string) (io.ReadCloser, error) {
	return os.Open(f.path(name))
}

func (f Folder) remove(_ context.Context, name string) {
	_, _ = os.Remove(f.path(name)), os.Remove(f.path(name)+unfinished) // they may not exist
}

// Bucket is a bucket, or its keys with a prefix.
type Bucket struct {
	URL    string // for messages
	Bucket *blob.Bucket
}

func (b Bucket) String() string { return b.URL }

func (b Bucket) prepare(ctx context.Context) error {
	found, _, err := b.Bucket.ListPage(ctx, blob.FirstPageToken, 1, nil)
	switch {
	case err != nil:
		return fmt.Errorf("list the bucket of the backup: %w", err)
	case len(found) > 0:
		return fmt.Errorf("%s is not empty: give a new path for each backup", b)
	}
	return nil
}

func (b Bucket) create(ctx context.Context, name string) (io.WriteCloser, error) {
	return b.Bucket.NewWriter(ctx, name, &blob.WriterOptions{ContentType: "application/octet-stream"})
}

func (b Bucket) open(ctx context.Context, name string) (io.ReadCloser, error) {
	r, err := b.Bucket.NewReader(ctx, name, nil)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil, fmt.Errorf("%w: %s", os.ErrNotExist, name)
	}
	return r, err
}

func (b Bucket) remove(ctx context.Context, name string) { _ = b.Bucket.Delete(ctx, name) } // it may not exist
