package locking

import (
	"context"
	"time"

	"usher"
	"usher/workers"
)

const stopDelay = 5 * time.Second

// StoppedError says that the stop switch is on.
type StoppedError struct{ Reason string }

func (e *StoppedError) Error() string { return "the stop switch is on: " + e.Reason }

// Wait returns the error with which a job waits until the switch is off.
func (e *StoppedError) Wait() error { return workers.Wait(stopDelay, "%v", e) }

// CheckSwitch returns a *StoppedError while the stop switch is on, and another error if it is
// unreadable.
func (l *Locks) CheckSwitch(ctx context.Context) error {
	reason, stopped, err := l.Stopped(ctx)
	if err != nil {
		return &usher.RetryAfter{After: stopDelay, Why: "the stop switch cannot be read, so nothing is changed", Err: err}
	}
	if stopped {
		return &StoppedError{reason}
	}
	return nil
}
