package connect

import (
	"crypto/tls"
	"fmt"
	"net/netip"
	"sync/atomic"

	"usher/cmd/usher/internal/config"
)

// Certificate returns the certificate in the keys tls_cert and tls_key of a section, such
// as console, or nil if there is none. It is read again for each connection, so that it can be
// renewed while usher runs; while it cannot be read, the last one is used.
func Certificate(c config.Config, section string) (*tls.Config, error) {
	certKey, keyKey := section+".tls_cert", section+".tls_key"
	cert, key := c.String(certKey), c.String(keyKey)
	switch {
	case cert == "" && key == "":
		return nil, nil
	case cert == "" || key == "":
		return nil, fmt.Errorf("read %s and %s: one of them is missing: set both, or neither", certKey, keyKey)
	}
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return nil, fmt.Errorf("read %s and %s: %w", certKey, keyKey, err)
	}
	return &tls.Config{
		GetCertificate: renewed(cert, key, &pair), MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"},
		CipherSuites: []uint16{ // for TLS 1.2: only authenticated encryption, as in TLS 1.3
			tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
			tls.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, tls.TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
			tls.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, tls.TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
		},
	}, nil
}

// renewed returns a function that reads a certificate again. It returns the last one that was
// read, at first pair, while one of the files is being replaced.
func renewed(cert, key string, pair *tls.Certificate) func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	var last atomic.Pointer[tls.Certificate]
	last.Store(pair)
	return func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
		if now, err := tls.LoadX509KeyPair(cert, key); err == nil {
			last.Store(&now)
		}
		return last.Load(), nil
	}
}

// CheckPlain returns an error if the address listen of a section without a certificate
// can be reached from other machines, unless plain_http allows that. danger is what would
// happen without TLS.
func CheckPlain(c config.Config, section, danger string) error {
	address := c.String(section + ".listen")
	host, _, err := config.SplitAddress(address)
	if err != nil {
		return fmt.Errorf("read %s.listen: %w", section, err)
	}
	ip, err := netip.ParseAddr(host)
	if host == "localhost" || err == nil && ip.IsLoopback() || c.String(section+".plain_http") == "anywhere" {
		return nil
	}
	return fmt.Errorf("listen at %s.listen, %s: %s without TLS: set %[1]s.tls_cert and %[1]s.tls_key, or listen on 127.0.0.1, or set %[1]s.plain_http to anywhere if a proxy in front of it terminates TLS", section, address, danger)
}
