package console

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/json"
	"fmt"
	"net/http"
	"path"
	"strings"

	"github.com/klauspost/compress/gzhttp"

	"usher/internal/readable"
)

// bundle has the page as browsers read it: a script and a style, made of the sources in static.
//
//go:generate go -C ../../tools/console run . -from ../../internal/console/static -to ../../internal/console/bundle
//go:embed bundle
var bundle embed.FS

// sessionPlace is where index.html says who is logged in, so that the script need not ask.
const sessionPlace = `<script type="application/json" id="session">{}</script>`

// serveFiles serves the page and its files, without a login: they contain no data. The names of
// the files have digests of their contents, so that browsers keep them for ever and still use new
// ones at once.
func (c *Console) serveFiles() {
	page, _ := bundle.ReadFile("bundle/index.html") // what is embedded can be read
	entries, _ := bundle.ReadDir("bundle")
	for _, entry := range entries {
		data, _ := bundle.ReadFile("bundle/" + entry.Name())
		kind := path.Ext(entry.Name())
		name := fmt.Sprintf("%s-%.6x%s", strings.TrimSuffix(entry.Name(), kind), sha256.Sum256(data), kind)
		page = bytes.ReplaceAll(page, []byte(`"`+entry.Name()+`"`), []byte(`"`+name+`"`))
		c.mux.Handle("GET /"+name, gzhttp.GzipHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", mediaType(kind))
			w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
			_, _ = w.Write(data) // an error means that the client is gone
		})))
	}
	c.mux.Handle("GET /{$}", gzhttp.GzipHandler(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) { c.servePage(w, req, page) })))
}

// servePage serves index.html with the state of the request's session.
func (c *Console) servePage(w http.ResponseWriter, req *http.Request, page []byte) {
	state, err := json.Marshal(c.sessionOf(req)) // escapes <, so that no name ends the element
	if err != nil {
		c.writeError(w, req, err)
		return
	}
	w.Header().Set("Content-Type", mediaType(".html"))
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(bytes.Replace(page, []byte(sessionPlace), []byte(strings.Replace(sessionPlace, "{}", string(readable.UnbidiShown(state)), 1)), 1))
}

// mediaType returns a media type by the end of a file's name. It does not use package mime,
// because its tables depend on the machine.
func mediaType(kind string) string {
	switch kind {
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
