package shutdown

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"usher"
)

// grace is how long running jobs may go on after the first signal. With what
// settling takes, a deploy is through within 25 s.
const grace = 10 * time.Second

// Contexts are the two contexts of a worker: the first signal ends fetch; the
// second, or the end of the grace, ends work with usher.ErrShutdown.
func Contexts(parent context.Context, logger *slog.Logger) (fetch, work context.Context, stop func()) {
	fetch, endFetch := context.WithCancelCause(parent)
	work, endWork := context.WithCancelCause(context.WithoutCancel(parent))
	heard := make(chan os.Signal, 2)
	signal.Notify(heard, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		defer endWork(usher.ErrShutdown)
		select {
		case s := <-heard:
			logger.Info("stopping: no more jobs are taken; those that run have ten seconds, a second signal gives them back at once", "signal", s.String())
		case <-parent.Done():
		case <-done:
		}
		endFetch(usher.ErrShutdown)
		select {
		case <-heard:
		case <-time.After(grace):
		case <-done:
		}
	}()
	var once sync.Once
	return fetch, work, func() {
		once.Do(func() { signal.Stop(heard); close(done) })
	}
}

// IsShutdown reports whether an error only says that we were told to stop.
func IsShutdown(err error) bool {
	return errors.Is(err, usher.ErrShutdown) || errors.Is(err, context.Canceled)
}
