//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package filelock

import (
	"errors"
	"os"
)

// Lock returns errors.ErrUnsupported: this system has no lock that ends with the process.
func Lock(*os.File) error { return errors.ErrUnsupported }
