package intake_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/intake"
	"usher/queues/queuetest"
)

// configure returns the configuration with some keys set.
func configure(t *testing.T, set map[string]any) config.Config {
	t.Helper()
	c, err := config.Defaults()
	if err != nil {
		t.Fatal(err)
	}
	for key, value := range set {
		err = errors.Join(err, c.Set(key, value))
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Jobs over HTTP are served on loopback, or with TLS, and only with a valid token file.
func TestOpen(t *testing.T) {
	t.Parallel()
	folder, err := intake.EnsureToken(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	cert, key := newCertificate(t)
	queue := queuetest.New(t).Queue(t)
	for name, c := range map[string]struct {
		set  map[string]any
		says string // of the error
	}{
		"nothing":                 {nil, ""},
		"loopback":                {map[string]any{"intake.listen": "127.0.0.1:0", "intake.tokens": folder.Tokens}, ""},
		"TLS":                     {map[string]any{"intake.listen": "127.0.0.1:0", "intake.tokens": folder.Tokens, "intake.tls_cert": cert, "intake.tls_key": key}, ""},
		"TLS everywhere":          {map[string]any{"intake.listen": "0.0.0.0:0", "intake.tokens": folder.Tokens, "intake.tls_cert": cert, "intake.tls_key": key}, ""},
		"behind a proxy":          {map[string]any{"intake.listen": "0.0.0.0:0", "intake.tokens": folder.Tokens, "intake.plain_http": "anywhere"}, ""},
		"everywhere without TLS":  {map[string]any{"intake.listen": "0.0.0.0:0", "intake.tokens": folder.Tokens}, "intake.tls_cert"},
		"half a certificate":      {map[string]any{"intake.listen": "127.0.0.1:0", "intake.tokens": folder.Tokens, "intake.tls_cert": cert}, "intake.tls_key"},
		"no token file":           {map[string]any{"intake.listen": "127.0.0.1:0"}, "intake.tokens"},
		"a missing token file":    {map[string]any{"intake.listen": "127.0.0.1:0", "intake.tokens": folder.Tokens + "x"}, "intake.tokens"},
		"a file that is no table": {map[string]any{"intake.listen": "127.0.0.1:0", "intake.tokens": folder.Token}, "line 1"},
	} {
		s, err := intake.Open(t.Context(), configure(t, c.set), queue, nil, prometheus.NewRegistry(), slog.New(slog.DiscardHandler), nil)
		if c.says != "" {
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v, want %q", name, err, c.says)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if c.set["intake.listen"] == "127.0.0.1:0" {
			checkServed(t, s.URL, folder.Token, strings.HasPrefix(name, "TLS"))
		}
		s.Stop()
	}
}

// checkServed asks for a schema, with TLS if that is wanted.
func checkServed(t *testing.T, url, tokenFile string, secure bool) {
	t.Helper()
	if strings.HasPrefix(url, "https://") != secure {
		t.Errorf("served at %s", url)
	}
	token, err := os.ReadFile(tokenFile)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/v1/schemas/segment.add", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	answer, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Errorf("%s: %s", url, answer.Status)
	}
}

// The token of usher dev stays the same, and only its owner can read it.
func TestEnsureToken(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	var first []byte
	for range 2 {
		folder, err := intake.EnsureToken(data)
		if err != nil {
			t.Fatal(err)
		}
		token, err := os.ReadFile(folder.Token)
		if err != nil || first != nil && string(token) != string(first) {
			t.Errorf("the token changed from %q to %q, %v", first, token, err)
		}
		first = token
		for _, path := range []string{folder.Token, folder.Tokens} {
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s: %v, %v", path, info.Mode(), err)
			}
		}
	}
}

// A line is appended behind the last one, also if that has no line end.
func TestAppendLine(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(path, []byte("# no line end"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"a:::1", "b:::2"} {
		if err := intake.AppendLine(path, line); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "# no line end\na:::1\nb:::2\n" {
		t.Errorf("%q, %v", text, err)
	}
	if err := intake.AppendLine(filepath.Join(path, "none"), "a"); err == nil {
		t.Error("a line was appended to a file in a file")
	}
}

// newCertificate returns the files of a new certificate and its key.
func newCertificate(t *testing.T) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	public, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(t.TempDir(), "cert"), filepath.Join(t.TempDir(), "key")
	for path, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: public}, key: {Type: "PRIVATE KEY", Bytes: encoded}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}
