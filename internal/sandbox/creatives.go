package sandbox

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strconv"

	"usher/internal/rtb"
)

// assetLimit is how large a creative's file may be, in bytes.
const assetLimit = 10 << 20

// assetFile is a creative's file as it came in.
type assetFile struct {
	format string
	bytes  int64
}

// newAssetFile looks at a file that came as field; content may be one byte over
// the limit.
func newAssetFile(field string, content []byte) (*assetFile, error) {
	format := formatOf(content)
	switch {
	case len(content) > assetLimit:
		return nil, assetTooLarge()
	case format == "":
		return nil, invalid(field, formatRule)
	}
	return &assetFile{format, int64(len(content))}, nil
}

func assetTooLarge() error {
	return failure{status: http.StatusRequestEntityTooLarge, message: fmt.Sprintf("a creative's file may have %d bytes", assetLimit)}
}

// readAsset reads the file of the multipart field name.
func readAsset(r *http.Request, name string) (*assetFile, error) {
	mediaType, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || mediaType != "multipart/form-data" || parameters["boundary"] == "" {
		return nil, malformed("Content-Type must be multipart/form-data with a boundary and a file field named %s", name)
	}
	parts := multipart.NewReader(http.MaxBytesReader(nil, r.Body, 2*assetLimit), parameters["boundary"])
	for {
		part, err := parts.NextPart()
		var content []byte
		switch {
		case errors.Is(err, io.EOF):
			return nil, malformed("the multipart body has no file field named %s", name)
		case err == nil && part.FormName() != name:
			continue
		case err == nil:
			content, err = io.ReadAll(io.LimitReader(part, assetLimit+1))
		}
		var tooLarge *http.MaxBytesError
		switch {
		case errors.As(err, &tooLarge):
			return nil, assetTooLarge()
		case err != nil:
			return nil, wrapMalformed(err, "the multipart body is broken or ended early")
		}
		return newAssetFile(name, content)
	}
}

func (w *world) pushCreative(c *call, _ rtb.CreativePush) (rtb.Upload, error) { return w.keepAsset(c) }

func (w *world) pullCreative(c *call, _ rtb.CreativePull) (rtb.Upload, error) { return w.keepAsset(c) }

// keepAsset gives the uploaded file an id.
func (w *world) keepAsset(c *call) (rtb.Upload, error) {
	number, counted := w.next("asset")
	id := strconv.FormatInt(number, 10)
	row := asset{Advertiser: c.advertiser, Format: c.file.format, Bytes: c.file.bytes, At: c.now}
	location := fmt.Sprintf("https://cdn.example.com/%s/%s.%s", c.advertiser, id, row.Format)
	return rtb.Upload{ID: id, Location: location}, w.commit(nil, counted, w.assets.put(id, row))
}
