//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package datafolder

import (
	"errors"
	"os"
	"syscall"
)

// lockFile takes a file until it is closed, or says that somebody has it.
func lockFile(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errors.New("its lock is held")
	}
	if errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.ENOSYS) {
		return nil // a file system without locks: as on a system without them
	}
	return err
}
