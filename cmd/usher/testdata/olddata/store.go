//go:build ignore

package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// A store is an object store with the bucket crm.
type store struct {
	url     string
	backend gofakes3.Backend
	broken  atomic.Bool // responds with 500
}

func newStore() *store {
	s := &store{backend: s3mem.New()}
	good := gofakes3.New(s.backend, gofakes3.WithLogger(gofakes3.DiscardLog())).Server()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.broken.Load() {
			http.Error(w, "broken", http.StatusInternalServerError)
			return
		}
		good.ServeHTTP(w, r)
	}))
	s.url = server.URL
	check(s.backend.CreateBucket("crm"))
	return s
}

func (s *store) put(key, text string) {
	_, err := s.backend.PutObject("crm", key, map[string]string{}, strings.NewReader(text), int64(len(text)), nil)
	check(err)
}

// junk is a duplicate, a device id of zeros and a line that is no id.
var junk = deviceID("few", 0) + "\n00000000-0000-0000-0000-000000000000\nneither\n"

// export returns a text of n device ids, one per line. TestOldData generates the same ids.
func export(name string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(deviceID(name, i) + "\n")
	}
	return b.String()
}

// deviceID returns an IDFA: a UUIDv4 derived from the hash of a name and a number.
func deviceID(name string, i int) string {
	h := sha256.Sum256(fmt.Appendf(nil, "%s %d", name, i))
	h[6], h[8] = h[6]&0x0f|0x40, h[8]&0x3f|0x80
	return strings.ToUpper(fmt.Sprintf("%x-%x-%x-%x-%x", h[:4], h[4:6], h[6:8], h[8:10], h[10:16]))
}

// pack writes folders and files of dir to an archive.
func pack(path, dir string, names ...string) error {
	var packed bytes.Buffer
	zip, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	out := tar.NewWriter(zip)
	for _, name := range names {
		err := filepath.WalkDir(filepath.Join(dir, name), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || d.Name() == "usher.lock" {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(dir, path)
			if err != nil {
				return err
			}
			log.Printf("%8d %s", len(data), rel)
			if err := out.WriteHeader(&tar.Header{Name: filepath.ToSlash(rel), Mode: 0o600, Size: int64(len(data))}); err != nil {
				return err
			}
			_, err = out.Write(data)
			return err
		})
		if err != nil {
			return err
		}
	}
	if err := out.Close(); err != nil {
		return err
	}
	if err := zip.Close(); err != nil {
		return err
	}
	log.Printf("%8d %s", packed.Len(), path)
	return os.WriteFile(path, packed.Bytes(), 0o600)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
