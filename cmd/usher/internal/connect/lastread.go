package connect

import (
	"crypto/x509"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/nats-io/nats.go"
)

// secretLimit is the largest file of credentials or certificates that is read.
const secretLimit = 4 << 20

// lastRead is a file that is read again for each use.
type lastRead struct {
	path string

	mu   sync.Mutex
	data []byte // that could be read last
}

// read returns the content of the file. If it cannot be read, read returns the last content that
// could be read, or the error if there is none.
func (f *lastRead) read() ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	data, err := ReadSecret(f.path)
	if err == nil && len(data) > 0 { // an empty file is being written
		f.data = data
	}
	if f.data == nil {
		return nil, err
	}
	return f.data, nil
}

// ReadSecret reads a file of credentials or certificates, which must not be large.
func ReadSecret(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read
	data, err := io.ReadAll(io.LimitReader(f, secretLimit+1))
	if err == nil && len(data) > secretLimit {
		err = fmt.Errorf("read %s: it has more than %d bytes", path, secretLimit)
	}
	return data, err
}

// currentRoots returns a function that returns the certificate authorities of a file as
// loadRoots does. It reads the file again for each call, and returns the same pool until the
// content changes to other valid certificates.
func currentRoots(path string) (func() *x509.CertPool, error) {
	roots, err := loadRoots(path)
	if err != nil || path == "" {
		return func() *x509.CertPool { return nil }, err
	}
	var mu sync.Mutex
	return func() *x509.CertPool {
		mu.Lock()
		defer mu.Unlock()
		if now, err := loadRoots(path); err == nil && !now.Equal(roots) {
			roots = now
		}
		return roots
	}, nil
}

// CheckCredentials returns an error if a file holds no credentials of NATS.
func CheckCredentials(path string) error {
	data, err := ReadSecret(path)
	if err != nil {
		return fmt.Errorf("read nats.credentials: %w", err)
	}
	var o nats.Options
	if err := nats.UserCredentialBytes(data)(&o); err != nil {
		return fmt.Errorf("read nats.credentials: %w", err)
	}
	if _, err := o.UserJWT(); err != nil {
		return fmt.Errorf("read nats.credentials %s: %w", path, err)
	}
	return nil
}

// CheckRoots returns an error if a file holds no certificates.
func CheckRoots(path string) error {
	_, err := loadRoots(path)
	return err
}
