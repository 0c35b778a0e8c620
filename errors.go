package usher

import (
	"errors"
	"fmt"
	"time"
)

// Class is the reason why a job has failed.
type Class string

// The classes. Their comments are in docs/reference/errors.md.
const (
	// InvalidJob: the job's JSON does not match the schema, its profile does not fit the segment,
	// or its id belongs to another job. Correct it, and publish it under a new id; a
	// wrong segment, or profile of an export, may also be edited, and the job replayed.
	InvalidJob Class = "invalid_job"
	// SourceMissing: the file does not exist, or the folder is empty or has no done marker. Put
	// the file there, and replay.
	SourceMissing Class = "source_missing"
	// SourceRefused: the location is not in sources.allow, its scheme is not supported, it is not
	// a regular file, its address is private, or its server refuses access. Move the export or
	// allow the location, and replay.
	SourceRefused Class = "source_refused"
	// SourceBroken: the export is truncated, changed while it was read, came too slowly in each
	// attempt, or can be read in two ways. Follow the hint: repair the file and replay, or publish the job with the field that
	// the hint names.
	SourceBroken Class = "source_broken"
	// Unauthorized: the platform does not accept the login. Correct user name or password, and
	// replay.
	Unauthorized Class = "unauthorized"
	// Forbidden: the login may not do this, or jobs may not name the advertiser. Have the login linked
	// to it, or add it to platform.advertisers, and replay.
	Forbidden Class = "forbidden"
	// NotFound: the segment, campaign or creative does not exist. Create it and replay, or
	// correct the job.
	NotFound Class = "not_found"
	// Refused: the platform refused the request. Read its answer in the message.
	Refused Class = "refused"
	// Shrink: a target.replace has far fewer ids than the campaign, or a mirror would remove
	// more than maxRemovePercent of the members. Publish it with force if that is right.
	Shrink Class = "shrink"
	// Changed: the export of a mirror is read in another way than the last good one of its target:
	// another format, column, sheet or kind of ids, or more rows than usual have no usable id. The
	// message names each difference. Have the export written as before, or publish it with
	// acceptChange if it is right.
	Changed Class = "changed"
	// LedgerBroken: a file of the target's ledger, or of the suppression list, is missing, too
	// short or changed; the message names it. Run usher ledger adopt, rollback or drop; restore
	// the suppression list from a backup, or run usher repair suppression.
	LedgerBroken Class = "ledger_broken"
	// TooManyRejects: most rows are not ids, too many cannot be parsed, or there is nothing to
	// send. usher inspect FILE shows whether profile, input and column are right.
	TooManyRejects Class = "too_many_rejects"
	// Exhausted: all attempts failed, or the job became too old. Remove the cause, and replay.
	Exhausted Class = "exhausted"
	// Poison: the job crashed its worker three times in a row without any progress. See the
	// workers' logs, and report it.
	Poison Class = "poison"
	// Deadline: the job was not done by its deadline. Publish it again.
	Deadline Class = "deadline"
)

// Classes returns all classes.
func Classes() []Class {
	return []Class{
		InvalidJob, SourceMissing, SourceRefused, SourceBroken, Unauthorized, Forbidden, NotFound,
		Refused, Shrink, Changed, LedgerBroken, TooManyRejects, Exhausted, Poison, Deadline,
	}
}

// CodeTooLarge is the code of a request that is too large for the platform.
const CodeTooLarge = "HTTP413"

// Permanent is an error that another attempt cannot fix: the job fails at once. Code that
// knows this returns it, such as the API client and the opener of exports.
type Permanent struct {
	Class Class
	Code  string // the platform's code, such as E10059 or HTTP413, or ""
	Hint  string // what to do
	Err   error  // what failed, on what
}

func (p *Permanent) Error() string { return p.Err.Error() }
func (p *Permanent) Unwrap() error { return p.Err }

// RetryAfter is an error with the delay of the next attempt: a 429, a held lock, a limit,
// another job that must run first. It does not count as an attempt; only the job's age
// bounds such retries.
type RetryAfter struct {
	After time.Duration
	Why   string // what the job waits for; shown to people
	Err   error  // may be nil
}

func (r *RetryAfter) Error() string {
	if r.Err == nil {
		return r.Why
	}
	return r.Err.Error()
}
func (r *RetryAfter) Unwrap() error { return r.Err }

// Unavailable is an error of the platform as a whole: a connection error, a timeout, a
// 5xx. Five in a row open the breaker.
type Unavailable struct{ Err error }

func (u *Unavailable) Error() string { return u.Err.Error() }
func (u *Unavailable) Unwrap() error { return u.Err }

// ErrRedisLogin means that Redis refuses usher's login.
var ErrRedisLogin = errors.New("Redis refuses this login") //nolint:staticcheck // Redis is a name

// ErrUnauthorized marks a 401 that a new token did not fix.
var ErrUnauthorized = errors.New("the platform does not accept our login")

// ErrEntryChanged means that a creative's entry was written after it was read. What was
// read from the platform since may be older than the change that the entry names.
var ErrEntryChanged = errors.New("another job has written the creative's entry meanwhile: read the creative again")

// ErrSlowSource marks a source that has delivered less than sources.min_rate.
var ErrSlowSource = errors.New("the source is too slow")

// Why the context of a job has ended, see context.Cause. They have nothing to do with the stop
// switch, nor with a RetryAfter, which is the error of one call.
var (
	ErrShutdown  = errors.New("this worker is shutting down")
	ErrCancelled = errors.New("the job was cancelled")
	ErrEnding    = errors.New("another part of the job ended it")
	ErrDeadline  = errors.New("the job's deadline has passed")
	ErrLeaseLost = errors.New("the lease on the delivery was lost: another worker may have it")
	ErrLockLost  = errors.New("the lock was lost: another worker may have it")
)

// Refuse returns a Permanent with a class, a hint and an error formatted by fmt.Errorf.
func Refuse(class Class, hint, format string, args ...any) error {
	return &Permanent{Class: class, Hint: hint, Err: fmt.Errorf(format, args...)}
}
