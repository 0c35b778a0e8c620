package connect

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"strings"
	"sync/atomic"

	"usher/cmd/usher/internal/config"
	"usher/internal/fleet"
)

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
