package workers

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"usher"
	"usher/internal/exports"
	"usher/internal/rtb"
)

// Handler runs the jobs of a kind. The error that it returns decides what happens to the
// job; see settle.go for the table. If ctx ends and the handler returns an error, the
// cause of ctx decides instead.
type Handler func(ctx context.Context, job *Job) error

// Job is one delivery while its handler runs.
type Job struct {
	Work     usher.Work // Work.Progress is current; it is stored when the job is settled
	Lease    Lease
	Platform *rtb.Client // the client of the job's advertiser
	Log      *slog.Logger
	Now      func() time.Time // the clock for ages, deadlines and records
	Local    func() time.Time // this machine's clock, for durations

	worker   *Worker
	opener   *exports.Opener        // nil: not needed yet
	segment  *rtb.Segment           // of a removal, once it is known
	readSize func() (int64, error)  // reads the size of the target once the job has ended
	countNew func() (*int64, error) // counts the ids that are new once the job has ended
	snoozed  bool                   // the job was returned to the queue while its parts run
	split    bool                   // the job was cut into parts, so there is nothing to settle

	mu      sync.Mutex // guards Work.Progress while an export is read
	checked time.Time  // when the progress of a check was last reported, or the check began; zero: no check is running
}

// Save stores the progress for the next attempt. After an error it is unknown whether the
// progress was stored.
func (j *Job) Save() error {
	if err := j.Lease.Save(j.Work.Progress); err != nil {
		return fmt.Errorf("save progress of job %s: %w", j.Work.ID, err)
	}
	return nil
}

// Warnf adds a warning to the job's record.
func (j *Job) Warnf(code usher.WarningCode, format string, args ...any) {
	j.AddWarnings(usher.Warning{Code: code, Description: fmt.Sprintf(format, args...), Count: 1})
}

// warnOncef is Warnf with a count, unless the record has the warning: each attempt of a run finds the same ones.
func (j *Job) warnOncef(code usher.WarningCode, count int64, format string, args ...any) {
	j.Work.Progress.Warnings = addOnce(j.Work.Progress.Warnings, []usher.Warning{{Code: code, Description: fmt.Sprintf(format, args...), Count: count}})
}

// AddWarnings adds warnings to the job's record.
func (j *Job) AddWarnings(warnings ...usher.Warning) {
	j.Work.Progress.Warnings = usher.AddWarnings(j.Work.Progress.Warnings, warnings...)
}

// saveCheckpoint stores a checkpoint, and reports whether it is stored. An error other than a
// lost lease is only logged, because a later checkpoint replaces this one. While NATS is
// unavailable, the upload continues until the lease expires.
func (j *Job) saveCheckpoint(c usher.Checkpoint) (stored bool, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.Work.Progress.Checkpoint = c
	return j.trySave()
}

// trySave stores the progress and returns an error only if the lease is lost. The caller
// holds mu if an export is being read.
func (j *Job) trySave() (stored bool, err error) {
	err = j.Lease.Save(j.Work.Progress)
	if err != nil && !errors.Is(err, usher.ErrLeaseLost) {
		j.Log.Warn("saving a checkpoint failed, the next one replaces it", "error", err)
		return false, nil
	}
	return err == nil, err
}

// checkEvery is the interval at which the record shows the progress of the
// check of a compressed file. A shorter check is not shown.
const checkEvery = 2 * time.Second

// exports returns the opener, which reports the progress of its checks, and a slow source, to the
// job's record.
func (j *Job) exports() *exports.Opener {
	if j.opener == nil {
		j.opener = j.worker.Exports.WithProgress(j.reportCheck, j.reportSlow)
	}
	return j.opener
}

// reportSlow shows in the record how fast a slow source delivers. nil says that it is fast enough.
func (j *Job) reportSlow(slow *usher.SlowSource) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if slow != nil {
		if slow.Since = j.Now().UTC(); j.Work.Progress.Slow != nil {
			slow.Since = j.Work.Progress.Slow.Since
		}
	}
	j.Work.Progress.Slow = slow
	_, _ = j.trySave() // a lost lease ends the reading by its context
}

// reportCheck shows the progress of a check in the record. nil ends the check.
func (j *Job) reportCheck(c *usher.Check) {
	j.mu.Lock()
	defer j.mu.Unlock()
	now := j.Local()
	switch {
	case c == nil:
		j.checked = time.Time{}
		if j.Work.Progress.Check == nil {
			return
		}
		j.Work.Progress.Check = nil
	case j.checked.IsZero():
		j.checked = now
		return
	case now.Sub(j.checked) < checkEvery:
		return
	default:
		shown := *c
		j.checked, j.Work.Progress.Check = now, &shown
	}
	_, _ = j.trySave() // a lost lease ends the reading by its context
}
