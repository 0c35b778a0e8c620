package campaign

import (
	"context"
	"errors"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/workers"
	"usher/workers/locking"
)

// Rulebook stores the decisions of rules, and what rules remember about creatives.
type Rulebook interface {
	// DecisionsOn returns an evaluation and its decisions about a campaign. If the
	// evaluation does not exist, there are no decisions.
	DecisionsOn(ctx context.Context, evaluation, campaign string) (usher.Evaluation, []usher.Ruling, error)
	// Remember stores the audited changes of rules, and the jobs that keep paused what rules
	// have paused. It is idempotent.
	Remember(ctx context.Context, audits ...usher.Audit) error
	// Memory returns what Remember has stored of campaigns: campaign → creative → changes,
	// oldest first.
	Memory(ctx context.Context, campaigns []string) (map[string]map[string][]usher.Change, error)
}

// Handler runs campaign jobs. Its fields are set before the first job.
type Handler struct {
	// Lock takes a lock that excludes other workers. The context that it returns
	// ends when the lock is lost. If another worker holds the lock, the error is
	// a *usher.RetryAfter.
	Lock func(ctx context.Context, name string) (context.Context, func(), error)
	// Stopped reads the stop switch. After an error the switch counts as on.
	Stopped func(ctx context.Context) (reason string, stopped bool, err error)
	// Started returns when the stop switch was last released, or the zero time if it
	// never was. Older decisions of rules are dropped. nil: never.
	Started  func(ctx context.Context) (time.Time, error)
	Rulebook Rulebook
	// RuleVersion returns the version of a rule file in use, or "" if there is no such
	// file. known is false if this worker has no rule files. nil: it has none.
	RuleVersion func(file string) (version string, known bool)
	// Gate returns an error while the platform is known to be down.
	Gate func() error
	// Late is how long a change may still arrive after its response was lost.
	// Default 10 s.
	Late time.Duration
}

// Pause sets creatives to INACTIVE, a workers.Handler.
func (h *Handler) Pause(ctx context.Context, job *workers.Job) error {
	return h.run(ctx, job, rtb.Inactive)
}

// Resume sets creatives to ACTIVE, a workers.Handler.
func (h *Handler) Resume(ctx context.Context, job *workers.Job) error {
	return h.run(ctx, job, rtb.Active)
}

// lookTime limits the last look after the time in which a POST may still arrive.
const lookTime = 5 * time.Second

// run runs the protocol. If the job has sent a POST and no redelivery may follow, it looks
// once more: see the package comment.
func (h *Handler) run(ctx context.Context, job *workers.Job, wanted string) error {
	p := &protocol{
		job: job, locks: &locking.Locks{Job: job, Lock: h.Lock, Stopped: h.Stopped, Gate: h.Gate},
		started: h.Started, rulebook: h.Rulebook, ruleVersion: h.RuleVersion, late: h.Late,
		wanted: wanted, warned: map[string]usher.Warning{}, answered: map[string]bool{}, audited: map[string]bool{},
	}
	if p.late == 0 {
		p.late = 10 * time.Second
	}
	err := p.run(ctx, loading)
	if !p.sent || !endsUnobserved(context.Cause(ctx)) {
		return err
	}
	end := time.Now().Add(p.late + lookTime)
	ctx, cancel := context.WithDeadline(context.WithoutCancel(ctx), end)
	defer cancel()
	for {
		// Nothing more of the intent is posted, but overtaken creatives are restored.
		p.noMorePosts, p.noMoreRestores, p.failure, p.looking = true, false, nil, true
		err = p.run(ctx, readingBack)
		// No redelivery waits for a lock, or for a POST that may still arrive, so this does.
		wait := p.lateFor()
		var later *usher.RetryAfter
		if errors.As(err, &later) {
			wait = later.After
		}
		if wait <= 0 || wait > time.Until(end) || usher.Sleep(ctx, wait) != nil {
			return err
		}
	}
}

// lateFor returns how long a POST whose response was lost may still arrive.
func (p *protocol) lateFor() time.Duration {
	intent := p.intent()
	if intent == nil || intent.Lost.IsZero() {
		return 0
	}
	return p.late - p.job.Now().Sub(intent.Lost)
}

// endsUnobserved reports whether a job that ends for this cause may have no other
// delivery that reads back its POSTs: the job is over, or another worker has it and may
// have read back already.
func endsUnobserved(cause error) bool {
	return errors.Is(cause, usher.ErrCancelled) || errors.Is(cause, usher.ErrDeadline) || errors.Is(cause, usher.ErrLeaseLost)
}
