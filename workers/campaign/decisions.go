package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"usher"
)

// load reads the decisions of the rule if the job is a rule's. The job names
// only the evaluation; the store of rules has the creatives to change, and the reasons.
//
// It assumes nothing. A crash afterwards leaves nothing.
func (c *statusChange) load(ctx context.Context) (state, error) {
	if newer := c.job.Work.Superseded; newer != "" && c.intent() == nil {
		c.refusal = warning(usher.WarnSuperseded, "job %s, which is newer, has set all creatives of the campaign: nothing was changed", newer)
		return dropping, nil
	}
	if c.job.Work.Job.Evaluation != "" {
		decisions, err := c.readDecisions(ctx)
		if err != nil {
			return unlocking, err
		}
		c.decisions = map[string]usher.StoredDecision{}
		for _, d := range decisions {
			c.decisions[d.Creative] = d
		}
	}
	switch {
	case c.intent() != nil:
		return readingBack, nil
	case c.refusal.Code != "":
		return dropping, nil
	}
	return admitting, nil
}

// load reads the decision of the rule. The job names the evaluation; which number is set, and
// why, is taken from the store of rules only.
//
// It assumes nothing. A crash afterwards leaves nothing.
func (c *numberChange) load(ctx context.Context) (state, error) {
	decisions, err := c.readDecisions(ctx)
	if err != nil {
		return unlocking, err
	}
	c.decision = decisions[0]
	if c.refusal.Code == "" && c.evaluation.UndoOf == "" && !slices.Contains(c.handler.Actions, c.field) {
		c.refusal = warning(usher.WarnDisabled, "actions in the configuration of this worker does not have %s: nothing was changed", c.field.Key())
	}
	if w, kept := c.keptWarning("the "+c.field.String()+" of campaign "+c.campaign(), c.campaign()); kept && c.refusal.Code == "" {
		c.refusal = w
	}
	switch {
	case c.looking:
		return readingBack, nil
	case c.refusal.Code != "" && c.intent() == nil:
		return dropping, nil
	}
	return admitting, nil
}

// readDecisions returns the decisions that the job carries out, at least one, and sets the
// refusal if they may not be carried out any more.
func (p *protocol) readDecisions(ctx context.Context) ([]usher.StoredDecision, error) {
	job, kind := &p.job.Work.Job, p.job.Work.Kind
	// Both reads run concurrently, because the pause of an event waits for them.
	var read sync.WaitGroup
	var released time.Time
	var kept map[string]usher.Setting
	var releasedErr, keptErr error
	if p.handler.Released != nil {
		read.Go(func() { released, releasedErr = p.handler.Released(ctx) })
	}
	if p.handler.Kept != nil {
		read.Go(func() { kept, keptErr = p.handler.Kept(ctx) })
	}
	e, carriedOut, err := p.decided(ctx, false)
	read.Wait()
	if len(carriedOut) == 0 && err == nil {
		// An evaluation is stored before its jobs are published. A read that misses it may be old.
		e, carriedOut, err = p.decided(ctx, true)
	}
	if err = errors.Join(err, releasedErr, keptErr); err != nil {
		return nil, fmt.Errorf("read decisions of evaluation %s: %w", job.Evaluation, err)
	}
	if len(carriedOut) == 0 {
		return nil, usher.Refuse(usher.InvalidJob, "leave the field evaluation to usher's rules; 'usher rules runs show' shows the decisions of an evaluation",
			"evaluation %s has no decision that is a %s of campaign %s", job.Evaluation, kind, job.Campaign)
	}
	p.evaluation, p.refusal, p.kept = e, p.outdated(&e, &carriedOut[0], released), kept
	return carriedOut, nil
}

// decided returns the job's evaluation and those of its decisions that the job carries out.
func (p *protocol) decided(ctx context.Context, proven bool) (e usher.Evaluation, carriedOut []usher.StoredDecision, err error) {
	job := &p.job.Work.Job
	e, decisions, err := p.handler.RuleStore.DecisionsOf(ctx, &p.job.Work, proven)
	for _, r := range decisions {
		named := len(job.Creatives) == 0 || slices.Contains(job.Creatives, r.Creative)
		if named && r.JobKind(e.ApprovalOf(&r) > 0) == p.job.Work.Kind {
			carriedOut = append(carriedOut, r)
		}
	}
	return e, carriedOut, err
}

// keptWarning reports whether a person keeps rules from the creative or campaign with a code, and
// says so.
func (p *protocol) keptWarning(what, code string) (w usher.Warning, kept bool) {
	setting, kept := p.kept[code]
	if kept = kept && p.evaluation.UndoOf == ""; kept {
		w = warning(usher.WarnKept, "%s is %s; it is left as it is", what, setting.String())
	}
	return w, kept
}

// unkeep lets rules change again what an undo leaves as it is because somebody has changed it since:
// the undo keeps rules only from what it takes back.
func (p *protocol) unkeep(ctx context.Context, d *usher.StoredDecision) error {
	code := cmp.Or(d.Creative, d.Campaign)
	kept, found := p.kept[code]
	if !found || p.evaluation.UndoOf == "" || p.handler.Withdraw == nil || kept.By != p.evaluation.By || kept.Reason != d.Reason {
		return nil
	}
	if err := p.handler.Withdraw(ctx, &kept, "somebody had changed it since, so the undo left it as it is"); err != nil {
		return fmt.Errorf("let rules change %s again: %w", code, err)
	}
	return nil
}

// outdated returns why the decisions of an evaluation that the job carries out may not be carried out any
// more; a zero warning: they may. d is one of them: nobody has approved them, or one approval was of all.
// released is when the stop switch was last released.
func (p *protocol) outdated(e *usher.Evaluation, d *usher.StoredDecision, released time.Time) usher.Warning {
	if decided := cmp.Or(e.ApprovedAt(d), e.At); decided.Before(released) {
		return warning(usher.WarnStopped, "the stop switch was turned on and off after the decision: nothing more is changed, and the next run decides anew")
	}
	if e.Version != "" && p.handler.RuleVersion != nil {
		if version, known := p.handler.RuleVersion(e.File); known && version != e.Version {
			return warning(usher.WarnRuleChanged, "the rule file was changed after the decision: nothing more is changed, and the next run decides anew")
		}
	}
	return usher.Warning{}
}

func warning(code usher.WarningCode, format string, args ...any) usher.Warning {
	return usher.Warning{Code: code, Description: fmt.Sprintf(format, args...)}
}
