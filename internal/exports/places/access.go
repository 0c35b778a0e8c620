package places

import (
	"context"
	"crypto/x509"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"gocloud.dev/blob"

	"usher"
)

// Options say where files may be read, and how. The zero value allows nothing.
type Options struct {
	Allowed *Allowed              // nil: nothing
	Buckets *Buckets              // nil: buckets cannot be read
	Roots   func() *x509.CertPool // current certificate authorities of https servers, called for each file; nil, also as result: the system's
	Private []netip.Prefix        // addresses outside the public Internet that https may reach
	MinRate int64                 // bytes per second that servers and buckets must deliver, see Meter; 0: any rate will do
	Now     func() time.Time      // the clock of Meter; nil: time.Now
}

// Access opens files in the allowed places. It is safe for concurrent use.
type Access struct {
	allowed *Allowed
	buckets *Buckets
	web     *web
	minRate int64
	now     func() time.Time
	meter   *Meter // nil: each file has its own
}

// New returns an Access.
func New(o Options) *Access {
	if o.Buckets == nil {
		o.Buckets = &Buckets{open: map[string]*blob.Bucket{}}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Roots == nil {
		o.Roots = func() *x509.CertPool { return nil }
	}
	return &Access{allowed: o.Allowed, buckets: o.Buckets, web: newWeb(o.Allowed, o.Roots, o.Private), minRate: o.MinRate, now: o.Now}
}

// Metered returns an Access with one meter for all files that it opens, which reports to report
// while they come too slowly, and nil after that.
func (a *Access) Metered(report func(*usher.SlowSource)) *Access {
	metered := *a
	metered.meter = NewMeter(a.minRate, a.now, report)
	return &metered
}

// Close closes idle connections. Call it after all files are closed.
func (a *Access) Close() {
	a.web.close()
	a.buckets.close()
}

// Open opens the file at a location, if the location is allowed. first is the range
// that will be read first. The errors are ready for the job.
func (a *Access) Open(ctx context.Context, from Origin, at Location, first Range) (*File, error) {
	meter := a.meter
	if meter == nil {
		meter = NewMeter(a.minRate, a.now, nil)
	}
	var c content
	var err error
	switch at.scheme {
	case "file":
		c, err = a.allowed.open(from, at.path)
	case "https":
		c, err = a.web.open(ctx, from, at, first, meter)
	default:
		if err = a.allowed.allow(from, at); err == nil {
			c, err = a.buckets.openObject(ctx, from, at, first, meter)
		}
	}
	if err != nil {
		return nil, from.jobError(ctx, "open", err)
	}
	s, err := c.State(ctx)
	if err != nil {
		_ = c.Close()
		return nil, from.jobError(ctx, "open", err)
	}
	return &File{Origin: from, content: c, state: s, Name: at.name()}, nil
}

// OpenSource opens the file that a source names.
func (a *Access) OpenSource(ctx context.Context, src *usher.Source, first Range) (*File, error) {
	from := OriginOf(src)
	at, err := Locate(from, src)
	if err != nil {
		return nil, err
	}
	return a.Open(ctx, from, at, first)
}

// Probe describes how a remote place responds, for `usher doctor`. Its error says why
// exports cannot be read there.
func (a *Access) Probe(ctx context.Context, place string) (string, error) {
	from := OriginOf(&usher.Source{URL: place})
	at, err := Locate(from, &usher.Source{URL: place})
	if err != nil {
		return "", err
	}
	if err := a.allowed.allow(from, at); err != nil {
		return "", err
	}
	if at.scheme != "https" {
		return a.probeBucket(ctx, at)
	}
	res, err := a.web.file(from, at).get(ctx, "bytes=0-0")
	if err != nil {
		return "", from.jobError(ctx, "open", err)
	}
	_ = res.Body.Close()
	if res.StatusCode >= http.StatusInternalServerError {
		return "", fmt.Errorf("its server answers %d", res.StatusCode)
	}
	return fmt.Sprintf("its server answers (%d)", res.StatusCode), nil
}

// probeBucket lists the first object of a place in a bucket.
func (a *Access) probeBucket(ctx context.Context, at Location) (string, error) {
	bucket, err := a.buckets.bucket(ctx, at)
	if err != nil {
		return "", err
	}
	found, _, err := bucket.ListPage(ctx, blob.FirstPageToken, 1, &blob.ListOptions{Prefix: strings.TrimPrefix(at.path, "/")})
	switch {
	case err != nil:
		return "", fmt.Errorf("list bucket %s://%s: %w", at.scheme, at.host, err)
	case len(found) == 0:
		return "a bucket that can be listed, empty there", nil
	}
	return "a bucket that can be listed", nil
}
