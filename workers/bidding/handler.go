package bidding

import (
	"context"
	"errors"
	"time"

	"usher"
	"usher/workers"
	"usher/workers/locking"
)

// Rulebook keeps what rules decided, and what they remember of numbers.
type Rulebook interface {
	// DecisionsOn returns an evaluation and its decisions about a campaign. If there is no such
	// evaluation, it returns neither and no error.
	DecisionsOn(ctx context.Context, evaluation, campaign string) (usher.Evaluation, []usher.Ruling, error)
	// Claim records in the memory of a campaign that the change is about to be made, unless
	// the last change of the same number is neither that of the job last nor that of the
	// change's own job. It reports whether the change is in the memory.
	Claim(ctx context.Context, campaign string, c usher.Change, last string) (bool, error)
	// Unclaim removes what a job has claimed and not made.
	Unclaim(ctx context.Context, campaign string, c usher.Change) error
	// Remember keeps the audited changes, each once, and replaces their claims.
	Remember(ctx context.Context, audits ...usher.Audit) error
}

// Handler runs jobs that change budgets and bids. Its fields are set before the first job.
type Handler struct {
	// Lock takes a lock that excludes other workers; see locking.Locks.
	Lock func(ctx context.Context, name string) (context.Context, func(), error)
	// Stopped reads the stop switch. After an error the switch counts as on.
	Stopped func(ctx context.Context) (reason string, stopped bool, err error)
	// Started returns when the stop switch was released last; zero: never. What rules
	// decided before is dropped. nil is never.
	Started  func(ctx context.Context) (time.Time, error)
	Rulebook Rulebook
	// RuleVersion returns the version of a rule file in use, "" if there is no such file.
	// known is false if this worker has no rule files. nil is the same.
	RuleVersion func(file string) (version string, known bool)
	// Enabled reports whether the configuration lets rules change a field. An undo needs no
	// permission. nil lets them change none.
	Enabled func(usher.BiddingField) bool
	// Gate returns an error while the platform is known to be down.
	Gate func() error
	// Late is how long a change may still arrive after its response was lost.
	// Default 10 s.
	Late time.Duration
}

// lookTime limits the last look, see Run, after the time in which a PUT may still arrive.
const lookTime = 5 * time.Second

// Run sets the number that the job's kind names, a workers.Handler.
func (h *Handler) Run(ctx context.Context, job *workers.Job) error {
	p := &protocol{
		job: job, field: job.Work.Kind.Field(), rulebook: h.Rulebook, handler: h, late: h.Late,
		locks: &locking.Locks{Job: job, Lock: h.Lock, Stopped: h.Stopped, Gate: h.Gate},
	}
	if p.late == 0 {
		p.late = 10 * time.Second
	}
	err := p.run(ctx, loading)
	if !p.sent || !endsUnobserved(context.Cause(ctx)) {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), p.late+lookTime)
	defer cancel()
	return p.run(ctx, readingBack)
}

// endsUnobserved reports whether no other delivery may read back what a job has sent that
// ended for this cause.
func endsUnobserved(cause error) bool {
	return errors.Is(cause, usher.ErrCancelled) || errors.Is(cause, usher.ErrDeadline) || errors.Is(cause, usher.ErrLeaseLost)
}
