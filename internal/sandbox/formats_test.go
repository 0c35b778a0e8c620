package sandbox

import (
	"bytes"
	"image"
	"image/png"
	"testing"
)

// FuzzFormat checks that any content has a known format or none, and that a file whose
// header claims a large image is not unpacked.
func FuzzFormat(f *testing.F) {
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		f.Fatal(err)
	}
	f.Add(picture.Bytes())
	f.Add([]byte("GIF89a\xff\xff\xff\xff\x00\x00\x00;"))
	f.Add([]byte("\xff\xd8\xff\xe0\x00\x10JFIF\x00"))
	f.Add([]byte("ZWS\x0d\x00\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, content []byte) {
		switch format := formatOf(content); format {
		case "", "gif", "jpeg", "png":
		case "swf":
			if content[3] < minFlash {
				t.Errorf("version %d is accepted", content[3])
			}
		default:
			t.Errorf("the format is %q", format)
		}
	})
}
