package sandbox

import (
	"bytes"
	"image"
	_ "image/gif"  // a format of creatives
	_ "image/jpeg" // a format of creatives
	_ "image/png"  // a format of creatives
)

const formatRule = "must be JPEG, GIF, PNG or SWF for Flash Player 8 or higher, by its content"

// minFlash is the version of the first SWF that is taken.
const minFlash = 8

// formatOf is jpeg, gif, png or swf by a file's content; empty is another. Only
// the header is looked at, so that no image is too large to unpack.
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
