package sandbox_test

import (
	"bytes"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"usher/internal/rtb"
	"usher/internal/sandbox"
)

// pictures returns a file of every accepted format.
func pictures(t *testing.T) map[string][]byte {
	t.Helper()
	picture := image.NewGray(image.Rect(0, 0, 3, 2))
	var asGIF, asJPEG, asPNG bytes.Buffer
	must(t, gif.Encode(&asGIF, picture, nil))
	must(t, jpeg.Encode(&asJPEG, picture, nil))
	must(t, png.Encode(&asPNG, picture))
	return map[string][]byte{
		"gif": asGIF.Bytes(), "jpeg": asJPEG.Bytes(), "png": asPNG.Bytes(),
		"swf": []byte("CWS\x08\x20\x00\x00\x00rest"),
	}
}

func TestCreativesAreJudgedByContent(t *testing.T) {
	t.Parallel()
	p := start(t, sandbox.Options{})
	c, ctx := p.client(), t.Context()
	push := func(content []byte) (rtb.Upload, error) {
		upload, _, err := rtb.CreativesPush.Do(ctx, c, rtb.CreativePush{Creative: rtb.File{Name: "banner.txt", Content: bytes.NewReader(content), Size: int64(len(content))}})
		return upload, err
	}
	seen := map[string]bool{}
	for format, content := range pictures(t) {
		upload, err := push(content)
		must(t, err)
		if !strings.HasSuffix(upload.Location, "/"+upload.ID+"."+format) || seen[upload.ID] {
			t.Errorf("%s became %+v", format, upload)
		}
		seen[upload.ID] = true
	}
	for name, content := range map[string][]byte{
		"nothing": {}, "text": []byte("GIF"), "old Flash": []byte("FWS\x07\x20\x00\x00\x00rest"), "short Flash": []byte("FWS\x08"),
		"half a PNG": pictures(t)["png"][:20], "WebP": []byte("RIFF\x00\x00\x00\x00WEBPVP8 "), "HTML": []byte("<html>"),
	} {
		if upload, err := push(content); verdict(err) != "permanent refused E10001" {
			t.Errorf("%s: %+v %v", name, upload, err)
		}
	}
	if _, err := push(append(pictures(t)["gif"], make([]byte, 10<<20)...)); verdict(err) != "permanent refused HTTP413" {
		t.Errorf("11 MB: %v", err)
	}
}

func TestCreativesArePulled(t *testing.T) {
	t.Parallel()
	files := pictures(t)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch name := r.URL.Path[1:]; name {
		case "elsewhere":
			http.Redirect(w, r, "http://10.0.0.1/secret", http.StatusFound)
		case "moved":
			http.Redirect(w, r, "/png", http.StatusFound)
		case "text":
			_, _ = w.Write([]byte("hello"))
		case "large":
			_, _ = w.Write(append(files["gif"], make([]byte, 10<<20)...))
		case "cut":
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write(files["gif"])
		default:
			if files[name] == nil {
				http.NotFound(w, r)
			}
			_, _ = w.Write(files[name])
		}
	}))
	t.Cleanup(site.Close)
	p := start(t, sandbox.Options{})
	c, ctx := p.client(), t.Context()
	for _, path := range []string{"/gif?signature=canary", "/moved"} {
		upload, _, err := rtb.CreativesPull.Do(ctx, c, rtb.CreativePull{URL: site.URL + path})
		if err != nil || upload.ID == "" || upload.Location == "" {
			t.Errorf("%s: %+v %v", path, upload, err)
		}
	}
	for _, address := range []string{
		"", "x", "ftp://127.0.0.1/x", "file:///etc/passwd", "http://", "http://127.0.0.1:1/x?canary",
		site.URL + "/none?canary", site.URL + "/text", site.URL + "/cut", site.URL + "/elsewhere",
		"http://169.254.169.254/latest/meta-data", "http://192.168.0.1/", "http://0.0.0.0:80/", "http://[fe80::1]/",
	} {
		if _, _, err := rtb.CreativesPull.Do(ctx, c, rtb.CreativePull{URL: address}); verdict(err) != "permanent refused E10001" || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: %v", address, err)
		}
	}
	if _, _, err := rtb.CreativesPull.Do(ctx, c, rtb.CreativePull{URL: site.URL + "/large"}); verdict(err) != "permanent refused HTTP413" {
		t.Errorf("too large: %v", err)
	}
	for _, e := range p.journal(0) {
		if strings.Contains(e.Form["url"], "canary") {
			t.Errorf("the journal says %+v", e)
		}
	}
}
