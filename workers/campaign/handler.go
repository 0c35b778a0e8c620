package campaign

import (
	"context"
	"errors"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/workers"
)

// RuleStore stores the decisions of rules, and what rules remember of creatives, budgets and
// bids.
type RuleStore interface {
	// DecisionsOf returns a job's evaluation and its decisions about the job's campaign. If the job
	// names no creatives, they are those that the job carries out. If the
	// evaluation does not exist, there are no decisions. They may be older than those that are
	// stored, unless proven is true; that takes a write.
	DecisionsOf(ctx context.Context, job *usher.Work, proven bool) (usher.Evaluation, []usher.StoredDecision, error)
	// Memory returns what is remembered of campaigns: campaign → creative → changes, oldest
	// first.
	Memory(ctx context.Context, campaigns []string) (map[string]map[string][]usher.Change, error)
	// Claim records in the memory of a campaign that the number is about to be changed, unless
	// the last change of the number is neither that of the job last nor that of the
	// change's own job. It reports whether the change is in the memory.
	Claim(ctx context.Context, campaign string, c usher.Change, last string) (bool, error)
	// Unclaim removes what a job has claimed and not made.
	Unclaim(ctx context.Context, campaign string, c usher.Change) error
	// Remember stores the audited changes of rules, each once, in place of their claims, and
	// the jobs that keep paused what rules have paused.
	Remember(ctx context.Context, audits ...usher.Audit) error
	// Warn adds a warning to an evaluation, once.
	Warn(ctx context.Context, evaluation string, w usher.Warning) error
}

// Handler runs jobs that change campaigns. Its fields are set before the first job.
type Handler struct {
	// Lock takes a lock that excludes other workers. The context that it returns
	// ends when the lock is lost. If another worker holds the lock, the error is
	// a *usher.RetryAfter.
	Lock func(ctx context.Context, name string) (context.Context, func(), error)
	// Stopped reads the stop switch. After an error the switch counts as on.
	Stopped func(ctx context.Context) (reason string, stopped bool, err error)
	// Released returns when the stop switch was last released, or the zero time if it
	// never was. Older decisions of rules are dropped. nil: never.
	Released  func(ctx context.Context) (time.Time, error)
	RuleStore RuleStore
	// Kept returns what people keep rules from changing, by the code of the creative or campaign.
	// nil: nothing.
	Kept func(ctx context.Context) (map[string]usher.Setting, error)
	// Withdraw takes back that an undo keeps rules from something. nil: nothing is kept.
	Withdraw func(ctx context.Context, kept *usher.Setting, why string) error
	// RuleVersion returns the version of a rule file in use, or "" if there is no such
	// file. known is false if this worker has no rule files. nil: it has none.
	RuleVersion func(file string) (version string, known bool)
	// Actions are the fields of biddingSettings that the configuration lets rules change. An
	// undo needs no permission.
	Actions []usher.BiddingField
	// Gate returns an error while the platform is known to be down.
	Gate func() error
	// Late is how long a change may still arrive after its response was lost.
	// Default 10 s.
	Late time.Duration
}

// lookTime limits the last look after the time in which a change may still arrive.
const lookTime = 5 * time.Second

// Run runs a job of the kinds campaign.pause, campaign.resume, campaign.budget and
// campaign.bid, as a workers.Handler. A job that has sent a change, or may have, and ends now, because
// it was cancelled for example, first reads from the platform whether the change has arrived: nobody would do so
// later. See the package comment.
func (h *Handler) Run(ctx context.Context, job *workers.Job) error {
	p := &protocol{job: job, handler: h, late: h.Late}
	if p.late == 0 {
		p.late = 10 * time.Second
	}
	var c change
	switch job.Work.Kind {
	case usher.CampaignPause:
		c = newStatusChange(p, rtb.Inactive)
	case usher.CampaignResume:
		c = newStatusChange(p, rtb.Active)
	default:
		c = &numberChange{protocol: p, field: job.Work.Kind.Field()}
	}
	err := context.Cause(ctx)
	if err == nil {
		err = p.run(ctx, c, loading)
	}
	if err == nil {
		err = h.noteHeldBack(ctx, job)
	}
	cause, from := context.Cause(ctx), readingBack
	switch {
	case p.sent && endsUnobserved(cause):
	case err != nil && p.hasIntent() && endsUnobserved(cause) && !errors.Is(cause, usher.ErrLeaseLost):
		from = loading
	default:
		return err
	}
	end := time.Now().Add(p.late + lookTime)
	ctx, cancel := context.WithDeadline(context.WithoutCancel(ctx), end)
	defer cancel()
	for {
		c.lookAgain()
		err = p.run(ctx, c, from)
		// No redelivery waits for a lock, or for a change that may still arrive, so this does.
		wait := c.lateFor()
		var later *usher.RetryAfter
		if errors.As(err, &later) {
			wait = later.After
		}
		if wait <= 0 || wait > time.Until(end) || usher.Sleep(ctx, wait) != nil {
			return err
		}
	}
}

// noteHeldBack says in the run whose job this is that the stop switch or keep_active held its changes
// back.
func (h *Handler) noteHeldBack(ctx context.Context, job *workers.Job) error {
	run := job.Work.Job.Evaluation
	if run == "" {
		return nil
	}
	for _, w := range job.Work.Progress.Warnings {
		if w.Code != usher.WarnStopped && w.Code != usher.WarnKeepActive {
			continue
		}
		if err := h.RuleStore.Warn(ctx, run, usher.Warning{Code: w.Code, Description: "job " + job.Work.ID + ": " + w.Description, Count: 1}); err != nil {
			return err
		}
	}
	return nil
}

// endsUnobserved reports whether a job that ends for this cause may have no other
// delivery that reads back what it has sent: the job is over, or another worker has it and
// may have read back already.
func endsUnobserved(cause error) bool {
	return errors.Is(cause, usher.ErrCancelled) || errors.Is(cause, usher.ErrDeadline) || errors.Is(cause, usher.ErrLeaseLost)
}
