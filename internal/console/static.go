package console

import (
	"crypto/sha256"
	"embed"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

// files has the page: HTML, CSS and ES modules, with third-party modules in vendor.
//
//go:embed static
var files embed.FS

// static serves the page's files. They contain no data and need no login.
func (c *Console) static() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		name := strings.TrimPrefix(path.Clean(req.URL.Path), "/")
		if name == "" {
			name = "index.html"
		}
		data, err := fs.ReadFile(files, "static/"+name)
		if err != nil {
			http.NotFound(w, req)
			return
		}
		tag := fmt.Sprintf(`"%x"`, sha256.Sum256(data))
		w.Header().Set("Content-Type", mediaType(name))
		w.Header().Set("Cache-Control", "no-cache") // revalidated with the ETag
		w.Header().Set("ETag", tag)
		if req.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		_, _ = w.Write(data) //nolint:gosec // the data is an embedded file, whatever the path
	})
}

// mediaType returns a file's media type. It does not use package mime, because its tables
// depend on the machine.
func mediaType(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	}
	return "text/plain; charset=utf-8"
}
