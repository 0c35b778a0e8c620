// Package filelock locks files, so that a process knows whether the one that wrote a file still
// lives: lock_unix.go, lock_other.go.
package filelock

import "errors"

// ErrHeld means that somebody else has locked the file.
var ErrHeld = errors.New("the lock is held")
