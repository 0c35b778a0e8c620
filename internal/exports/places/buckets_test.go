package places_test

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
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

	"usher"
	"usher/internal/exports"
	"usher/internal/exports/places"
)

// store is an object store in this process.
type store struct {
	scheme string
	option string // of the bucket's URL in the configuration
	put    func(t *testing.T, bucket, key string, data []byte)
	remove func(t *testing.T, bucket, key string)
}

// stores are one of each kind.
func stores(t *testing.T) []store {
	t.Helper()
	return []store{newS3(t), newGoogle(t), newAzure(t)}
}

func newS3(t *testing.T) store {
	t.Helper()
	backend := s3mem.New()
	server := httptest.NewServer(gofakes3.New(backend, gofakes3.WithLogger(gofakes3.DiscardLog())).Server())
	t.Cleanup(server.Close)
	return store{
		scheme: "s3", option: "?region=eu-central-1&s3ForcePathStyle=true&use_path_style=true&endpoint=" + url.QueryEscape(server.URL),
		put: func(t *testing.T, bucket, key string, data []byte) {
			t.Helper()
			_ = backend.CreateBucket(bucket) // again is well
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

// google is one server for all tests: its address stands in the environment,
// before any of Google's library runs.
var google struct {
	http.Server

	listener net.Listener
}

// ListenGoogle returns the address of the server.
func ListenGoogle() string {
	var err error
	if google.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		panic(err)
	}
	return google.listener.Addr().String()
}

// StopGoogle stops the server.
func StopGoogle() { _ = errors.Join(google.Close(), google.listener.Close()) }

var serveGoogle = sync.OnceValue(func() *fakestorage.Server {
	fake, err := fakestorage.NewServerWithOptions(fakestorage.Options{NoListener: true, PublicHost: google.listener.Addr().String()})
	if err != nil {
		panic(err)
	}
	google.Handler = fake.HTTPHandler()
	go func() { _ = google.Serve(google.listener) }() // until it is stopped
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

// azureStore speaks as much of Azure's protocol as reading takes; no library
// brings one.
type azureStore struct {
	mu    sync.Mutex
	blobs map[string][]byte // by /account/container/key
}

func newAzure(t *testing.T) store {
	t.Helper()
	a := &azureStore{blobs: map[string][]byte{}}
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

func (a *azureStore) ServeHTTP(w http.ResponseWriter, r *http.Request) {
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
	ranges(w, r, data)
}

// azureList is an answer to a request for a list.
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

func (a *azureStore) list(w http.ResponseWriter, r *http.Request) {
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
	buckets, err := places.NewBuckets([]string{s.scheme + "://" + bucket + s.option})
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

// bucketName is one that no other test has.
func bucketName() string {
	bucketCount.Lock()
	defer bucketCount.Unlock()
	bucketCount.n++
	return "exports" + strconv.Itoa(bucketCount.n)
}

// TestBuckets holds each kind of store to what content says.
func TestBuckets(t *testing.T) {
	t.Parallel()
	for _, s := range stores(t) {
		t.Run(s.scheme, func(t *testing.T) {
			t.Parallel()
			testContent(t, func(t *testing.T) contentKind {
				t.Helper()
				bucket := bucketName()
				access := s.access(t, bucket)
				s.put(t, bucket, "other", nil)
				return contentKind{
					put: func(t *testing.T, data []byte) { t.Helper(); s.put(t, bucket, "in/a b", data) },
					open: func(t *testing.T) (places.Content, error) {
						t.Helper()
						f, err := access.OpenSource(t.Context(), &usher.Source{URL: s.scheme + "://" + bucket + "/in/a%20b"}, places.Range{Size: 100})
						if err != nil {
							return nil, err
						}
						return f.Content(), nil
					},
				}
			})
		})
	}
}

// TestObjectChanges: an object that is replaced between two parts is broken, and
// one that is gone is missing.
func TestObjectChanges(t *testing.T) {
	t.Parallel()
	for _, s := range stores(t) {
		t.Run(s.scheme, func(t *testing.T) {
			t.Parallel()
			bucket := bucketName()
			o := s.opener(t, bucket, exports.Options{PartBytes: 64 << 10})
			data := []byte(strings.Repeat(anID, 10_000))
			s.put(t, bucket, "in/ids", data)
			src := &usher.Source{URL: s.scheme + "://" + bucket + "/in/ids"}
			plan, err := o.Plan(t.Context(), src, 0)
			if err != nil || len(plan.Parts) != 6 {
				t.Fatalf("%d parts, %v", len(plan.Parts), err)
			}
			rows := 0
			for i, part := range plan.Parts {
				if i == 4 {
					s.put(t, bucket, "in/ids", append([]byte("x"), data[1:]...))
				}
				if i == 5 {
					s.remove(t, bucket, "in/ids")
				}
				n, err := rowsIn(t.Context(), o, src, plan, part)
				rows += n
				if want := []usher.Class{"none", "none", "none", "none", usher.SourceBroken, usher.SourceMissing}[i]; classOf(err) != want {
					t.Errorf("part %d: %v, want %s", i, err, want)
				}
			}
			if rows < 7000 || rows > 7100 {
				t.Errorf("%d rows", rows)
			}
		})
	}
}

// rowsIn reads a part and counts its rows.
func rowsIn(ctx context.Context, o *exports.Opener, src *usher.Source, plan usher.Plan, part usher.Part) (int, error) {
	r, err := o.Open(ctx, src, plan, part)
	if err != nil {
		return 0, err
	}
	rows := 0
	for {
		b, err := r.Next(ctx)
		if errors.Is(err, io.EOF) {
			return rows, r.Close()
		}
		if err != nil {
			return rows, errors.Join(err, r.Close())
		}
		rows += strings.Count(string(b.Data), "\n")
		b.Release()
	}
}

func TestNewBuckets(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"", "exports", "file:///x", "https://x", "s3://", "s3://a/b", "s3://user:hunter2@a", "s3://a#x", "mem://x", "s3://a b"} {
		if _, err := places.NewBuckets([]string{bad}); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if _, err := places.NewBuckets([]string{"s3://a?region=x", "s3://a"}); err == nil {
		t.Error("a bucket may stand there twice")
	}
}

// TestProbe: the doctor hears how a bucket answers.
func TestProbe(t *testing.T) {
	t.Parallel()
	for _, s := range stores(t) {
		bucket := bucketName()
		access := s.access(t, bucket)
		s.put(t, bucket, "in/ids", []byte(anID))
		if says, err := access.Probe(t.Context(), s.scheme+"://"+bucket+"/in/"); err != nil || says == "" {
			t.Errorf("%s: %q, %v", s.scheme, says, err)
		}
	}
	server := newShelf(t, ranges)
	if says, err := server.access(t).Probe(t.Context(), server.URL+"/in/"); err != nil || !strings.Contains(says, "404") {
		t.Errorf("https: %q, %v", says, err)
	}
}
