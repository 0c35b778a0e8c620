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
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"usher"
	"usher/internal/exports"
	"usher/internal/exports/places"
)

// shelf is an https server with one file, and what it does to requests.
type shelf struct {
	*httptest.Server

	visits atomic.Int64 // connections that were made to it

	mu    sync.Mutex
	data  []byte
	serve func(w http.ResponseWriter, r *http.Request, data []byte)
	asked []*http.Request
}

func newShelf(t *testing.T, serve func(w http.ResponseWriter, r *http.Request, data []byte)) *shelf {
	t.Helper()
	s := &shelf{serve: serve}
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
	s.Listener = tellTale{s.Listener, &s.visits}
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

// tellTale counts the connections that a listener takes.
type tellTale struct {
	net.Listener

	visits *atomic.Int64
}

func (l tellTale) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err == nil {
		l.visits.Add(1)
	}
	return conn, err
}

func (s *shelf) taken() int64 { return s.visits.Load() }

func (s *shelf) put(data []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.data = append([]byte{}, data...)
}

func (s *shelf) requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.asked)
}

// access returns an Access to all files of the server.
func (s *shelf) access(t *testing.T) *places.Access {
	t.Helper()
	allowed, err := places.Allow([]string{s.URL + "/in/"})
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	access := places.New(places.Options{Allowed: allowed, Roots: roots})
	places.Hasten(access)
	t.Cleanup(access.Close)
	return access
}

// opener returns an Opener that may read all files of the server.
func (s *shelf) opener(t *testing.T, o exports.Options) *exports.Opener {
	t.Helper()
	return exports.New(s.access(t), o)
}

func etagOf(data []byte) string { return fmt.Sprintf(`"%x"`, sha256.Sum256(data)) }

// ranges serves as most servers do.
func ranges(w http.ResponseWriter, r *http.Request, data []byte) {
	w.Header().Set("ETag", etagOf(data))
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
}

// noRanges serves the whole only.
func noRanges(w http.ResponseWriter, _ *http.Request, data []byte) {
	w.Header().Set("ETag", etagOf(data))
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	_, _ = w.Write(data)
}

// TestWeb holds https to what content says, with servers of several kinds.
func TestWeb(t *testing.T) {
	t.Parallel()
	for name, serve := range map[string]func(http.ResponseWriter, *http.Request, []byte){
		"ranges":    ranges,
		"no ranges": noRanges,
		"dates only": func(w http.ResponseWriter, r *http.Request, data []byte) {
			sum := sha256.Sum256(data)
			http.ServeContent(w, r, "", time.Unix(int64(sum[0])<<8+int64(sum[1]), 0), bytes.NewReader(data))
		},
		"weak ETags": func(w http.ResponseWriter, r *http.Request, data []byte) {
			w.Header().Set("ETag", "W/"+etagOf(data))
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
		},
		"short ranges": func(w http.ResponseWriter, r *http.Request, data []byte) {
			var from, to int
			if n, _ := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-%d", &from, &to); n == 2 && to-from > 10_000 {
				r.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", from, from+10_000))
			}
			ranges(w, r, data)
		},
		"416 for what is empty": func(w http.ResponseWriter, r *http.Request, data []byte) {
			if r.Header.Get("Range") != "" && len(data) == 0 {
				w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
				return
			}
			ranges(w, r, data)
		},
		"every other answer a 503": func() func(http.ResponseWriter, *http.Request, []byte) {
			var mu sync.Mutex
			n := 0
			return func(w http.ResponseWriter, r *http.Request, data []byte) {
				mu.Lock()
				n++
				bad := n%2 == 0
				mu.Unlock()
				if bad {
					w.WriteHeader(http.StatusServiceUnavailable)
					return
				}
				ranges(w, r, data)
			}
		}(),
		"every answer breaks off": func(w http.ResponseWriter, r *http.Request, data []byte) {
			ranges(&breaking{ResponseWriter: w, left: 30_000}, r, data)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testContent(t, func(t *testing.T) contentKind {
				t.Helper()
				s := newShelf(t, serve)
				access := s.access(t)
				return contentKind{
					put: func(_ *testing.T, data []byte) { s.put(data) },
					open: func(t *testing.T) (places.Content, error) {
						t.Helper()
						f, err := access.OpenSource(t.Context(), &usher.Source{URL: s.URL + "/in/export"}, places.Range{Size: 64<<10 + 1})
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

// breaking is an answer that breaks off after so many bytes.
type breaking struct {
	http.ResponseWriter

	left int
}

func (b *breaking) Write(p []byte) (int, error) {
	if b.left == 0 {
		panic(http.ErrAbortHandler)
	}
	n, err := b.ResponseWriter.Write(p[:min(len(p), b.left)])
	if b.left -= n; err == nil && b.left == 0 {
		_ = http.NewResponseController(b.ResponseWriter).Flush()
		panic(http.ErrAbortHandler)
	}
	return n, err
}

const anID = "6D92078A-8246-4BA4-AE5B-76104861E7DC\n"

// readAll plans and reads an export, and returns how many bytes its rows have.
func readAll(t *testing.T, o *exports.Opener, url string) (usher.Plan, int, error) {
	t.Helper()
	src := &usher.Source{URL: url}
	plan, err := o.Plan(t.Context(), src, 64<<10)
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

// TestAnswers: whatever a server answers, an export is read whole or not at all.
func TestAnswers(t *testing.T) {
	t.Parallel()
	whole := []byte(strings.Repeat(anID, 20_000))
	for _, c := range []struct {
		name  string
		serve func(w http.ResponseWriter, r *http.Request, data []byte)
		parts int
		class usher.Class
	}{
		{"ranges", ranges, 12, "none"},
		{"no ranges", noRanges, 1, "none"},
		{"nothing that pins it", func(w http.ResponseWriter, r *http.Request, data []byte) {
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
		}, 1, "none"},
		{"in chunks", func(w http.ResponseWriter, _ *http.Request, data []byte) { _, _ = w.Write(data) }, 1, "none"},
		{"in chunks that break off", func(w http.ResponseWriter, _ *http.Request, data []byte) {
			_, _ = (&breaking{w, 400_000}).Write(data)
		}, 1, usher.SourceBroken},
		{"a body shorter than its length", func(w http.ResponseWriter, _ *http.Request, data []byte) {
			w.Header().Set("Content-Length", strconv.Itoa(len(data)))
			_, _ = (&breaking{w, 37 * 10_000}).Write(data)
		}, 1, usher.SourceBroken},
		{"the same, pinned", func(w http.ResponseWriter, r *http.Request, data []byte) {
			noRanges(&breaking{w, 37 * 10_000}, r, data)
		}, 1, usher.SourceBroken},
		{"ranges that break off at one byte", func(w http.ResponseWriter, r *http.Request, data []byte) {
			var from int
			_, _ = fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from)
			ranges(&breaking{w, max(37*10_000-from, 0)}, r, data)
		}, 12, usher.SourceBroken},
		{"one byte an answer", func(w http.ResponseWriter, r *http.Request, data []byte) {
			ranges(&breaking{w, 1}, r, data)
		}, 0, usher.SourceBroken},
		{"without a length, until it closes", func(w http.ResponseWriter, _ *http.Request, data []byte) {
			hijack(w, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"+string(data))
		}, 0, usher.SourceBroken},
		{"HTTP/1.0", func(w http.ResponseWriter, _ *http.Request, data []byte) {
			hijack(w, "HTTP/1.0 200 OK\r\n\r\n"+string(data[:37*10_000]))
		}, 0, usher.SourceBroken},
		{"a range nobody asked for", func(w http.ResponseWriter, r *http.Request, data []byte) {
			r.Header.Set("Range", "bytes=5-1000")
			ranges(w, r, data)
		}, 0, usher.SourceBroken},
		{"another file each time", func() func(w http.ResponseWriter, r *http.Request, data []byte) {
			var n sync.Map
			return func(w http.ResponseWriter, r *http.Request, data []byte) {
				_, again := n.LoadOrStore("asked", true)
				if again {
					data = append([]byte("x"), data[1:]...)
				}
				ranges(w, r, data)
			}
		}(), 12, usher.SourceBroken},
		{"a page of errors", status(http.StatusInternalServerError, ""), 0, "retryable"},
		{"later", status(http.StatusServiceUnavailable, "60"), 0, "later"},
		{"slowly", status(http.StatusTooManyRequests, "60"), 0, "later"},
		{"404", status(http.StatusNotFound, ""), 0, usher.SourceMissing},
		{"410", status(http.StatusGone, ""), 0, usher.SourceMissing},
		{"401", status(http.StatusUnauthorized, ""), 0, usher.SourceRefused},
		{"403", status(http.StatusForbidden, ""), 0, usher.SourceRefused},
		{"204", status(http.StatusNoContent, ""), 0, usher.SourceRefused},
		{"a redirect to nowhere", status(http.StatusFound, ""), 0, "any"},
		{"headers without an end", func(w http.ResponseWriter, _ *http.Request, _ []byte) {
			w.Header().Set("X", strings.Repeat("x", 1<<20))
		}, 0, "retryable"},
		{"nothing, for ever", func(_ http.ResponseWriter, r *http.Request, _ []byte) { <-r.Context().Done() }, 0, "retryable"},
		{"nothing more, for ever", func(w http.ResponseWriter, r *http.Request, data []byte) {
			_, _ = w.Write(data[:100])
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}, 0, "retryable"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newShelf(t, c.serve)
			s.put(whole)
			access := s.access(t)
			if strings.HasSuffix(c.name, "for ever") {
				places.SetIdle(access, 20*time.Millisecond)
			}
			plan, size, err := readAll(t, exports.New(access, exports.Options{}), s.URL+"/in/export?signature=hunter2")
			if got := classOf(err); got != c.class && (c.class != "any" || got == "none") {
				t.Errorf("%s, want %s: %v", got, c.class, err)
			}
			if err == nil && size != len(whole) {
				t.Errorf("%d bytes of %d", size, len(whole))
			}
			if c.parts > 0 && len(plan.Parts) != c.parts {
				t.Errorf("%d parts, want %d", len(plan.Parts), c.parts)
			}
			if err != nil && strings.Contains(err.Error(), "hunter2") {
				t.Errorf("it says too much: %v", err)
			}
		})
	}
}

func hijack(w http.ResponseWriter, answer string) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	_, _ = io.WriteString(conn, answer)
	_ = conn.Close()
}

func status(code int, after string) func(http.ResponseWriter, *http.Request, []byte) {
	return func(w http.ResponseWriter, _ *http.Request, _ []byte) {
		if after != "" {
			w.Header().Set("Retry-After", after)
		}
		w.WriteHeader(code)
	}
}

// TestRequests: a part asks for what it reads and little more, in few requests.
func TestRequests(t *testing.T) {
	t.Parallel()
	s := newShelf(t, ranges)
	s.put([]byte(strings.Repeat(anID, 100_000)))
	o := s.opener(t, exports.Options{PartBytes: 1 << 20})
	src := &usher.Source{URL: s.URL + "/in/export"}
	plan, err := o.Plan(t.Context(), src, 0)
	if err != nil || len(plan.Parts) != 4 || s.requests() != 1 {
		t.Fatalf("%d parts, %d requests, %v", len(plan.Parts), s.requests(), err)
	}
	_, size, err := readAll(t, s.opener(t, exports.Options{}), src.URL)
	if err != nil || size != 3_700_000 {
		t.Fatalf("%d bytes, %v", size, err)
	}
	// Each of the 57 parts is one request, and a second where its last line
	// goes on.
	if n := s.requests() - 2; n > 2*57 {
		t.Errorf("%d requests", n)
	}
}

// TestUntrusted: a server that nobody vouches for is not read, nor one that does
// not speak TLS.
func TestUntrusted(t *testing.T) {
	t.Parallel()
	s := newShelf(t, ranges)
	s.put([]byte(anID))
	allowed, err := places.Allow([]string{s.URL})
	if err != nil {
		t.Fatal(err)
	}
	access := places.New(places.Options{Allowed: allowed})
	places.Hasten(access)
	defer access.Close()
	var p *usher.Permanent
	if _, _, err := readAll(t, exports.New(access, exports.Options{}), s.URL+"/export"); !errors.As(err, &p) || p.Class != usher.SourceRefused || !strings.Contains(p.Hint, "sources.https_ca") {
		t.Errorf("%v", err)
	}
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	at := strings.Replace(plain.URL, "http:", "https:", 1)
	if allowed, err = places.Allow([]string{at}); err != nil {
		t.Fatal(err)
	}
	plainAccess := places.New(places.Options{Allowed: allowed})
	defer plainAccess.Close()
	if _, _, err := readAll(t, exports.New(plainAccess, exports.Options{}), at+"/export"); classOf(err) != usher.SourceRefused {
		t.Errorf("%v", err)
	}
}
