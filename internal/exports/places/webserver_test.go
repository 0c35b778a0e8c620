package places_test

import (
	"bytes"
	"crypto/sha256"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"usher"
	"usher/internal/exports"
	"usher/internal/exports/places"
)

// webServer is an https server of one file, with a handler for requests.
type webServer struct {
	*httptest.Server

	visits atomic.Int64 // connections

	mu    sync.Mutex
	data  []byte
	serve func(w http.ResponseWriter, r *http.Request, data []byte)
	asked []*http.Request
}

func newWebServer(t *testing.T, serve func(w http.ResponseWriter, r *http.Request, data []byte)) *webServer {
	t.Helper()
	s := &webServer{serve: serve}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		data := s.data
		s.asked = append(s.asked, r)
		serve := s.serve
		s.mu.Unlock()
		if data == nil {
			http.NotFound(w, r)
			return
		}
		serve(w, r, data)
	}))
	s.Listener = countingListener{s.Listener, &s.visits}
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

// countingListener counts the connections that a listener accepts.
type countingListener struct {
	net.Listener

	visits *atomic.Int64
}

func (l countingListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err == nil {
		l.visits.Add(1)
	}
	return conn, err
}

func (s *webServer) taken() int64 { return s.visits.Load() }

func (s *webServer) put(data []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.data = append([]byte{}, data...)
}

func (s *webServer) requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.asked)
}

// access returns an Access to all files of the server.
func (s *webServer) access(t *testing.T) *places.Access {
	t.Helper()
	return s.accessWith(t, places.Options{})
}

// accessWith returns an Access to all files of the server, with further options.
func (s *webServer) accessWith(t *testing.T, o places.Options) *places.Access {
	t.Helper()
	allowed, err := places.Allow([]string{s.URL + "/in/"})
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	o.Allowed, o.Roots = allowed, func() *x509.CertPool { return roots }
	access := places.New(o)
	places.Hasten(access)
	t.Cleanup(access.Close)
	return access
}

// opener returns an Opener that may read all files of the server.
func (s *webServer) opener(t *testing.T, o exports.Options) *exports.Opener {
	t.Helper()
	return exports.New(s.access(t), o)
}

func etagOf(data []byte) string { return fmt.Sprintf(`"%x"`, sha256.Sum256(data)) }

// serveRanges serves ranges and an ETag, as most servers do.
func serveRanges(w http.ResponseWriter, r *http.Request, data []byte) {
	w.Header().Set("ETag", etagOf(data))
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
}

// serveWhole serves the whole file to any request.
func serveWhole(w http.ResponseWriter, _ *http.Request, data []byte) {
	w.Header().Set("ETag", etagOf(data))
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	_, _ = w.Write(data)
}

// breakingWriter aborts a response after left bytes.
type breakingWriter struct {
	http.ResponseWriter

	left int
}

func (b *breakingWriter) Write(p []byte) (int, error) {
	if b.left == 0 {
		_ = http.NewResponseController(b.ResponseWriter).Flush() // the response has begun
		panic(http.ErrAbortHandler)
	}
	n, err := b.ResponseWriter.Write(p[:min(len(p), b.left)])
	if b.left -= n; err == nil && b.left == 0 {
		_ = http.NewResponseController(b.ResponseWriter).Flush()
		panic(http.ErrAbortHandler)
	}
	return n, err
}

// writeRaw writes a response to the connection.
func writeRaw(w http.ResponseWriter, answer string) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	_, _ = io.WriteString(conn, answer)
	_ = conn.Close()
}

// serveStatus responds with a status, and with Retry-After unless after is empty.
func serveStatus(code int, after string) func(http.ResponseWriter, *http.Request, []byte) {
	return func(w http.ResponseWriter, _ *http.Request, _ []byte) {
		if after != "" {
			w.Header().Set("Retry-After", after)
		}
		w.WriteHeader(code)
	}
}

const anID = "6D92078A-8246-4BA4-AE5B-76104861E7DC\n"

// readAll plans and reads an export, and returns the number of bytes of its rows.
func readAll(t *testing.T, o *exports.Opener, url string) (usher.Plan, int, error) {
	t.Helper()
	src := &usher.Source{URL: url}
	plan, err := o.Plan(t.Context(), src, exports.Wanted{}, 64<<10)
	if err != nil {
		return plan, 0, err
	}
	size := 0
	for _, part := range plan.Parts {
		r, err := o.Open(t.Context(), src, plan, part)
		if err != nil {
			return plan, size, err
		}
		for err == nil {
			var b *usher.Block
			if b, err = r.Next(t.Context()); err == nil {
				size += len(b.Data)
				b.Release()
			}
		}
		if err = errors.Join(err, r.Close()); !errors.Is(err, io.EOF) {
			return plan, size, err
		}
	}
	return plan, size, nil
}

func classOf(err error) usher.Class {
	var p *usher.Permanent
	var later *usher.RetryAfter
	switch {
	case err == nil:
		return "none"
	case errors.As(err, &p):
		return p.Class
	case errors.As(err, &later):
		return "later"
	}
	return "retryable"
}
