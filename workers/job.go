package workers

import (
	"errors"
	"fmt"
	"log/slog"

	"usher"
	"usher/internal/rtb"
)

// job is one delivery on its way through its handler.
type job struct {
	Lease
	usher.Work
	*Worker
	platform *rtb.Client
	log      *slog.Logger

	// after asks the platform what the target holds, once the job has ended.
	after func() (int64, error)
	// split says that the parts carry on: there is nothing to settle.
	split bool
}

// checkpointed keeps the progress where a later checkpoint would do as well:
// while NATS is away the lease's own clock decides how long to go on.
func (j *job) checkpointed(c usher.Checkpoint) error {
	j.Progress.Checkpoint = c
	err := j.Save(j.Progress)
	if err != nil && !errors.Is(err, usher.ErrLeaseLost) {
		j.log.Warn("saving a checkpoint, the next one will do", "error", err)
		return nil
	}
	return err
}

// saved keeps the progress before anything else may happen.
func (j *job) saved() error {
	if err := j.Save(j.Progress); err != nil {
		return fmt.Errorf("save progress of job %s: %w", j.ID, err)
	}
	return nil
}

// warnf puts a warning into the job's record.
func (j *job) warnf(code, format string, args ...any) {
	j.Progress.Warnings = usher.AddWarnings(j.Progress.Warnings,
		usher.Warning{Code: code, Description: fmt.Sprintf(format, args...), Count: 1})
}
