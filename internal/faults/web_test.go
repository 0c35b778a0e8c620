package faults_test

import (
	"crypto/md5"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// web is an https server that has exports.
type web struct {
	server *httptest.Server
	dir    string
	ca     string        // a file with the certificate that usher must trust
	drips  atomic.Bool   // it delivers a few bytes a second
	beat   time.Duration // between them
}

func newWeb(t testing.TB, dir string) *web {
	t.Helper()
	w := &web{dir: filepath.Join(dir, "web"), ca: filepath.Join(dir, "web-ca.pem"), beat: 250 * time.Millisecond}
	if err := os.Mkdir(w.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	w.server = httptest.NewTLSServer(http.HandlerFunc(w.serve))
	t.Cleanup(w.server.Close)
	write(t, w.ca, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: w.server.Certificate().Raw})))
	return w
}

func (w *web) serve(out http.ResponseWriter, r *http.Request) {
	out.Header().Set("ETag", fmt.Sprintf("%q", r.URL.Path)) // an export never changes
	http.ServeFile(&dripping{out, w, r}, r, filepath.Join(w.dir, filepath.Base(r.URL.Path)))
}

// dripping is a response that the server delivers slowly while it drips.
type dripping struct {
	http.ResponseWriter
	web     *web
	request *http.Request
}

func (d *dripping) Write(data []byte) (n int, err error) {
	const drop = 20 // bytes
	beat := time.NewTicker(d.web.beat)
	defer beat.Stop()
	for n < len(data) && err == nil {
		size := len(data) - n
		if d.web.drips.Load() {
			size = min(size, drop)
		}
		var written int
		written, err = d.ResponseWriter.Write(data[n : n+size])
		n += written
		if n < len(data) {
			_ = http.NewResponseController(d.ResponseWriter).Flush() // it fails if the caller has disconnected, as the next write does
			select {
			case <-beat.C:
			case <-d.request.Context().Done():
			}
		}
	}
	return n, err
}

// download adds an export of the web server to a segment.
func (s *source) download(w *web, rows int) *job {
	s.t.Helper()
	j := &job{id: s.id("download"), kind: "segment.add", body: of(added), tally: &tally{Read: int64(rows), Accepted: int64(rows)}}
	var text strings.Builder
	for range rows {
		raw := s.device()
		s.model.target(added).add(md5.Sum([]byte(raw)))
		fmt.Fprintln(&text, raw)
	}
	name := j.id + ".txt"
	write(s.t, filepath.Join(w.dir, name), text.String())
	j.body["profile"], j.body["source"] = "idfa", map[string]any{"url": w.server.URL + "/" + name}
	return j
}
