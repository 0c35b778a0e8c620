package ledger

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"gocloud.dev/blob"
	_ "gocloud.dev/blob/fileblob" // file://
)

// Store keeps the ledgers of all targets in a folder or bucket. It is safe for concurrent
// use.
type Store struct {
	bucket *blob.Bucket
	folder string // in which the files are; "": they are in a bucket
	heads  Heads
	now    func() time.Time
	keep   time.Duration

	maxSources int

	maxDeltaJobs int

	// Memory that is not in use: *runMemory, *unionMemory and *[writeBuffer]byte.
	runMemory, unionMemory, writeMemory sync.Pool
}

// Options of a Store.
type Options struct {
	// A folder, or file://, s3://, gs:// or azblob:// with a prefix in the path; "": none. The clients
	// of the last three are in the package cloud, which the program imports.
	URL   string
	Heads Heads            // the current generations
	Keep  time.Duration    // how long generations are kept that are not current any more
	Now   func() time.Time // nil: time.Now
}

// Open opens a store. It does not connect to a bucket.
func Open(ctx context.Context, o Options) (*Store, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &Store{heads: o.Heads, now: o.Now, keep: o.Keep, maxSources: maxSources, maxDeltaJobs: maxDeltaJobs}
	if o.URL == "" {
		return s, nil
	}
	var err error
	if s.bucket, err = OpenBucket(ctx, o.URL); err != nil {
		return nil, fmt.Errorf("open ledger.url: %w", err)
	}
	s.folder = folderOf(o.URL)
	return s, nil
}

// OpenBucket opens a folder or bucket as ledger.url names it. It does not connect to a bucket.
func OpenBucket(ctx context.Context, place string) (*blob.Bucket, error) {
	at, prefix, err := bucketURL(place)
	if err != nil {
		return nil, err
	}
	bucket, err := blob.OpenBucket(context.WithoutCancel(ctx), at)
	if err != nil || prefix == "" {
		return bucket, err
	}
	return blob.PrefixedBucket(bucket, prefix), nil
}

// HasFiles reports whether the store has a place for files. Without one it knows only which
// targets have a ledger.
func (s *Store) HasFiles() bool { return s.bucket != nil }

// bucketURL returns gocloud's URL of a bucket, and the prefix of the keys in it.
func bucketURL(place string) (at, prefix string, err error) {
	if !strings.Contains(place, "://") {
		folder, err := filepath.Abs(place)
		if err != nil {
			return "", "", fmt.Errorf("find the folder: %w", err)
		}
		place = (&url.URL{Scheme: "file", Path: folder}).String()
	}
	u, err := url.Parse(place)
	if err != nil || u.User != nil || u.Fragment != "" {
		return "", "", errors.New("accepted are a folder, and s3://, gs:// and azblob:// with the bucket's name, a path and options in the query")
	}
	switch u.Scheme {
	case "file":
		if u.Host != "" || !strings.HasPrefix(u.Path, "/") || u.Path == "/" {
			return "", "", errors.New("file:// needs the path of a folder: file:///var/lib/usher/ledger")
		}
		// Temporary files beside the others: a rename must not cross file systems.
		u.RawQuery = "create_dir=true&metadata=skip&no_tmp_dir=true"
		return u.String(), "", nil
	case "s3", "gs", "azblob":
		if u.Host == "" {
			return "", "", fmt.Errorf("%s:// needs the name of a bucket", u.Scheme)
		}
		if prefix = strings.Trim(u.Path, "/"); prefix != "" {
			prefix += "/"
		}
		u.Path = ""
		return u.String(), prefix, nil
	}
	return "", "", fmt.Errorf("there is no store %q: accepted are a folder, s3, gs and azblob", u.Scheme)
}

// folderOf returns the folder of a place, or "" if it is a bucket.
func folderOf(place string) string {
	at, _, _ := bucketURL(place)
	u, err := url.Parse(at)
	if err != nil || u.Scheme != "file" {
		return ""
	}
	return filepath.Clean(u.Path)
}

// CheckURL returns an error if a Store cannot be opened at a place.
func CheckURL(place string) error {
	if _, _, err := bucketURL(place); err != nil {
		return fmt.Errorf("read ledger.url: %w", err)
	}
	return nil
}

// Close closes the store.
func (s *Store) Close() error {
	if s.bucket == nil {
		return nil
	}
	return s.bucket.Close()
}

// Now returns the time by the store's clock.
func (s *Store) Now() time.Time { return s.now() }

// maxJSON limits the size of a JSON file that is read.
const maxJSON = 16 << 20

// writeJSON writes a value as a file.
func (s *Store) writeJSON(ctx context.Context, name string, v any) (File, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return File{}, fmt.Errorf("encode ledger file %s: %w", name, err)
	}
	if err := s.bucket.WriteAll(ctx, name, data, nil); err != nil {
		return File{}, storeError("write ledger file", name, err)
	}
	return File{Name: name, Size: int64(len(data)), Checksum: checksum(data)}, nil
}

// readJSON reads a file that writeJSON has written. A checksum of 0 is not compared.
func (s *Store) readJSON(ctx context.Context, f File, v any) error {
	r, err := s.bucket.NewReader(ctx, f.Name, nil)
	if err != nil {
		return readError(f.Name, err)
	}
	defer func() { _ = r.Close() }() // only read
	data, err := io.ReadAll(io.LimitReader(r, maxJSON+1))
	switch {
	case err != nil:
		return readError(f.Name, err)
	case f.Checksum != 0 && (int64(len(data)) != f.Size || checksum(data) != f.Checksum):
		return &DamagedError{f.Name, "has another checksum than its generation says"}
	case len(data) > maxJSON || json.Unmarshal(data, v) != nil:
		return &DamagedError{f.Name, "is no JSON of usher"}
	}
	return nil
}

// pageSize is the number of files of a bucket that are listed at once. S3 has no larger pages.
const pageSize = 1000

// listed is a file in a list.
type listed = blob.ListObject

// list calls visit with the files below a prefix, in the order of their names.
func (s *Store) list(ctx context.Context, prefix string, visit func(*listed) error) error {
	if s.folder != "" {
		return s.listFolder(prefix, visit)
	}
	for token := blob.FirstPageToken; len(token) > 0; {
		var page []*listed
		var err error
		if page, token, err = s.bucket.ListPage(ctx, token, pageSize, &blob.ListOptions{Prefix: prefix}); err != nil {
			return storeError("list ledger files", prefix, err)
		}
		for _, item := range page {
			if err := visit(item); err != nil {
				return err
			}
		}
	}
	return nil
}

// unfinished is the end of the names under which gocloud writes a file into a folder. It renames the file
// when it is whole, so one with this end belongs to a process that still writes, or that was killed.
const unfinished = ".tmp"

// listWhole is list without unfinished files.
func (s *Store) listWhole(ctx context.Context, prefix string, visit func(*listed) error) error {
	return s.list(ctx, prefix, func(o *listed) error {
		if strings.HasSuffix(o.Key, unfinished) {
			return nil
		}
		return visit(o)
	})
}

// probePrefix begins the names of Probe's files. They lie in no folder, because a folder would
// remain and belong to the user who ran the probe, such as root.
const probePrefix = "probe."

// Probe writes a file, reads it and removes it again, and returns why that is not possible.
func (s *Store) Probe(ctx context.Context) error {
	name, data := probePrefix+rand.Text(), []byte(rand.Text())
	if err := s.bucket.WriteAll(ctx, name, data, nil); err != nil {
		return storeError("write ledger file", name, err)
	}
	read, err := s.bucket.ReadAll(ctx, name)
	if err != nil {
		return readError(name, err)
	}
	if !bytes.Equal(read, data) {
		return &DamagedError{name, "is not what was written"}
	}
	if err := s.bucket.Delete(ctx, name); err != nil {
		return storeError("remove ledger file", name, err)
	}
	return nil
}
