package places_test

import (
	"context"
	"crypto/x509"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/dns/dnsmessage"

	"usher"
	"usher/internal/exports"
	"usher/internal/exports/places"
)

// names is a resolver of known names. If a name has several addresses, each query
// returns the next one.
type names struct {
	mu    sync.Mutex
	known map[string][]string
}

func (n *names) resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		go func() {
			defer func() { _ = ours.Close() }()
			for n.answer(ours) == nil {
				continue
			}
		}()
		return theirs, nil
	}}
}

// answer responds to one query, with two bytes of length before each message, as over
// TCP.
func (n *names) answer(conn net.Conn) error {
	var size [2]byte
	if _, err := io.ReadFull(conn, size[:]); err != nil {
		return err
	}
	asked := make([]byte, binary.BigEndian.Uint16(size[:]))
	if _, err := io.ReadFull(conn, asked); err != nil {
		return err
	}
	var m dnsmessage.Message
	if err := m.Unpack(asked); err != nil {
		return err
	}
	m.Response, m.Additionals = true, nil
	q := m.Questions[0]
	n.mu.Lock()
	addresses := n.known[strings.TrimSuffix(q.Name.String(), ".")]
	header := dnsmessage.ResourceHeader{Name: q.Name, Class: dnsmessage.ClassINET}
	if len(addresses) > 0 {
		switch a := netip.MustParseAddr(addresses[0]); {
		case a.Is4() && q.Type == dnsmessage.TypeA:
			m.Answers = []dnsmessage.Resource{{Header: header, Body: &dnsmessage.AResource{A: a.As4()}}}
			if len(addresses) > 1 {
				n.known[strings.TrimSuffix(q.Name.String(), ".")] = addresses[1:]
			}
		case a.Is6() && q.Type == dnsmessage.TypeAAAA:
			m.Answers = []dnsmessage.Resource{{Header: header, Body: &dnsmessage.AAAAResource{AAAA: a.As16()}}}
		}
	}
	n.mu.Unlock()
	if m.Answers == nil && addresses == nil {
		m.RCode = dnsmessage.RCodeNameError
	}
	packed, err := m.Pack()
	if err != nil {
		return err
	}
	_, err = conn.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(packed))), packed...))
	return err
}

// checkedServer is an https server on the loopback address, a part of which may be read.
// It counts connections.
type checkedServer struct {
	*webServer

	port   string
	access *places.Access
	names  *names
}

func newCheckedServer(t *testing.T, serve func(http.ResponseWriter, *http.Request, []byte), private ...string) *checkedServer {
	t.Helper()
	p := &checkedServer{webServer: newWebServer(t, serve), names: &names{known: map[string][]string{}}}
	p.put([]byte(anID))
	_, p.port, _ = net.SplitHostPort(p.Listener.Addr().String())
	var list []string
	for _, host := range []string{"127.0.0.1", "localhost", "files.test", "rebound.test", "metadata.test", "ten.test", "carrier.test", "zero.test", "six.test", "mapped.test", "nat64.test", "sixfour.test", "unique.test", "broadcast.test"} {
		list = append(list, "https://"+host+":"+p.port+"/in/")
	}
	for host, address := range map[string]string{
		"files.test": "127.0.0.1", "metadata.test": "169.254.169.254", "ten.test": "10.1.2.3", "carrier.test": "100.64.1.1", "zero.test": "0.0.0.0",
		"six.test": "::1", "mapped.test": "::ffff:127.0.0.1", "nat64.test": "64:ff9b::7f00:1", "sixfour.test": "2002:7f00:1::1", "unique.test": "fd00:ec2::254",
		"broadcast.test": "255.255.255.255",
	} {
		p.names.known[host] = []string{address}
	}
	ours, err := places.Allow(append(list, "s3://exports/in/", "gs://exports/in", "azblob://exports/in/"))
	if err != nil {
		t.Fatal(err)
	}
	allowed, err := places.ParseAddresses(private)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(p.Certificate())
	p.access = places.New(places.Options{Allowed: ours, Roots: func() *x509.CertPool { return roots }, Private: allowed})
	t.Cleanup(p.access.Close)
	places.Hasten(p.access)
	places.SetResolver(p.access, p.names.resolver(), allowed, "example.com") // as httptest's certificate has it
	return p
}

func (p *checkedServer) read(t *testing.T, url string) error {
	t.Helper()
	_, _, err := readAll(t, exports.New(p.access, exports.Options{}), strings.ReplaceAll(url, "PORT", p.port))
	return err
}

// TestRemotePlacesOpen checks that files in an allowed place are read, however their
// URL is written.
func TestRemotePlacesOpen(t *testing.T) {
	t.Parallel()
	p := newCheckedServer(t, func(w http.ResponseWriter, r *http.Request, data []byte) {
		switch r.URL.Path {
		case "/in/once":
			http.Redirect(w, r, "/in/ok", http.StatusFound)
		case "/in/to-a-name":
			http.Redirect(w, r, "https://localhost:"+portOf(r)+"/in/ok", http.StatusMovedPermanently)
		default:
			serveRanges(w, r, data)
		}
	})
	for _, url := range []string{
		"https://127.0.0.1:PORT/in/ok", "HTTPS://127.0.0.1:PORT/in/ok", "https://localhost:PORT/in/ok", "https://LocalHost:PORT/in/ok",
		"https://127.0.0.1:PORT/in/ok?signature=x%2Fy", "https://127.0.0.1:PORT/in/sub/../ok", "https://127.0.0.1:PORT/in/%6fk", "https://127.0.0.1:PORT/out/../in/ok",
		"https://127.0.0.1:PORT/in/a%20b", "https://127.0.0.1:PORT/in/", "https://127.0.0.1:PORT/in//ok", "https://127.0.0.1:PORT/in/ok+1%2B",
		"https://127.0.0.1:PORT/in/once", "https://127.0.0.1:PORT/in/to-a-name", "https://127.0.0.1:0PORT/in/ok",
	} {
		if err := p.read(t, url); err != nil {
			t.Errorf("%s: %v", url, err)
		}
	}
}

func portOf(r *http.Request) string {
	_, port, _ := net.SplitHostPort(r.Host)
	return port
}

// TestRemotePlacesRefuse checks that all other URLs are refused, without a connection.
func TestRemotePlacesRefuse(t *testing.T) {
	t.Parallel()
	p := newCheckedServer(t, serveRanges)
	refused := []string{
		// other hosts
		"https://127.0.0.2:PORT/in/ok", "https://127.1:PORT/in/ok", "https://2130706433:PORT/in/ok", "https://0177.0.0.1:PORT/in/ok", "https://0x7f000001:PORT/in/ok",
		"https://0x7f.0.0.1:PORT/in/ok", "https://127.0.0.1.:PORT/in/ok", "https://[::1]:PORT/in/ok", "https://[::ffff:127.0.0.1]:PORT/in/ok", "https://[::ffff:7f00:1]:PORT/in/ok",
		"https://[::127.0.0.1]:PORT/in/ok", "https://[fe80::1%25eth0]:PORT/in/ok", "https://0.0.0.0:PORT/in/ok", "https://127.0.0.1.nip.io:PORT/in/ok", "https://localhost.:PORT/in/ok",
		"https://xlocalhost:PORT/in/ok", "https://localhost.evil.test:PORT/in/ok", "https://evil.test:PORT/in/ok", "https://127.0.0.1%2eevil.test:PORT/in/ok", "https://127.0.0.1:PORT.evil.test/in/ok",
		"https://①②⑦.0.0.1:PORT/in/ok", "https://ｌocalhost:PORT/in/ok", "https://127。0。0。1:PORT/in/ok", "https://169.254.169.254/latest/meta-data/", "https://metadata.google.internal/",
		// other ports
		"https://127.0.0.1/in/ok", "https://127.0.0.1:443/in/ok", "https://127.0.0.1:/in/ok", "https://127.0.0.1:PORT0/in/ok", "https://127.0.0.1:0/in/ok", "https://127.0.0.1:99999/in/ok",
		"https://127.0.0.1:-1/in/ok", "https://127.0.0.1:PORT:80/in/ok", "https://127.0.0.1:x/in/ok",
		// users, fragments, and texts that are not URLs
		"https://user@127.0.0.1:PORT/in/ok", "https://user:hunter2@127.0.0.1:PORT/in/ok", "https://:@127.0.0.1:PORT/in/ok", "https://@127.0.0.1:PORT/in/ok",
		"https://127.0.0.1:PORT@evil.test/in/ok", "https://evil.test#@127.0.0.1:PORT/in/ok", "https://evil.test?@127.0.0.1:PORT/in/ok", "https://evil.test\\@127.0.0.1:PORT/in/ok",
		"https://127.0.0.1:PORT/in/ok#x", "https://127.0.0.1:PORT/in/ok#", "https:127.0.0.1:PORT/in/ok", "https:/127.0.0.1:PORT/in/ok", "https:///in/ok", "https://", "https:",
		"https:\\\\127.0.0.1:PORT\\in\\ok", "https://127.0.0.1:PORT\\in\\ok", " https://127.0.0.1:PORT/in/ok", "https://127.0.0.1:PORT/in/ok\n", "https://127.0.0.1:PORT/in/\tok",
		"https://127.0.0.1:PORT/in/ok\r\nX: y", "https://127.0.0.1:PORT/in/ ok", "//127.0.0.1:PORT/in/ok", "https://127.0.0.1 :PORT/in/ok",
		// other schemes
		"http://127.0.0.1:PORT/in/ok", "ws://127.0.0.1:PORT/in/ok", "ftp://127.0.0.1:PORT/in/ok", "https+x://127.0.0.1:PORT/in/ok", "view-source:https://127.0.0.1:PORT/in/ok", "gopher://127.0.0.1:PORT/_in",
		"url:https://127.0.0.1:PORT/in/ok", "blob:https://127.0.0.1:PORT/in/ok", "feed:https://127.0.0.1:PORT/in/ok",
		// other paths
		"https://127.0.0.1:PORT/", "https://127.0.0.1:PORT", "https://127.0.0.1:PORT/inner", "https://127.0.0.1:PORT/in2/ok", "https://127.0.0.1:PORT/IN/ok", "https://127.0.0.1:PORT/in.d/ok",
		"https://127.0.0.1:PORT/in/../secret", "https://127.0.0.1:PORT/in/..", "https://127.0.0.1:PORT/in/sub/../../secret", "https://127.0.0.1:PORT/in/%2e%2e/secret", "https://127.0.0.1:PORT/in/%2E%2E/secret",
		"https://127.0.0.1:PORT/in/.%2e/secret", "https://127.0.0.1:PORT/in/..%2fsecret", "https://127.0.0.1:PORT/in/%2e%2e%2fsecret", "https://127.0.0.1:PORT/in%2f..%2fsecret", "https://127.0.0.1:PORT/in%2fok",
		"https://127.0.0.1:PORT/in/..%5csecret", "https://127.0.0.1:PORT/in/..\\secret", "https://127.0.0.1:PORT/in/%252e%252e/secret", "https://127.0.0.1:PORT/in/%252e%252e%252fsecret", "https://127.0.0.1:PORT/in/..%252fsecret",
		"https://127.0.0.1:PORT/in/..;/secret", "https://127.0.0.1:PORT/in/..;x=y/secret", "https://127.0.0.1:PORT/in/..%3b/secret", "https://127.0.0.1:PORT/in/ok%00", "https://127.0.0.1:PORT/in/ok%0d%0aX:y",
		"https://127.0.0.1:PORT/in/%zz", "https://127.0.0.1:PORT/%69n/../secret", "https://127.0.0.1:PORT/./in/../secret", "https://127.0.0.1:PORT/in/%5c..%5csecret", "https://127.0.0.1:PORT//in/ok", "https://127.0.0.1:PORT/x/in/ok",
		// buckets
		"s3://other/in/ok", "s3://exports/out/ok", "s3://exports/in2/ok", "s3://exports/in/../out/ok", "s3://exports/in/%2e%2e/out", "s3://exports/in/..%2fout", "s3://exports/", "s3://exports", "S3://EXPORTS/in/ok",
		"s3://exports/in/ok?endpoint=https://evil.test", "s3://exports/in/ok?", "s3://exports/in/ok#x", "s3://key:hunter2@exports/in/ok", "s3://exports@evil.test/in/ok", "s3://exports:80/in/ok", "s3://exports./in/ok",
		"s3://exports/in/ok?awssdk=v1&profile=admin", "s3://exports/in/%252e%252e/out", "s3:///exports/in/ok", "s3:exports/in/ok", "s3://exports\\in/ok", "s3://../exports/in/ok",
		"gs://exports/inner/ok", "gs://exports/in/ok?credentials=/etc/passwd", "gs://exports/in/ok?private_key_path=/etc/passwd", "gs://exports/IN/ok", "azblob://exports/out", "azblob://exports/in/ok?domain=evil.test",
		"azblob://exports/in/ok?protocol=http&localemu=true", "azblob://user@exports/in/ok", "mem://exports/in/ok", "file+s3://exports/in/ok", "s3a://exports/in/ok", "wasb://exports/in/ok",
		// names of addresses that are not allowed
		"https://files.test:PORT/in/ok", "https://metadata.test:PORT/in/ok", "https://ten.test:PORT/in/ok", "https://carrier.test:PORT/in/ok", "https://zero.test:PORT/in/ok", "https://six.test:PORT/in/ok",
		"https://mapped.test:PORT/in/ok", "https://nat64.test:PORT/in/ok", "https://sixfour.test:PORT/in/ok", "https://unique.test:PORT/in/ok", "https://broadcast.test:PORT/in/ok",
	}
	if len(refused) < 80 {
		t.Fatalf("%d malicious sources are not enough", len(refused))
	}
	for _, url := range refused {
		err := p.read(t, url)
		var perm *usher.Permanent
		if !errors.As(err, &perm) || perm.Class != usher.SourceRefused || perm.Hint == "" {
			t.Errorf("%q: %v", url, err)
		}
		if err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: the error contains the password: %v", url, err)
		}
	}
	if n := p.taken(); n != 0 || p.requests() != 0 {
		t.Errorf("%d connections, %d requests", n, p.requests())
	}
	if err := p.read(t, "https://localhost:PORT/in/ok"); err != nil || p.taken() == 0 {
		t.Errorf("an allowed connection is not counted: %d, %v", p.taken(), err)
	}
}

// TestRedirects checks that each redirect is checked like the first URL.
func TestRedirects(t *testing.T) {
	t.Parallel()
	for name, to := range map[string]string{
		"another path":     "/out/secret",
		"another path, ..": "/in/../out/secret",
		"encoded":          "/in/%2e%2e/secret",
		"another host":     "https://evil.test/in/ok",
		"metadata":         "https://169.254.169.254/in/ok",
		"a private name":   "https://files.test:PORT/in/ok",
		"http":             "http://127.0.0.1:PORT/in/ok",
		"a file":           "file:///etc/passwd",
		"a user":           "https://u:p@127.0.0.1:PORT/in/ok",
		"another port":     "https://127.0.0.1:1/in/ok",
		"by name":          "//evil.test/in/ok",
		"in circles":       "/in/ok",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newCheckedServer(t, func(w http.ResponseWriter, r *http.Request, data []byte) {
				if strings.HasPrefix(r.URL.Path, "/in/ok") {
					w.Header().Set("Location", strings.ReplaceAll(to, "PORT", portOf(r)))
					w.WriteHeader(http.StatusFound)
					return
				}
				if strings.HasPrefix(r.URL.Path, "/out") || strings.Contains(r.URL.Path, "secret") || r.Referer() != "" {
					t.Errorf("%s was asked for, referred by %q", r.URL, r.Referer())
				}
				serveRanges(w, r, data)
			})
			if err := p.read(t, "https://127.0.0.1:PORT/in/ok?x=hunter2"); classOf(err) != usher.SourceRefused || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%v", err)
			}
		})
	}
}

// TestRebinding checks that a name is refused that resolved to an allowed address
// before, and now resolves to another one.
func TestRebinding(t *testing.T) {
	t.Parallel()
	p := newCheckedServer(t, serveRanges, "127.0.0.1")
	if err := p.read(t, "https://files.test:PORT/in/ok"); err != nil {
		t.Fatalf("an allowed address: %v", err)
	}
	before := p.taken()
	p.access.Close() // so that no connection is reused
	p.names.known["rebound.test"] = []string{"127.0.0.1", "127.0.0.2"}
	if err := p.read(t, "https://rebound.test:PORT/in/ok"); classOf(err) != "none" && classOf(err) != usher.SourceRefused {
		t.Errorf("%v", err)
	}
	p.access.Close()
	if err := p.read(t, "https://rebound.test:PORT/in/ok"); classOf(err) != usher.SourceRefused {
		t.Errorf("rebound: %v", err)
	}
	if before == 0 {
		t.Error("no connection was made at first")
	}
}

func TestParseAddresses(t *testing.T) {
	t.Parallel()
	got, err := places.ParseAddresses([]string{"10.1.2.3", "10.0.0.7/8", "fd00::/8", "::1"})
	want := []netip.Prefix{netip.MustParsePrefix("10.1.2.3/32"), netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8"), netip.MustParsePrefix("::1/128")}
	if err != nil || len(got) != len(want) {
		t.Fatalf("%v, %v", got, err)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%v, want %v", got[i], want[i])
		}
	}
	for _, bad := range []string{"", "host", "10.0.0.0/33", "10.0.0", "fe80::1%eth0", "10.0.0.0-10.0.0.9"} {
		if _, err := places.ParseAddresses([]string{bad}); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}
