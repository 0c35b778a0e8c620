package datafolder

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"usher/internal/filelock"
)

// Lock locks a data folder for this process, because two NATS servers would corrupt
// the same files. The operating system releases the lock when the process ends.
func Lock(dir string) (unlock func(), err error) {
	path := filepath.Join(dir, "usher.lock")
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("use data folder (--data): %w: make it writable for this user, or choose another folder", err)
	}
	if err := filelock.Lock(f); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		owner := make([]byte, 32)
		n, _ := f.Read(owner) // only for the message
		_ = f.Close()
		return nil, fmt.Errorf("use data folder %s (--data): usher process %s uses it (%w): stop that process, or choose another folder",
			dir, strings.TrimSpace(string(owner[:n])), err)
	}
	_ = f.Truncate(0) // only for the message of other processes
	_, _ = fmt.Fprintln(f, os.Getpid())
	return func() { _ = f.Close() }, nil
}
