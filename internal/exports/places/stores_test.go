package places_test

import (
	"encoding/xml"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fsouza/fake-gcs-server/fakestorage"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"usher/internal/exports"
	"usher/internal/exports/places"
	"usher/internal/exports/places/cloud"
)

// store is an object store that runs in the test.
type store struct {
	scheme string
	option string // of the bucket's URL in the configuration
	bucket string // "": any
	put    func(t *testing.T, bucket, key string, data []byte)
	remove func(t *testing.T, bucket, key string)
}

// stores returns a store of each kind.
func stores(t *testing.T) []store {
	t.Helper()
	return []store{newS3(t), newGoogle(t), newAzure(t)}
}

func newS3(t *testing.T) store {
	t.Helper()
	return newS3Behind(t, func(s3 http.Handler) http.Handler { return s3 })
}

// newS3Behind returns an S3 behind a proxy.
func newS3Behind(t *testing.T, proxy func(s3 http.Handler) http.Handler) store {
	t.Helper()
	backend := s3mem.New()
	server := httptest.NewServer(proxy(gofakes3.New(backend, gofakes3.WithLogger(gofakes3.DiscardLog())).Server()))
	t.Cleanup(server.Close)
	return store{
		scheme: "s3", option: "?region=eu-central-1&s3ForcePathStyle=true&use_path_style=true&endpoint=" + url.QueryEscape(server.URL),
		put: func(t *testing.T, bucket, key string, data []byte) {
			t.Helper()
			_ = backend.CreateBucket(bucket) // it may exist
			if _, err := backend.PutObject(bucket, key, map[string]string{"Last-Modified": time.Now().Format(http.TimeFormat)}, strings.NewReader(string(data)), int64(len(data)), nil); err != nil {
				t.Fatal(err)
			}
		},
		remove: func(t *testing.T, bucket, key string) {
			t.Helper()
			if _, err := backend.DeleteObject(bucket, key); err != nil {
				t.Fatal(err)
			}
		},
	}
}

// google is one server for all tests: Google's library reads its address from the
// environment, before the first test.
var google struct {
	http.Server

	listener net.Listener
}

// listenGoogle starts to listen, and returns the address of the server.
func listenGoogle() string {
	var err error
	if google.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		panic(err)
	}
	return google.listener.Addr().String()
}

// stopGoogle stops the server.
func stopGoogle() { _ = errors.Join(google.Close(), google.listener.Close()) }

var serveGoogle = sync.OnceValue(func() *fakestorage.Server {
	fake, err := fakestorage.NewServerWithOptions(fakestorage.Options{NoListener: true, PublicHost: google.listener.Addr().String()})
	if err != nil {
		panic(err)
	}
	google.Handler = fake.HTTPHandler()
	go func() { _ = google.Serve(google.listener) }() // until stopGoogle
	return fake
})

func newGoogle(t *testing.T) store {
	t.Helper()
	fake := serveGoogle()
	return store{
		scheme: "gs", option: "?anonymous=true",
		put: func(t *testing.T, bucket, key string, data []byte) {
			t.Helper()
			fake.CreateBucketWithOpts(fakestorage.CreateBucketOpts{Name: bucket})
			fake.CreateObject(fakestorage.Object{ObjectAttrs: fakestorage.ObjectAttrs{BucketName: bucket, Name: key}, Content: data})
		},
		remove: func(t *testing.T, bucket, key string) {
			t.Helper()
			fake.CreateBucketWithOpts(fakestorage.CreateBucketOpts{Name: bucket})
			_ = fake.Backend().DeleteObject(bucket, key)
		},
	}
}

// azureServer implements the part of Azure's protocol that reading needs, since there is
// no library for it.
type azureServer struct {
	mu    sync.Mutex
	blobs map[string][]byte // by /account/container/key
}

func newAzure(t *testing.T) store {
	t.Helper()
	a := &azureServer{blobs: map[string][]byte{}}
	server := httptest.NewServer(a)
	t.Cleanup(server.Close)
	at := func(bucket, key string) string { return "/account/" + bucket + "/" + key }
	return store{
		scheme: "azblob", option: "?localemu=true&protocol=http&domain=" + server.Listener.Addr().String(),
		put: func(_ *testing.T, bucket, key string, data []byte) {
			a.mu.Lock()
			defer a.mu.Unlock()
			a.blobs[at(bucket, key)] = append([]byte{}, data...)
		},
		remove: func(_ *testing.T, bucket, key string) {
			a.mu.Lock()
			defer a.mu.Unlock()
			delete(a.blobs, at(bucket, key))
		},
	}
}

func (a *azureServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if r.URL.Query().Get("comp") == "list" {
		a.list(w, r)
		return
	}
	data, found := a.blobs[r.URL.Path]
	if !found {
		w.Header().Set("X-Ms-Error-Code", "BlobNotFound")
		w.WriteHeader(http.StatusNotFound)
		return
	}
	if match := r.Header.Get("If-Match"); match != "" && match != etagOf(data) {
		w.Header().Set("X-Ms-Error-Code", "ConditionNotMet")
		w.WriteHeader(http.StatusPreconditionFailed)
		return
	}
	r.Header.Set("Range", r.Header.Get("X-Ms-Range"))
	w.Header().Set("X-Ms-Blob-Type", "BlockBlob")
	w.Header().Set("Last-Modified", time.Unix(1, 0).UTC().Format(http.TimeFormat))
	w.Header().Set("X-Ms-Creation-Time", time.Unix(1, 0).UTC().Format(http.TimeFormat))
	serveRanges(w, r, data)
}

// azureList is the response to a request for a list.
type azureList struct {
	XMLName xml.Name `xml:"EnumerationResults"`
	Blobs   struct {
		Blob   []azureItem   `xml:"Blob"`
		Prefix []azurePrefix `xml:"BlobPrefix"`
	} `xml:"Blobs"`
}

type azurePrefix struct {
	Name string `xml:"Name"`
}

type azureItem struct {
	Name   string `xml:"Name"`
	Length int    `xml:"Properties>Content-Length"`
	ETag   string `xml:"Properties>Etag"`
	Date   string `xml:"Properties>Last-Modified"`
}

func (a *azureServer) list(w http.ResponseWriter, r *http.Request) {
	var l azureList
	prefix, root := r.URL.Query().Get("prefix"), r.URL.Path+"/"
	folders := map[string]bool{}
	for path, data := range a.blobs {
		key, ok := strings.CutPrefix(path, root)
		if rest, below := strings.CutPrefix(key, prefix); ok && below {
			if i := strings.IndexByte(rest, '/'); i >= 0 {
				folders[prefix+rest[:i+1]] = true
				continue
			}
			// Azure's lists have ETags without quotes.
			l.Blobs.Blob = append(l.Blobs.Blob, azureItem{key, len(data), strings.Trim(etagOf(data), `"`), time.Unix(1, 0).UTC().Format(http.TimeFormat)})
		}
	}
	for name := range folders {
		l.Blobs.Prefix = append(l.Blobs.Prefix, azurePrefix{name})
	}
	w.Header().Set("Content-Type", "application/xml")
	_ = xml.NewEncoder(w).Encode(l)
}

// access returns an Access to what lies below in/ in a bucket.
func (s store) access(t *testing.T, bucket string) *places.Access {
	t.Helper()
	buckets, err := places.NewBuckets([]string{s.scheme + "://" + bucket + s.option}, cloud.Versions{})
	if err != nil {
		t.Fatal(err)
	}
	allowed, err := places.Allow([]string{s.scheme + "://" + bucket + "/in/"})
	if err != nil {
		t.Fatal(err)
	}
	access := places.New(places.Options{Allowed: allowed, Buckets: buckets})
	t.Cleanup(access.Close)
	return access
}

// opener returns an Opener that may read what lies below in/ in a bucket.
func (s store) opener(t *testing.T, bucket string, o exports.Options) *exports.Opener {
	t.Helper()
	return exports.New(s.access(t, bucket), o)
}

var bucketCount struct {
	sync.Mutex
	n int
}

// bucketName returns a name that no other test uses.
func bucketName() string {
	bucketCount.Lock()
	defer bucketCount.Unlock()
	bucketCount.n++
	return "exports" + strconv.Itoa(bucketCount.n)
}
