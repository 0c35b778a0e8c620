package connect

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/netip"
	"strings"
	"sync/atomic"

	"usher/cmd/usher/internal/config"
	"usher/internal/fleet"
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

// ClientTLS returns the settings of TLS for connections to the server of a section: nats, redis
// or platform. They come from the keys ca, cert and key of the section. If all are empty,
// ClientTLS returns nil, which means the authorities of the system and no client certificate.
//
// Each call of the returned function reads the files again, so that certificates can be renewed
// while usher runs. While they cannot be read, it returns the last settings.
func ClientTLS(c config.Config, section string) (func() (*tls.Config, error), error) {
	ca, cert, key := c.String(section+".ca"), c.String(section+".cert"), c.String(section+".key")
	if ca == "" && cert == "" && key == "" {
		return nil, nil
	}
	if (cert == "") != (key == "") {
		return nil, fmt.Errorf("read %s.cert and %[1]s.key: one of them is missing: set both, or neither", section)
	}
	if err := checkSecure(c, section); err != nil {
		return nil, err
	}
	read := func() (*tls.Config, error) { return readClientTLS(section, ca, cert, key) }
	first, err := read()
	if err != nil {
		return nil, err
	}
	var last atomic.Pointer[tls.Config]
	last.Store(first)
	return func() (*tls.Config, error) {
		if now, err := read(); err == nil {
			last.Store(now)
		}
		return last.Load().Clone(), nil // the caller may change it
	}, nil
}

func readClientTLS(section, ca, cert, key string) (*tls.Config, error) {
	roots, err := loadRoots(ca)
	if err != nil {
		return nil, fmt.Errorf("read %s.ca: %w", section, err)
	}
	settings := &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots}
	if cert != "" {
		pair, err := tls.LoadX509KeyPair(cert, key)
		if err != nil {
			return nil, fmt.Errorf("read %s.cert and %[1]s.key: %w", section, err)
		}
		settings.Certificates = []tls.Certificate{pair}
	}
	return settings, nil
}

// MailRoots returns a function that returns the current certificate authorities for the mail
// server, or nil for those of the system.
func MailRoots(c config.Config) (func() *x509.CertPool, error) {
	roots, err := currentRoots(c.String("alerts.smtp_ca"))
	if err != nil {
		return nil, fmt.Errorf("read alerts.smtp_ca: %w", err)
	}
	return roots, nil
}

// checkSecure returns an error if the connection to the server of a section does not use TLS,
// which its address decides. NATS changes to TLS whatever its address says.
func checkSecure(c config.Config, section string) error {
	scheme, _, _ := strings.Cut(c.String(section+".url"), "://")
	secure, plain := map[string]string{
		"http": "https", "redis": "rediss", "redis+sentinel": "rediss+sentinel", "redis+cluster": "rediss+cluster",
	}[strings.ToLower(scheme)]
	if !plain {
		return nil
	}
	return fmt.Errorf("read %s.ca, %[1]s.cert and %[1]s.key: %[1]s.url begins with %s://, so the connection would not use TLS: write %s://", section, scheme, secure)
}

// DialRedis returns a client of the configured Redis. It connects when it is first used. Each
// connection reads the login in redis.url again.
func DialRedis(c config.Config) (fleet.Client, error) {
	secure, err := ClientTLS(c, "redis")
	if err != nil {
		return nil, err
	}
	rdb, err := fleet.Dial(c.String("redis.url"), secure, func() string {
		now, _ := c.Reload() // if that fails, the last valid login is used, and package reload logs it
		return now.String("redis.url")
	})
	if err != nil {
		return nil, fmt.Errorf("read redis.url: %w", err)
	}
	return rdb, nil
}
