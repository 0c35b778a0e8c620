package queues

import (
	"log/slog"
	"sync"
)

// backgroundSettler settles the jobs of one slot beside the next job, one at a time. The nil
// settler settles at once.
type backgroundSettler struct {
	busy     chan struct{} // holds one value while a job is being settled
	settling sync.WaitGroup
}

func newBackgroundSettler() *backgroundSettler {
	return &backgroundSettler{busy: make(chan struct{}, 1)}
}

// settle calls confirm when the settlement before has ended, and does not wait for it. An
// error of confirm is logged: NATS delivers the message again.
func (s *backgroundSettler) settle(confirm func() error, logger *slog.Logger, job string) error {
	if s == nil {
		return confirm()
	}
	s.busy <- struct{}{}
	s.settling.Go(func() {
		defer func() { <-s.busy }()
		if err := confirm(); err != nil {
			logger.Warn("settling the message of a job that has ended; NATS delivers it again", "job", job, "error", err)
		}
	})
	return nil
}

// wait waits until all jobs are settled.
func (s *backgroundSettler) wait() {
	if s != nil {
		s.settling.Wait()
	}
}
