package places

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"

	"gocloud.dev/blob"
	_ "gocloud.dev/blob/azureblob" // azblob://
	_ "gocloud.dev/blob/gcsblob"   // gs://
	_ "gocloud.dev/blob/s3blob"    // s3://
)

// Buckets are object stores. They are opened by URLs of the configuration only, never
// by those of jobs, since gocloud reads options from a URL, even names of key files.
type Buckets struct {
	urls map[string]string // by scheme and name, s3://crm-exports

	mu   sync.Mutex
	open map[string]*blob.Bucket
}

// NewBuckets returns Buckets of URLs with gocloud's options in the query, such as
// s3://crm-exports?region=eu-central-1. Credentials come from where the store's own
// tools find them.
func NewBuckets(urls []string) (*Buckets, error) {
	b := &Buckets{urls: map[string]string{}, open: map[string]*blob.Bucket{}}
	for _, raw := range urls {
		u, err := url.Parse(raw)
		if err != nil || !slices.Contains(bucketSchemes, u.Scheme) || u.Host == "" || u.User != nil || u.Fragment != "" || strings.Trim(u.Path, "/") != "" {
			return nil, errors.New("read bucket: accepted are s3://, gs:// and azblob:// with the bucket's name, and options in the query: s3://crm-exports?region=eu-central-1")
		}
		host, err := canonicalHost(u)
		if err != nil {
			return nil, fmt.Errorf("read bucket of %s://: %w", u.Scheme, err)
		}
		name := u.Scheme + "://" + host
		if _, twice := b.urls[name]; twice {
			return nil, fmt.Errorf("read bucket: %s is listed twice", name)
		}
		b.urls[name] = raw
	}
	return b, nil
}

// bucket opens the bucket of a location, once. It does not connect to the store.
func (b *Buckets) bucket(ctx context.Context, at Location) (*blob.Bucket, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	name := at.scheme + "://" + at.host
	if opened, ok := b.open[name]; ok {
		return opened, nil
	}
	url, configured := b.urls[name]
	if !configured {
		url = name
	}
	opened, err := blob.OpenBucket(context.WithoutCancel(ctx), url)
	if err != nil {
		return nil, fmt.Errorf("open bucket %s (sources.buckets): %w", name, err)
	}
	b.open[name] = opened
	return opened, nil
}

// close closes all buckets.
func (b *Buckets) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for name, opened := range b.open {
		_ = opened.Close() // only read
		delete(b.open, name)
	}
}

// openObject opens the object at a location that was allowed.
func (b *Buckets) openObject(ctx context.Context, from Origin, at Location, first Range) (content, error) {
	key := strings.TrimPrefix(at.path, "/")
	if key == "" {
		return nil, from.refused("name an object: "+at.scheme+"://bucket/key", "it names a bucket, but no object in it")
	}
	bucket, err := b.bucket(ctx, at)
	if err != nil {
		return nil, err
	}
	o := &object{origin: from, bucket: bucket, key: key}
	r, err := openRanged(ctx, from, o.request, defaultPatience, first)
	if err != nil {
		return nil, err // not a nil *ranged in an interface
	}
	return r, nil
}
