package places_test

import (
	"errors"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"usher"
	"usher/internal/exports"
	"usher/internal/exports/places"
)

// tree is a directory tree with an allowed place, and files beside it.
type tree struct {
	dir, place string
	opener     *exports.Opener
}

func newTree(t *testing.T) *tree {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	h := &tree{dir: dir, place: filepath.Join(dir, "in")}
	for _, d := range []string{"in/sub", "in2", "in.d", "out", "other"} {
		must(t, os.MkdirAll(filepath.Join(dir, d), 0o700))
	}
	for _, f := range []string{"in/ok", "in/sub/ok", "in/a b%20c", "in/ü", "in2/secret", "in.d/secret", "out/secret", "secret", "other/ok", "single", "single2"} {
		must(t, os.WriteFile(filepath.Join(dir, f), []byte(anID), 0o600))
	}
	for link, target := range map[string]string{
		"in/link-out":       "../out/secret",
		"in/link-out-abs":   filepath.Join(dir, "out/secret"),
		"in/link-dir-out":   "../out",
		"in/link-up":        "..",
		"in/link-root":      "/",
		"in/link-passwd":    "/etc/passwd",
		"in/link-nowhere":   "/etc/no-such-file",
		"in/link-chain":     "link-out",
		"in/link-loop":      "link-loop",
		"in/link-prefix":    "../in2/secret",
		"in/link-self-dir":  ".",
		"in/link-proc":      "/proc/self/environ",
		"in/link-dangling":  "not-there",
		"in/link-in":        "sub/ok",
		"in/link-in-abs":    filepath.Join(dir, "in/sub/ok"),
		"in/sub/link-up":    "../ok",
		"in/link-sub":       "sub",
		"in/link-other":     "../other/ok",
		"in/link-other-abs": filepath.Join(dir, "other"),
		"alias":             "in",
		"out/link-in":       "../in/ok",
	} {
		must(t, os.Symlink(target, filepath.Join(dir, link)))
	}
	must(t, syscall.Mkfifo(filepath.Join(dir, "in/fifo"), 0o600))
	short, err := os.MkdirTemp("", "s") // a socket's path is short
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(short) })
	socket, err := net.Listen("unix", filepath.Join(short, "s"))
	must(t, err)
	t.Cleanup(func() { _ = socket.Close() })
	must(t, os.Rename(filepath.Join(short, "s"), filepath.Join(dir, "in/socket")))
	allowed, err := places.Allow([]string{h.place, filepath.Join(dir, "other") + "/", "file://" + dir + "/single", dir + "/in/nowhere/deep", "https://example.com/elsewhere/"})
	must(t, err)
	h.opener = exports.New(places.New(places.Options{Allowed: allowed}), exports.Options{})
	return h
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (h *tree) class(t *testing.T, url string) usher.Class {
	t.Helper()
	_, err := h.opener.Plan(t.Context(), &usher.Source{URL: strings.ReplaceAll(url, "DIR", h.dir)}, exports.Wanted{}, 0)
	var p *usher.Permanent
	if errors.As(err, &p) && p.Hint == "" {
		t.Errorf("%s: no hint in %v", url, err)
	}
	return classOf(err)
}

func TestPlacesOpen(t *testing.T) {
	t.Parallel()
	h := newTree(t)
	for _, url := range []string{
		"DIR/in/ok", "file://DIR/in/ok", "file:DIR/in/ok", "FILE://DIR/in/ok", "file:///..DIR/in/ok",
		"DIR/in/../in/./sub//ok", "DIR/out/../in/ok", "file://DIR/in/%6fk", "file://DIR/in/sub%2Fok", "file://DIR/in/sub/%2e%2e/ok",
		"DIR/in/a b%20c", "file://DIR/in/a%20b%2520c", "DIR/in/ü", "file://DIR/in/%C3%BC",
		"DIR/in/link-in", "DIR/in/link-in-abs", "DIR/in/sub/link-up", "DIR/in/link-sub/ok", "DIR/in/link-sub/link-up",
		"DIR/in/link-self-dir/ok", "DIR/in/link-other", "DIR/in/link-other-abs/ok", "DIR/other/ok", "DIR/single", "file://DIR/single",
	} {
		if got := h.class(t, url); got != "none" {
			t.Errorf("%s: %s, want it opened", url, got)
		}
	}
}

func TestPlacesMissing(t *testing.T) {
	t.Parallel()
	h := newTree(t)
	for _, url := range []string{
		"DIR/in/not-there", "file://DIR/in/not-there", "DIR/in/sub/not-there", "DIR/in/not-there/ok", "DIR/in/ok/below-a-file",
		"DIR/in/link-dangling", "DIR/in/nowhere/deep/file", "DIR/in/" + strings.Repeat("x", 300), "DIR/in/ok%00", "file://DIR/in/%252e%252e/secret",
	} {
		if got := h.class(t, url); got != usher.SourceMissing {
			t.Errorf("%s: %s, want %s", url, got, usher.SourceMissing)
		}
	}
}

// malicious are sources that must not be opened. DIR is the directory of the place
// "in".
var malicious = []string{
	// beside the places
	"/etc/passwd", "file:///etc/passwd", "file:/etc/passwd", "file:////etc/passwd", "/etc/shadow", "/", "file:///", "/proc/self/environ",
	"/proc/self/mem", "/dev/zero", "/dev/stdin", "/dev/tcp/127.0.0.1/80", "/sys/kernel/notes", "DIR/secret", "DIR/out/secret", "DIR/no-such-file",
	"file://DIR/out/no-such-file", "DIR", "DIR/", "/../../etc/passwd",
	// beside them by prefix
	"DIR/in2/secret", "DIR/in.d/secret", "DIR/in/../in2/secret", "file://DIR/in2/secret", "DIR/i", "DIR/single2", "DIR/single/../secret", "DIR/single/below", "DIR/IN/ok",
	// out of them by ..
	"DIR/in/../secret", "DIR/in/../../secret", "DIR/in/sub/../../secret", "DIR/in/./../secret", "DIR/in//..//secret", "DIR/in/..", "DIR/in/../../../../../../../../etc/passwd",
	"file://DIR/in/../secret", "file://DIR/in/%2e%2e/secret", "file://DIR/in/%2E%2E/secret", "file://DIR/in/.%2e/secret", "file://DIR/in/..%2fsecret",
	"file://DIR/in/%2e%2e%2fsecret", "file://DIR/in/sub%2f..%2f..%2fsecret", "file://DIR/in%2f..%2fsecret", "DIR/in/no-such-dir/../../secret",
	// out of them by symlink
	"DIR/in/link-out", "file://DIR/in/link-out", "DIR/in/link-out-abs", "DIR/in/link-dir-out/secret", "DIR/in/link-dir-out/not-there", "DIR/in/link-up/secret",
	"DIR/in/link-up/in2/secret", "DIR/in/link-root/etc/passwd", "DIR/in/link-passwd", "DIR/in/link-nowhere", "DIR/in/link-chain", "DIR/in/link-loop",
	"DIR/in/link-prefix", "DIR/in/link-proc", "DIR/in/link-self-dir/link-out", "DIR/in/link-sub/../link-out", "DIR/alias/ok", "DIR/out/link-in",
	// not regular files
	"DIR/in", "DIR/in/sub", "DIR/in/.", "DIR/in/link-sub", "DIR/in/fifo", "file://DIR/in/fifo", "DIR/in/socket", "DIR/other",
	// file URLs with more than a path
	"file://localhost/etc/passwd", "file://localhostDIR/in/ok", "file://otherhostDIR/in/ok", "file://127.0.0.1DIR/in/ok", "file://:80DIR/in/ok", "file://user@DIR/in/ok",
	"file://user:secret@hostDIR/in/ok", "file://DIR/in/ok?x=1", "file://DIR/in/ok?", "file://DIR/in/ok#x", "file://DIR/in/ok#", "file://[::1]DIR/in/ok",
	"file://DIR/in/ok%00", "file://DIR/in/ok%00.csv", "file://DIR/in/%zz", "file://DIR/in/ok%", "file:in/ok", "file:ok", "file:", "file://", "file:..DIR/in/ok", "file:%2fetc%2fpasswd",
	// relative paths, and texts that are not paths
	"in/ok", "./in/ok", "../in/ok", "ok", ".", "..", "~/ok", "~root/ok", "-", "@DIR/in/ok", " DIR/in/ok", "\\\\host\\share\\ok", "$HOME/ok", "|cat /etc/passwd", "DIR/in/ok\x00", "\x00",
	// other schemes
	"http://127.0.0.1/x", "http://169.254.169.254/latest/meta-data/", "https://169.254.169.254/", "https://example.com/x/ids.csv", "https://[::1]:4222/", "https://user:secret@example.com/x/",
	"s3://bucket/key", "s3://bucket/key?endpoint=http://127.0.0.1", "gs://bucket/key?credentials=/etc/passwd", "azblob://c/b", "mem://x", "ftp://host/x", "gopher://127.0.0.1:6379/_x",
	"jar:file:///etc/passwd!/", "data:text/plain,x", "unix:///run/x.sock", "netdoc:///etc/passwd", "fileDIR/in/ok", "file+x://DIR/in/ok", "C:\\secret", "php://filter/resource=/etc/passwd", "://x", "dict://127.0.0.1/",
}

func TestPlacesRefuse(t *testing.T) {
	t.Parallel()
	if len(malicious) < 80 {
		t.Fatalf("%d malicious sources are not enough", len(malicious))
	}
	h := newTree(t)
	for _, url := range malicious {
		if got := h.class(t, url); got != usher.SourceRefused {
			t.Errorf("%q: %s, want %s", url, got, usher.SourceRefused)
		}
	}
	if got := h.class(t, ""); got != usher.InvalidJob {
		t.Errorf("no URL: %s", got)
	}
}

// TestPlacesTellNothing checks that the error for a file outside the places is the same
// whether the file exists or not.
func TestPlacesTellNothing(t *testing.T) {
	t.Parallel()
	h := newTree(t)
	say := func(path string) string {
		_, err := h.opener.Plan(t.Context(), &usher.Source{URL: h.dir + path}, exports.Wanted{}, 0)
		if err == nil {
			t.Fatalf("%s was opened", path)
		}
		return strings.ReplaceAll(err.Error(), path, "PATH")
	}
	for there, not := range map[string]string{
		"/out/secret":             "/out/nothing",
		"/in/link-dir-out/secret": "/in/link-dir-out/nothing",
		"/in/link-passwd":         "/in/link-nowhere",
		"/in/link-up/secret":      "/in/link-up/nothing",
	} {
		if a, b := say(there), say(not); a != b {
			t.Errorf("they differ:\n%s\n%s", a, b)
		}
	}
}

func TestErrorsKeepSecrets(t *testing.T) {
	t.Parallel()
	h := newTree(t)
	for _, source := range []string{
		"https://user:hunter2@example.com/x", "https://example.com/x?sig=hunter2", "https://example.com/x#hunter2",
		"file://user:hunter2@host/x", "file:///x?sig=hunter2", "s3://hunter2:hunter2@b/k", "https://user:hunter2@exa mple.com/%zz",
	} {
		_, err := h.opener.Plan(t.Context(), &usher.Source{URL: source}, exports.Wanted{}, 0)
		if classOf(err) != usher.SourceRefused || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", source, err)
		}
	}
}

// TestSwappedLink replaces a file by a link to another file outside, again and again,
// while it is opened: the file outside is never opened.
func TestSwappedLink(t *testing.T) {
	t.Parallel()
	h := newTree(t)
	path := filepath.Join(h.place, "swapped")
	secret := filepath.Join(h.dir, "out/long-secret")
	must(t, os.WriteFile(secret, []byte(strings.Repeat("5AAB8704-4D8C-4879-8993-C6DD8361F88F\n", 3)), 0o600))
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			next := path + ".next"
			if i%2 == 0 {
				_ = os.Symlink(secret, next)
			} else {
				_ = os.WriteFile(next, []byte(anID), 0o600)
			}
			_ = os.Rename(next, path)
		}
	}()
	opened := 0
	for range 500 {
		plan, err := h.opener.Plan(t.Context(), &usher.Source{URL: path}, exports.Wanted{}, 0)
		if err == nil {
			opened++
			if plan.Size > int64(len(anID)) {
				t.Error("the file outside was opened")
			}
		}
	}
	close(stop)
	<-stopped
	t.Logf("opened %d times of 500", opened)
}

func TestNewPlaces(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{
		"", "\x00", "file://host/x", "file:x", "ftp://host/x", "https://", "https://u:p@host/", "https://host/?x", "file:///x?y", "file:///x#", "://", "%:%",
	} {
		if _, err := places.Allow([]string{"/ok", bad}); (err == nil) != (bad == "://" || bad == "%:%") {
			t.Errorf("%q: error %v", bad, err)
		}
	}
	wd, err := os.Getwd()
	must(t, err)
	allowed, err := places.Allow([]string{".", "/a/../b/", "file:///c%20d", (&url.URL{Scheme: "file", Path: "/b"}).String(), "s3://bucket/x"})
	must(t, err)
	if want := wd + ", /b, /c d, s3://bucket/x"; allowed.String() != want {
		t.Errorf("places %q, want %q", allowed, want)
	}
}

// TestPlaceIsALink allows a place by a symlink, and reads it by both of its paths.
func TestPlaceIsALink(t *testing.T) {
	t.Parallel()
	h := newTree(t)
	o := exports.New(dirAccess(t, filepath.Join(h.dir, "alias")), exports.Options{})
	for _, path := range []string{"alias/ok", "in/ok"} {
		if _, err := o.Plan(t.Context(), &usher.Source{URL: filepath.Join(h.dir, path)}, exports.Wanted{}, 0); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := exports.New(nil, exports.Options{}).Plan(t.Context(), &usher.Source{URL: filepath.Join(h.dir, "in/ok")}, exports.Wanted{}, 0); classOf(err) != usher.SourceRefused {
		t.Errorf("without places: %v", err)
	}
}
