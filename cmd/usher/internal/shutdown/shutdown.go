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

// grace is how long running jobs may continue after the first signal. Together with
// settling them, a worker stops within 25 s.
const grace = 10 * time.Second

// Contexts returns the two contexts of a worker. The first SIGINT or SIGTERM ends
// fetch. The second signal, or the end of the grace period, ends work. The cause is
// usher.ErrShutdown.
func Contexts(parent context.Context, logger *slog.Logger) (fetch, work context.Context, stop func()) {
	fetch, endFetch := context.WithCancelCause(parent)
	work, endWork := context.WithCancelCause(context.WithoutCancel(parent))
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		defer endWork(usher.ErrShutdown)
		select {
		case s := <-signals:
			logger.Info("stopping: no more jobs are taken; running jobs have ten seconds, a second signal returns them to NATS immediately", "signal", s.String())
		case <-parent.Done():
		case <-done:
		}
		endFetch(usher.ErrShutdown)
		select {
		case <-signals:
		case <-time.After(grace):
		case <-done:
		}
	}()
	var once sync.Once
	return fetch, work, func() {
		once.Do(func() { signal.Stop(signals); close(done) })
	}
}

// IsShutdown reports whether an error was caused by a shutdown.
func IsShutdown(err error) bool {
	return errors.Is(err, usher.ErrShutdown) || errors.Is(err, context.Canceled)
}
