package files

import (
	"bytes"
	"errors"
	"image"
	_ "image/gif"  // a format of creatives
	_ "image/jpeg" // a format of creatives
	_ "image/png"  // a format of creatives
	"io"
	"mime/multipart"
	"net/http"

	"usher/internal/sandbox/envelope"
)

// creativeLimit is the maximum size of the file of a creative, in bytes.
const creativeLimit = 10 << 20

// Creative describes a creative's file, whose content is not stored.
type Creative struct {
	Format string // jpeg, gif, png, swf
	Bytes  int64
}

// ReadCreative reads the file of a field of a multipart form.
func ReadCreative(r *http.Request, field string) (*Creative, error) {
	boundary, err := boundaryOf(r, field)
	if err != nil {
		return nil, err
	}
	parts := multipart.NewReader(http.MaxBytesReader(nil, r.Body, 2*creativeLimit), boundary)
	content, err := contentOf(parts, field)
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, creativeTooLarge()
	case errors.Is(err, io.EOF):
		return nil, envelope.Malformed("the multipart body has no file field named %s", field)
	case err != nil:
		return nil, envelope.Truncated(err, "the multipart body is broken or ended early")
	}
	return newCreative(field, content)
}

// contentOf returns the content of the first file of a field, but at most creativeLimit + 1
// bytes. The error is io.EOF if there is no such file.
func contentOf(parts *multipart.Reader, field string) ([]byte, error) {
	for {
		part, err := parts.NextPart()
		if err != nil {
			return nil, err
		}
		if part.FormName() == field {
			return io.ReadAll(io.LimitReader(part, creativeLimit+1))
		}
	}
}

// newCreative checks the size and the format of a content. field names it in errors.
func newCreative(field string, content []byte) (*Creative, error) {
	format := formatOf(content)
	switch {
	case len(content) > creativeLimit:
		return nil, creativeTooLarge()
	case format == "":
		return nil, envelope.Invalid(field, "must be JPEG, GIF, PNG or SWF for Flash Player 8 or higher, judged by its content")
	}
	return &Creative{format, int64(len(content))}, nil
}

func creativeTooLarge() error {
	return envelope.TooLarge("a creative's file must have at most %d bytes", creativeLimit)
}

// minFlash is the lowest accepted version of Flash Player.
const minFlash = 8

// formatOf returns jpeg, gif, png or swf by a file's content, or "". It decodes only the
// header, so that no image is unpacked.
func formatOf(content []byte) string {
	if _, format, err := image.DecodeConfig(bytes.NewReader(content)); err == nil {
		return format
	}
	for _, magic := range []string{"FWS", "CWS", "ZWS"} { // plain, zlib, LZMA; then the version and four bytes of length
		if bytes.HasPrefix(content, []byte(magic)) && len(content) > 8 && content[3] >= minFlash {
			return "swf"
		}
	}
	return ""
}
