package connect_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
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
