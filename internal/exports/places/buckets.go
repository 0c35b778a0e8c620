package places

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"sync"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"

	"usher"
)

// Versions knows how the object stores name the version of an object. The package cloud
// implements it with the stores' clients; a package that imports this one need not compile them.
type Versions interface {
	// Stamp returns what changes with each version of an object, from the attributes of the
	// object: requested alone, in a list, or with its bytes. It is "" if the store has none.
	Stamp(attributes interface{ As(i any) bool }) string
	// Pin makes a request for bytes, which as converts to the type of its store, ask for the
	// version with a stamp. It reports false if it does not know the store.
	Pin(as func(i any) bool, stamp string) (known bool, err error)
}

// Buckets are object stores. They are opened by URLs of the configuration only, never
// by those of jobs, since gocloud reads options from a URL, even names of key files.
type Buckets struct {
	versions Versions
	urls     map[string]string // by scheme and name, s3://crm-exports

	mu   sync.Mutex
	open map[string]*blob.Bucket
}

// NewBuckets returns Buckets of URLs with gocloud's options in the query, such as
// s3://crm-exports?region=eu-central-1. Credentials come from where the store's own
// tools find them.
func NewBuckets(urls []string, versions Versions) (*Buckets, error) {
	b := &Buckets{versions: versions, urls: map[string]string{}, open: map[string]*blob.Bucket{}}
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
func (b *Buckets) openObject(ctx context.Context, from Origin, at Location, first Range, meter *Meter) (content, error) {
	key := strings.TrimPrefix(at.path, "/")
	if key == "" {
		return nil, from.refused("name an object: "+at.scheme+"://bucket/key", "it names a bucket, but no object in it")
	}
	bucket, err := b.bucket(ctx, at)
	if err != nil {
		return nil, err
	}
	o := &object{origin: from, versions: b.versions, bucket: bucket, key: key}
	r, err := openRanged(ctx, from, o.request, defaultPatience, first, meter)
	if err != nil {
		return nil, err // not a nil *ranged in an interface
	}
	return r, nil
}

// object is a file in a bucket.
type object struct {
	origin   Origin
	versions Versions
	bucket   *blob.Bucket
	key      string
	state    *state // of the first answer
}

// request is a requestFunc. It is not safe for concurrent use.
func (o *object) request(ctx context.Context, off, n int64) (response, error) {
	if o.state == nil {
		a, err := o.bucket.Attributes(ctx, o.key)
		if err != nil {
			return response{}, o.jobError(err)
		}
		o.state = &state{Size: a.Size, Stamp: o.versions.Stamp(a)}
	}
	n = min(n, o.state.Size-off)
	if n <= 0 {
		return response{state: *o.state, body: io.NopCloser(strings.NewReader(""))}, nil
	}
	body, err := o.bucket.NewRangeReader(ctx, o.key, off, n, &blob.ReaderOptions{BeforeRead: o.pin})
	if gcerrors.Code(err) == gcerrors.NotFound {
		return response{}, o.origin.Changed() // it existed before
	} else if err != nil {
		return response{}, o.jobError(err)
	}
	if o.versions.Stamp(body) != o.state.Stamp { // some stores ignore If-Match
		_ = body.Close()
		return response{}, o.origin.Changed()
	}
	return response{state: *o.state, body: &exactly{ReadCloser: body, left: n}}, nil
}

// jobError returns the error for the job of an error of the store. An error that the job
// cannot help is returned as it is.
func (o *object) jobError(err error) error {
	switch gcerrors.Code(err) {
	case gcerrors.NotFound:
		return o.origin.missing()
	case gcerrors.FailedPrecondition:
		return o.origin.Changed()
	case gcerrors.PermissionDenied:
		return o.origin.refused("allow usher's credentials at the store to list and read the bucket, then replay", "the store denies usher access to it")
	}
	return requestError(err)
}

// pin makes a request ask for the state of the first response.
func (o *object) pin(as func(any) bool) error {
	known, err := o.versions.Pin(as, o.state.Stamp)
	if err == nil && !known {
		err = usher.Refuse(usher.SourceRefused, "report this as a bug in usher", "open source %q: its store cannot pin the object's version", string(o.origin))
	}
	return err
}
