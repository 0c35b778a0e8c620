package places_test

import (
	"bytes"
	"crypto/sha256"
	"crypto/x509"
	"errors"
	"fmt"
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

// TestWeb runs the suite of content against several kinds of https servers.
func TestWeb(t *testing.T) {
	t.Parallel()
	for name, serve := range map[string]func(http.ResponseWriter, *http.Request, []byte){
		"ranges":    serveRanges,
		"no ranges": serveWhole,
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
			serveRanges(w, r, data)
		},
		"416 for what is empty": func(w http.ResponseWriter, r *http.Request, data []byte) {
			if r.Header.Get("Range") != "" && len(data) == 0 {
				w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
				return
			}
			serveRanges(w, r, data)
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
				serveRanges(w, r, data)
			}
		}(),
		"every answer breaks off": func(w http.ResponseWriter, r *http.Request, data []byte) {
			serveRanges(&breakingWriter{ResponseWriter: w, left: 30_000}, r, data)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testContent(t, func(t *testing.T) contentKind {
				t.Helper()
				s := newWebServer(t, serve)
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

// TestAnswers checks that an export is read completely or not at all, whatever a
// server responds.
func TestAnswers(t *testing.T) {
	t.Parallel()
	whole := []byte(strings.Repeat(anID, 20_000))
	for _, c := range []struct {
		name  string
		serve func(w http.ResponseWriter, r *http.Request, data []byte)
		parts int
		class usher.Class
	}{
		{"ranges", serveRanges, 12, "none"},
		{"no ranges", serveWhole, 1, "none"},
		{"nothing that pins it", func(w http.ResponseWriter, r *http.Request, data []byte) {
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
		}, 1, "none"},
		{"in chunks", func(w http.ResponseWriter, _ *http.Request, data []byte) { _, _ = w.Write(data) }, 1, "none"},
		{"in chunks that break off", func(w http.ResponseWriter, _ *http.Request, data []byte) {
			_, _ = (&breakingWriter{w, 400_000}).Write(data)
		}, 1, usher.SourceBroken},
		{"a body shorter than its length", func(w http.ResponseWriter, _ *http.Request, data []byte) {
			w.Header().Set("Content-Length", strconv.Itoa(len(data)))
			_, _ = (&breakingWriter{w, 37 * 10_000}).Write(data)
		}, 1, usher.SourceBroken},
		{"the same, pinned", func(w http.ResponseWriter, r *http.Request, data []byte) {
			serveWhole(&breakingWriter{w, 37 * 10_000}, r, data)
		}, 1, usher.SourceBroken},
		{"ranges that break off at one byte", func(w http.ResponseWriter, r *http.Request, data []byte) {
			var from int
			_, _ = fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from)
			serveRanges(&breakingWriter{w, max(37*10_000-from, 0)}, r, data)
		}, 0, usher.SourceBroken},
		{"every other range closed without an answer", func() func(w http.ResponseWriter, r *http.Request, data []byte) {
			var n atomic.Int64
			return func(w http.ResponseWriter, r *http.Request, data []byte) {
				if n.Add(1)%2 == 0 {
					writeRaw(w, "")
					return
				}
				serveRanges(w, r, data)
			}
		}(), 0, "none"},
		{"in chunks that break off behind a row, then closed without an answer", func() func(w http.ResponseWriter, r *http.Request, data []byte) {
			var n atomic.Int64
			return func(w http.ResponseWriter, _ *http.Request, data []byte) {
				w.Header().Set("ETag", etagOf(data))
				switch n := n.Add(1); {
				case n%2 == 0:
					writeRaw(w, "")
				case n > 4:
					_, _ = w.Write(data)
				default:
					_, _ = (&breakingWriter{w, 37 * 10_000}).Write(data)
				}
			}
		}(), 1, "none"},
		{"closed without an answer", func(w http.ResponseWriter, _ *http.Request, _ []byte) { writeRaw(w, "") }, 0, "retryable"},
		{"one byte an answer", func(w http.ResponseWriter, r *http.Request, data []byte) {
			serveRanges(&breakingWriter{w, 1}, r, data)
		}, 0, usher.SourceBroken},
		{"without a length, until it closes", func(w http.ResponseWriter, _ *http.Request, data []byte) {
			writeRaw(w, "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"+string(data))
		}, 0, usher.SourceBroken},
		{"HTTP/1.0", func(w http.ResponseWriter, _ *http.Request, data []byte) {
			writeRaw(w, "HTTP/1.0 200 OK\r\n\r\n"+string(data[:37*10_000]))
		}, 0, usher.SourceBroken},
		{"a range nobody asked for", func(w http.ResponseWriter, r *http.Request, data []byte) {
			r.Header.Set("Range", "bytes=5-1000")
			serveRanges(w, r, data)
		}, 0, usher.SourceBroken},
		{"another file each time", func() func(w http.ResponseWriter, r *http.Request, data []byte) {
			var n sync.Map
			return func(w http.ResponseWriter, r *http.Request, data []byte) {
				_, again := n.LoadOrStore("asked", true)
				if again {
					data = append([]byte("x"), data[1:]...)
				}
				serveRanges(w, r, data)
			}
		}(), 0, usher.SourceBroken},
		{"a page of errors", serveStatus(http.StatusInternalServerError, ""), 0, "retryable"},
		{"later", serveStatus(http.StatusServiceUnavailable, "60"), 0, "later"},
		{"slowly", serveStatus(http.StatusTooManyRequests, "60"), 0, "later"},
		{"later, by a clock that is an hour slow", func(w http.ResponseWriter, r *http.Request, data []byte) {
			now := time.Now().Add(-time.Hour).UTC()
			w.Header().Set("Date", now.Format(http.TimeFormat))
			serveStatus(http.StatusServiceUnavailable, now.Add(time.Minute).Format(http.TimeFormat))(w, r, data)
		}, 0, "later"},
		{"404", serveStatus(http.StatusNotFound, ""), 0, usher.SourceMissing},
		{"410", serveStatus(http.StatusGone, ""), 0, usher.SourceMissing},
		{"401", serveStatus(http.StatusUnauthorized, ""), 0, usher.SourceRefused},
		{"403", serveStatus(http.StatusForbidden, ""), 0, usher.SourceRefused},
		{"204", serveStatus(http.StatusNoContent, ""), 0, usher.SourceRefused},
		{"a redirect to nowhere", serveStatus(http.StatusFound, ""), 0, "any"},
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
			s := newWebServer(t, c.serve)
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
				t.Errorf("the error contains the signature: %v", err)
			}
		})
	}
}

// TestRequests checks that a part requests little more than it reads, in few
// requests.
func TestRequests(t *testing.T) {
	t.Parallel()
	s := newWebServer(t, serveRanges)
	s.put([]byte(strings.Repeat(anID, 100_000)))
	o := s.opener(t, exports.Options{PartBytes: 1 << 20})
	src := &usher.Source{URL: s.URL + "/in/export"}
	plan, err := o.Plan(t.Context(), src, exports.Wanted{}, 0)
	if err != nil || len(plan.Parts) != 4 || s.requests() != 8 { // the head and seven samples
		t.Fatalf("%d parts, %d requests, %v", len(plan.Parts), s.requests(), err)
	}
	_, size, err := readAll(t, s.opener(t, exports.Options{}), src.URL)
	if err != nil || size != 3_700_000 {
		t.Fatalf("%d bytes, %v", size, err)
	}
	// Each of the 57 parts needs one request, and a second one if its last line goes
	// on after the part.
	if n := s.requests() - 16; n > 2*57 {
		t.Errorf("%d requests", n)
	}
}

// TestUntrusted checks that servers without a trusted certificate, or without TLS, are
// refused.
func TestUntrusted(t *testing.T) {
	t.Parallel()
	s := newWebServer(t, serveRanges)
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

// TestRootsChange tests that files are opened with the authorities that are current then.
func TestRootsChange(t *testing.T) {
	t.Parallel()
	s := newWebServer(t, serveRanges)
	s.put([]byte(anID))
	allowed, err := places.Allow([]string{s.URL + "/in/"})
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	access := places.New(places.Options{Allowed: allowed, Roots: func() *x509.CertPool { return roots }})
	places.Hasten(access)
	t.Cleanup(access.Close)
	opener := exports.New(access, exports.Options{})
	if _, _, err := readAll(t, opener, s.URL+"/in/a"); classOf(err) != usher.SourceRefused {
		t.Errorf("a server that is not trusted: %v", err)
	}
	renewed := x509.NewCertPool()
	renewed.AddCert(s.Certificate())
	roots = renewed
	if _, _, err := readAll(t, opener, s.URL+"/in/a"); err != nil {
		t.Error(err)
	}
}
