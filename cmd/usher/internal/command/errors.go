package command

import (
	"errors"
	"fmt"
	"io/fs"
)

// Exit codes.
const (
	OK         = 0
	Failed     = 1 // the file or job is invalid or does not exist, or the command failed
	UsageError = 2 // the command line is wrong
	DeadLetter = 3 // the job that was waited for ended as a dead letter
)

// An ExitError sets the program's exit code.
type ExitError struct {
	Code int
	Err  error // nil: print nothing
}

func (e *ExitError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("exit %d", e.Code)
	}
	return e.Err.Error()
}

func (e *ExitError) Unwrap() error { return e.Err }

// Usagef returns an error of the command line itself.
func Usagef(format string, args ...any) error {
	return &ExitError{Code: UsageError, Err: fmt.Errorf(format, args...)}
}

// FileError returns the error about a file that the command line names. It says what to
// do, and names the file only once.
func FileError(path string, err error) error {
	var reason *fs.PathError
	if errors.As(err, &reason) {
		err = reason.Err
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: %w: check the path", path, err)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s: %w: make it readable for this user", path, err)
	}
	return fmt.Errorf("%s: %w", path, err)
}
