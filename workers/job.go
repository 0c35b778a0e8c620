package workers

import (
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"usher"
	"usher/internal/exports"
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

	keeping sync.Mutex // over Progress, while an export is read
	told    time.Time  // when it was last said how far a check is, or it began; zero: none goes on
}

// checkpointed keeps the progress where a later checkpoint would do as well:
// while NATS is away the lease's own clock decides how long to go on.
func (j *job) checkpointed(c usher.Checkpoint) error {
	j.keeping.Lock()
	defer j.keeping.Unlock()
	j.Progress.Checkpoint = c
	return j.kept()
}

// kept keeps the progress, for checkpointed and whoever else may run beside it.
func (j *job) kept() error {
	err := j.Save(j.Progress)
	if err != nil && !errors.Is(err, usher.ErrLeaseLost) {
		j.log.Warn("saving a checkpoint, the next one will do", "error", err)
		return nil
	}
	return err
}

// checkEvery is how often it is said how far the check of a compressed file is.
// One that is through before is not mentioned.
const checkEvery = 2 * time.Second

// exports is the opener, which has the record say how far its checks are.
func (j *job) exports() *exports.Opener { return j.Exports.Telling(j.checks) }

// checks takes how far a check is; nil: it is over.
func (j *job) checks(c *usher.Check) {
	j.keeping.Lock()
	defer j.keeping.Unlock()
	now := j.Now()
	switch {
	case c == nil:
		j.told = time.Time{}
		if j.Progress.Check == nil {
			return
		}
		j.Progress.Check = nil
	case j.told.IsZero():
		j.told = now
		return
	case now.Sub(j.told) < checkEvery:
		return
	default:
		told := *c
		j.told, j.Progress.Check = now, &told
	}
	_ = j.kept() // a lost lease ends the reading by its context
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
