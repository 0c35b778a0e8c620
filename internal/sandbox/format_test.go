package sandbox

import (
	"bytes"
	"image"
	"image/png"
	"testing"
)

// FuzzFormat looks at anything: it says a format that is known or none, and
// does not unpack what claims to be large.
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
				t.Errorf("version %d is taken", content[3])
			}
		default:
			t.Errorf("the format is %q", format)
		}
	})
}

// FuzzPrivateDomain reads any text as a domain of a blocklist: what is taken is
// taken again as it is written, and nothing below it.
func FuzzPrivateDomain(f *testing.F) {
	for _, domain := range []string{"example.co.uk", "EXAMPLE.com", "bücher.de", "a.b.c", "..", "xn--", "[::1]", "1.2.3.4", "ß.de"} {
		f.Add(domain)
	}
	f.Fuzz(func(t *testing.T, text string) {
		domain, err := privateDomain(text)
		if err != nil {
			return
		}
		if again, err := privateDomain(domain); err != nil || again != domain {
			t.Errorf("%q became %q, and that %q: %v", text, domain, again, err)
		}
		if below, err := privateDomain("www." + domain); err == nil {
			t.Errorf("%q is taken, and so is %q below it", domain, below)
		}
	})
}
