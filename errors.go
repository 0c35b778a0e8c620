package usher

import (
	"errors"
	"fmt"
	"time"
)

// Class says why a job died.
type Class string

// The classes.
const (
	InvalidJob     Class = "invalid_job"
	SourceMissing  Class = "source_missing"
	SourceRefused  Class = "source_refused" // a place that the configuration does not allow
	SourceBroken   Class = "source_broken"  // truncated, changed, not what it says it is
	Unauthorized   Class = "unauthorized"
	Forbidden      Class = "forbidden"
	NotFound       Class = "not_found"
	Refused        Class = "refused" // by the platform
	Shrink         Class = "shrink"
	TooManyRejects Class = "too_many_rejects"
	Exhausted      Class = "exhausted" // attempts or age used up
	Poison         Class = "poison"    // crashed its worker three times in a row
	Deadline       Class = "deadline"
)

// CodeTooLarge is the code of a request that the platform refused for its size.
const CodeTooLarge = "HTTP413"

// Permanent is an error that another attempt will not mend: the job is buried
// at once. Whoever knows that (the API client, the export's opener) says so.
type Permanent struct {
	Class Class
	Code  string // the platform's own code, where it gave one: E10059, HTTP413
	Hint  string // what to do, in plain English
	Err   error  // what failed, on what
}

func (p *Permanent) Error() string { return p.Err.Error() }
func (p *Permanent) Unwrap() error { return p.Err }

// RetryAfter is an error that says when it may be tried again: a 429, a held
// lock, a limit, a job that must go first. It is bounded by the job's age, not
// by its attempts.
type RetryAfter struct {
	After time.Duration
	Why   string // what the job waits for, shown to people
	Err   error  // nil where Why says it all
}

func (r *RetryAfter) Error() string {
	if r.Err == nil {
		return r.Why
	}
	return r.Err.Error()
}
func (r *RetryAfter) Unwrap() error { return r.Err }

// Unavailable is an error of the platform as a whole, as far as one can tell:
// a connection error, a timeout, a 5xx. Five in a row open the breaker.
type Unavailable struct{ Err error }

func (u *Unavailable) Error() string { return u.Err.Error() }
func (u *Unavailable) Unwrap() error { return u.Err }

// ErrUnauthorized marks a 401 that a new token did not mend.
var ErrUnauthorized = errors.New("the platform does not accept our login")

// Causes of a stop: they stand as the cause on a job's context.
var (
	ErrShutdown  = errors.New("this worker is shutting down")
	ErrCancelled = errors.New("the job was cancelled")
	ErrEnding    = errors.New("another part of the job ended it")
	ErrDeadline  = errors.New("the job's deadline has passed")
	ErrLeaseLost = errors.New("the lease on the delivery was lost: another worker may have it")
	ErrLockLost  = errors.New("the lock was lost: another worker may have it")
)

// Refuse returns a Permanent of class with a hint, wrapping an error made as
// by fmt.Errorf.
func Refuse(class Class, hint, format string, args ...any) error {
	return &Permanent{Class: class, Hint: hint, Err: fmt.Errorf(format, args...)}
}
