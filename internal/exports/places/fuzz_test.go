package places

import (
	"errors"
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"
	"testing"

	"usher"
)

// FuzzLocation parses arbitrary URLs of sources. What lies in an allowed place has a
// path there without dot segments, and an error shows no part of the URL.
func FuzzLocation(f *testing.F) {
	for _, seed := range []string{
		"", "/exports/a.csv", "file:///exports/../etc/passwd", "file://host/x", "https://crm.example/in/../out", "https://crm.example/in/%2e%2e/out", "https://user:secret@crm.example/in/x",
		"https://crm.example:443/in/a.csv?sig=1#f", "HTTPS://CRM.example./in/x", "s3://bucket/daily/*.csv.gz", "s3://bucket/daily/", "gs://b//x", "azblob://c/%00", "https://[::1%25eth0]/in/", "/exports/*/x", "https://crm.example\\@evil/in/x",
	} {
		f.Add(seed)
	}
	allowed, err := Allow([]string{"https://crm.example/in/", "s3://bucket/daily/", "gs://b/"})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, url string) {
		src := &usher.Source{URL: url}
		at, err := Locate(OriginOf(src), src)
		if err != nil {
			var permanent *usher.Permanent
			if !errors.As(err, &permanent) || permanent.Hint == "" {
				t.Errorf("%v is not permanent, or has no hint", err)
			}
			return
		}
		unclean := at.path != "" && path.Clean("/"+at.path) != "/"+strings.Trim(at.path, "/")
		if dots := slices.ContainsFunc(strings.Split(at.path, "/"), func(name string) bool { return name == "." || name == ".." }); dots || unclean && at.scheme == "file" {
			t.Errorf("the path of %q is %q", url, at.path) // a key of a bucket may have // in it
		}
		if allowed.allow(OriginOf(src), at) != nil {
			return
		}
		for _, place := range []struct{ scheme, host, path string }{{"https", "crm.example", "/in"}, {"s3", "bucket", "/daily"}, {"gs", "b", ""}} {
			if at.scheme == place.scheme && at.host == place.host && (at.path+"/" == place.path+"/" || strings.HasPrefix(at.path, place.path+"/")) {
				return
			}
		}
		t.Errorf("%q is allowed: %+v", url, at)
	})
}

// FuzzContentRange parses arbitrary headers of servers.
func FuzzContentRange(f *testing.F) {
	for _, seed := range []string{"", "bytes 0-99/1234", "bytes 0-99/*", "bytes */1234", "bytes 5-3/2", "bytes -1-3/9", "bytes 0-1/2x", "items 0-1/2", "bytes 0-99/99999999999999999999"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, header string) {
		from, to, total := contentRange(&http.Response{Header: http.Header{"Content-Range": {header}}})
		if total == -1 {
			return
		}
		if from < 0 || to < 0 || total < 0 {
			t.Errorf("%q is the range %d-%d/%d", header, from, to, total)
		}
		if again, _, _ := contentRange(&http.Response{Header: http.Header{"Content-Range": {fmt.Sprintf("bytes %d-%d/%d", from, to, total)}}}); again != from {
			t.Errorf("%q is read in two ways", header)
		}
	})
}
