package command

import (
	"fmt"
)

// Exit codes.
const (
	OK         = 0
	Failed     = 1 // an invalid file or job, or one that does not exist
	UsageError = 2 // the command line itself
	DeadLetter = 3 // the job waited for ended in the dead letters
)

// ExitError ends the program with a code of its own.
type ExitError struct {
	Code int
	Err  error // nil: all has been said
}

func (e *ExitError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("exit %d", e.Code)
	}
	return e.Err.Error()
}

func (e *ExitError) Unwrap() error { return e.Err }

// Usagef is an error of the command line itself.
func Usagef(format string, args ...any) error {
	return &ExitError{Code: UsageError, Err: fmt.Errorf(format, args...)}
}
