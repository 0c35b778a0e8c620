package datafolder

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Lock takes a data folder for this process alone: two NATS servers over
// the same files would destroy them. The system lets go of it when the process
// ends, however it ends.
func Lock(dir string) (unlock func(), err error) {
	path := filepath.Join(dir, "usher.lock")
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("use data folder (--data): %w: let this user write it, or give another folder", err)
	}
	if err := lockFile(f); err != nil {
		owner := make([]byte, 32)
		n, _ := f.Read(owner) // for people only
		_ = f.Close()
		return nil, fmt.Errorf("use data folder %s (--data): usher's process %s uses it (%w): stop that one, or give another folder",
			dir, strings.TrimSpace(string(owner[:n])), err)
	}
	_ = f.Truncate(0) // for people only, this too
	_, _ = fmt.Fprintln(f, os.Getpid())
	return func() { _ = f.Close() }, nil
}
