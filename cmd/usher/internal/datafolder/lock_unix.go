//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package datafolder

import (
	"errors"
	"os"
	"syscall"
)

// lockFile locks a file until it is closed. It returns an error if another process has
// locked it.
func lockFile(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errors.New("the lock is held")
	}
	if errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.ENOSYS) {
		return nil // the file system does not support locks
	}
	return err
}
