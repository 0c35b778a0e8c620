package connect_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/internal/rtb"
)

// Without TLS, servers listen on loopback only, unless the configuration allows more.
func TestPlainOnLoopbackOnly(t *testing.T) {
	t.Parallel()
	for address, allowed := range map[string]struct{ loopback, anywhere bool }{
		"127.0.0.1:8470": {true, true}, "localhost:0": {true, true}, "[::1]:8470": {true, true},
		"0.0.0.0:8470": {false, true}, ":8470": {false, true}, "10.0.0.1:8470": {false, true}, "usher.example:8470": {false, true},
	} {
		for word, want := range map[string]bool{"loopback": allowed.loopback, "anywhere": allowed.anywhere} {
			c, err := config.Defaults()
			if err != nil {
				t.Fatal(err)
			}
			for _, section := range []string{"console", "intake"} {
				if err := errors.Join(c.Set(section+".listen", address), c.Set(section+".plain_http", word)); err != nil {
					t.Fatal(err)
				}
				if err := connect.CheckPlain(c, section, "others could listen"); (err == nil) != want {
					t.Errorf("%s.listen %s with plain_http %s: %v", section, address, word, err)
				}
			}
		}
	}
}

// Servers speak TLS 1.2 with authenticated encryption only, and TLS 1.3.
func TestCipherSuites(t *testing.T) {
	t.Parallel()
	c, err := config.Defaults()
	if err != nil {
		t.Fatal(err)
	}
	for key, path := range newCertificate(t) {
		if err := c.Set(key, path); err != nil {
			t.Fatal(err)
		}
	}
	served, err := connect.Certificate(c, "console")
	if err != nil {
		t.Fatal(err)
	}
	for _, suite := range append(tls.CipherSuites(), tls.InsecureCipherSuites()...) {
		if suite.SupportedVersions[0] == tls.VersionTLS13 || !strings.Contains(suite.Name, "ECDSA") {
			continue // always enabled, or for a certificate that the test does not have
		}
		err := handshake(t, served, &tls.Config{InsecureSkipVerify: true, MaxVersion: tls.VersionTLS12, CipherSuites: []uint16{suite.ID}})
		if want := !strings.Contains(suite.Name, "CBC") && !strings.Contains(suite.Name, "RC4"); (err == nil) != want {
			t.Errorf("%s: %v", suite.Name, err)
		}
	}
	if err := handshake(t, served, &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS13}); err != nil {
		t.Errorf("TLS 1.3: %v", err)
	}
	if err := handshake(t, served, &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}); err == nil {
		t.Error("TLS 1.1 is accepted")
	}
}

// handshake connects a client to a server and returns the client's error.
func handshake(t *testing.T, server, client *tls.Config) error {
	t.Helper()
	here, there := net.Pipe()
	defer here.Close()
	defer there.Close()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = tls.Server(there, server).HandshakeContext(t.Context()) // the client has the error, too
		_ = there.Close()
	}()
	err := tls.Client(here, client).HandshakeContext(t.Context())
	_ = here.Close()
	<-done
	return err
}

// newCertificate returns the configuration of a new certificate.
func newCertificate(t *testing.T) map[string]string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"localhost"}}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	dir, files := t.TempDir(), map[string]string{}
	for name, block := range map[string]*pem.Block{
		"console.tls_cert": {Type: "CERTIFICATE", Bytes: cert}, "console.tls_key": {Type: "PRIVATE KEY", Bytes: private},
	} {
		files[name] = filepath.Join(dir, name)
		if err := os.WriteFile(files[name], pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// An authority issues certificates for 127.0.0.1 and for clients.
type authority struct {
	t    *testing.T
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{t: t}
	a.cert, a.key = a.create(&x509.Certificate{IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign})
	return a
}

func (a *authority) create(template *x509.Certificate) (*x509.Certificate, *ecdsa.PrivateKey) {
	a.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.t.Fatal(err)
	}
	template.SerialNumber, template.NotAfter = big.NewInt(time.Now().UnixNano()), time.Now().Add(time.Hour)
	parent, signer := a.cert, a.key
	if parent == nil {
		parent, signer = template, key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), signer)
	if err != nil {
		a.t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		a.t.Fatal(err)
	}
	return cert, key
}

// pair returns a new certificate for an IP address.
func (a *authority) pair(ip string) tls.Certificate {
	a.t.Helper()
	cert, key := a.create(&x509.Certificate{
		IPAddresses: []net.IP{net.ParseIP(ip)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	})
	return tls.Certificate{Certificate: [][]byte{cert.Raw}, PrivateKey: key}
}

func (a *authority) pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.cert)
	return pool
}

// writeCA writes the certificate of the authority.
func (a *authority) writeCA(path string) {
	a.t.Helper()
	writePEM(a.t, path, "CERTIFICATE", a.cert.Raw)
}

// writePair writes a certificate and its key to cert and key in a folder.
func writePair(t *testing.T, dir string, pair tls.Certificate) {
	t.Helper()
	private, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	writePEM(t, filepath.Join(dir, "cert"), "CERTIFICATE", pair.Certificate[0])
	writePEM(t, filepath.Join(dir, "key"), "PRIVATE KEY", private)
}

func writePEM(t *testing.T, path, kind string, der []byte) {
	t.Helper()
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
}

// configure returns a configuration with the given values, which are named as in the
// environment without USHER_.
func configure(t *testing.T, values map[string]string) config.Config {
	t.Helper()
	c, err := config.Load(&cobra.Command{}, func(name string) (string, bool) {
		v, found := values[strings.TrimPrefix(name, "USHER_")]
		return v, found
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestClientTLS tests that a server's certificate is verified against the authorities of today,
// and that today's client certificate is presented.
func TestClientTLS(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ca := filepath.Join(dir, "ca")
	old, renewed, stranger := newAuthority(t), newAuthority(t), newAuthority(t)
	old.writeCA(ca)
	writePair(t, dir, old.pair("127.0.0.1"))
	c := configure(t, map[string]string{
		"PLATFORM_URL": "https://127.0.0.1:1", "PLATFORM_CA": ca, "PLATFORM_CERT": filepath.Join(dir, "cert"), "PLATFORM_KEY": filepath.Join(dir, "key"),
	})
	read, err := connect.ClientTLS(c, "platform")
	if err != nil {
		t.Fatal(err)
	}
	dial := func(server tls.Certificate, clients *authority) error {
		client, err := read()
		if err != nil {
			t.Fatal(err)
		}
		client.ServerName = "127.0.0.1"
		served := &tls.Config{Certificates: []tls.Certificate{server}, ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: clients.pool(), MaxVersion: tls.VersionTLS12}
		return handshake(t, served, client)
	}
	if err := dial(old.pair("127.0.0.1"), old); err != nil {
		t.Errorf("a known authority: %v", err)
	}
	for name, server := range map[string]tls.Certificate{
		"an unknown authority": stranger.pair("127.0.0.1"), "another host": old.pair("127.0.0.2"),
	} {
		if err := dial(server, old); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	if err := dial(old.pair("127.0.0.1"), renewed); err == nil {
		t.Error("the server knows a client certificate that it should not")
	}

	renewed.writeCA(ca)
	writePair(t, dir, renewed.pair("127.0.0.1"))
	if err := dial(renewed.pair("127.0.0.1"), renewed); err != nil {
		t.Errorf("after the files have changed: %v", err)
	}
	if err := dial(old.pair("127.0.0.1"), renewed); err == nil {
		t.Error("an authority that was removed is accepted")
	}
}

// TestRenewedCertificate tests that a server presents a certificate that was renewed, and the
// last one while a file cannot be read.
func TestRenewedCertificate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	old, renewed := newAuthority(t), newAuthority(t)
	writePair(t, dir, old.pair("127.0.0.1"))
	served, err := connect.Certificate(configure(t, map[string]string{"CONSOLE_TLS_CERT": filepath.Join(dir, "cert"), "CONSOLE_TLS_KEY": filepath.Join(dir, "key")}), "console")
	if err != nil {
		t.Fatal(err)
	}
	knows := func(a *authority) error {
		return handshake(t, served, &tls.Config{RootCAs: a.pool(), ServerName: "127.0.0.1", MinVersion: tls.VersionTLS12})
	}
	if err := knows(old); err != nil {
		t.Error(err)
	}
	writePair(t, dir, renewed.pair("127.0.0.1"))
	if err := errors.Join(knows(renewed), os.Truncate(filepath.Join(dir, "key"), 0), knows(renewed)); err != nil {
		t.Error(err)
	}
}

// Settings that would have no effect, or that cannot be read, are errors that name their keys.
func TestClientTLSErrors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a := newAuthority(t)
	ca, empty := filepath.Join(dir, "ca"), filepath.Join(dir, "empty")
	a.writeCA(ca)
	writePair(t, dir, a.pair("127.0.0.1"))
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	cert, key := filepath.Join(dir, "cert"), filepath.Join(dir, "key")
	for name, test := range map[string]struct {
		section string
		values  map[string]string
		want    string // "": no error
	}{
		"none":                 {"nats", nil, ""},
		"NATS":                 {"nats", map[string]string{"NATS_CA": ca}, ""},
		"no key":               {"nats", map[string]string{"NATS_CERT": cert}, "nats.key: one of them is missing"},
		"missing file":         {"nats", map[string]string{"NATS_CA": filepath.Join(dir, "none")}, "read nats.ca"},
		"not PEM":              {"nats", map[string]string{"NATS_CA": empty}, "no certificate in PEM"},
		"key and cert swapped": {"nats", map[string]string{"NATS_CERT": key, "NATS_KEY": cert}, "read nats.cert and nats.key"},
		"Redis without TLS":    {"redis", map[string]string{"REDIS_CA": ca}, "write rediss://"},
		"Sentinels":            {"redis", map[string]string{"REDIS_CA": ca, "REDIS_URL": "redis+sentinel://a:1?master_name=m"}, "write rediss+sentinel://"},
		"Redis":                {"redis", map[string]string{"REDIS_CA": ca, "REDIS_URL": "rediss://127.0.0.1:1"}, ""},
		"platform without TLS": {"platform", map[string]string{"PLATFORM_CERT": cert, "PLATFORM_KEY": key}, "write https://"},
	} {
		_, err := connect.ClientTLS(configure(t, test.values), test.section)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPlatformWithTLS tests calls of a platform that requires a client certificate.
func TestPlatformWithTLS(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a := newAuthority(t)
	a.writeCA(filepath.Join(dir, "ca"))
	writePair(t, dir, a.pair("127.0.0.1"))
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, r.Proto)
	}))
	server.TLS = &tls.Config{Certificates: []tls.Certificate{a.pair("127.0.0.1")}, ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: a.pool()}
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	values := map[string]string{"PLATFORM_URL": server.URL, "PLATFORM_CA": filepath.Join(dir, "ca")}
	get := func() (string, error) {
		settings, err := connect.ClientTLS(configure(t, values), "platform")
		if err != nil {
			t.Fatal(err)
		}
		client := rtb.NewHTTPClient(1, time.Minute, settings)
		defer client.CloseIdleConnections()
		response, err := client.Get(server.URL)
		if err != nil {
			return "", err
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		return string(body), err
	}
	if _, err := get(); err == nil {
		t.Error("a client without a certificate is accepted")
	}
	values["PLATFORM_CERT"], values["PLATFORM_KEY"] = filepath.Join(dir, "cert"), filepath.Join(dir, "key")
	if body, err := get(); err != nil || body != "HTTP/1.1" {
		t.Errorf("%q, %v", body, err)
	}
}

// TestNATSWithTLS tests the connection to a server that requires a client certificate.
func TestNATSWithTLS(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a := newAuthority(t)
	a.writeCA(filepath.Join(dir, "ca"))
	writePair(t, dir, a.pair("127.0.0.1"))
	server := startServer(t, &natsserver.Options{
		Host: "127.0.0.1", Port: natsserver.RANDOM_PORT, NoSigs: true, NoLog: true, TLSTimeout: 60,
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{a.pair("127.0.0.1")}, ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: a.pool(), MinVersion: tls.VersionTLS12},
	})
	values := map[string]string{"NATS_URL": "nats://" + server.Addr().String(), "NATS_CA": filepath.Join(dir, "ca")}
	if nc, err := connect.DialNATS(configure(t, values), slog.New(slog.DiscardHandler)); err == nil {
		nc.Close()
		t.Error("a client without a certificate is accepted")
	}
	values["NATS_CERT"], values["NATS_KEY"] = filepath.Join(dir, "cert"), filepath.Join(dir, "key")
	nc, err := connect.DialNATS(configure(t, values), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	if err := nc.FlushTimeout(time.Minute); err != nil {
		t.Error(err)
	}
	connected := nc.StatusChanged(nats.CONNECTED)
	if err := nc.Publish(strings.Repeat("a", 10_000), nil); err != nil { // which the server refuses by closing the connection
		t.Fatal(err)
	}
	<-connected
	if err := nc.FlushTimeout(time.Minute); err != nil {
		t.Error(err)
	}
}

// The error for a server whose certificate another authority has signed names the key to set.
func TestUnknownAuthorityOfNATS(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	newAuthority(t).writeCA(filepath.Join(dir, "ca"))
	server := startServer(t, &natsserver.Options{
		Host: "127.0.0.1", Port: natsserver.RANDOM_PORT, NoSigs: true, NoLog: true, TLSTimeout: 60,
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{newAuthority(t).pair("127.0.0.1")}, MinVersion: tls.VersionTLS12},
	})
	for name, values := range map[string]map[string]string{
		"another authority":           {"NATS_URL": "nats://" + server.Addr().String(), "NATS_CA": filepath.Join(dir, "ca")},
		"the authorities of a system": {"NATS_URL": "tls://" + server.Addr().String()},
	} {
		nc, err := connect.DialNATS(configure(t, values), slog.New(slog.DiscardHandler))
		if err == nil {
			nc.Close()
			t.Fatalf("%s: the certificate is accepted", name)
		}
		if !strings.Contains(err.Error(), "set nats.ca") || strings.Contains(err.Error(), "usher dev") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
