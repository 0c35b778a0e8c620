package campaign

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"usher"
	"usher/internal/rtb"
)

// understand reads what rules have decided if the job is a rule's. The job names
// the evaluation; which creatives change, and why, is taken from the rulebook
// only.
//
// It assumes nothing. A crash afterwards leaves nothing.
func (p *protocol) understand(ctx context.Context) (state, error) {
	if err := p.readDecisions(ctx); err != nil {
		return unlocking, err
	}
	switch {
	case p.intent() != nil:
		return readingBack, nil
	case p.old:
		p.job.Warnf("stopped", "the stop switch was thrown and released after the decision: nothing was changed, and the next run decides anew")
		return unlocking, nil
	case p.changed:
		p.job.Warnf("rule_changed", "the rule file was changed after the decision: nothing was changed, and the next run decides anew")
		return unlocking, nil
	}
	return admitting, nil
}

func (p *protocol) readDecisions(ctx context.Context) error {
	job, kind := &p.job.Work.Job, p.job.Work.Kind
	if job.Evaluation == "" {
		return nil
	}
	// At once, because the pause of an event waits for both.
	var read sync.WaitGroup
	var started time.Time
	var startedErr error
	if p.started != nil {
		read.Go(func() { started, startedErr = p.started(ctx) })
	}
	e, rulings, err := p.rulebook.Decided(ctx, job.Evaluation, job.Campaign)
	read.Wait()
	if err = errors.Join(err, startedErr); err != nil {
		return fmt.Errorf("read decisions of evaluation %s: %w", job.Evaluation, err)
	}
	p.decidedAt, p.decisions = e.AsOf, map[string]usher.Ruling{}
	decided := e.At
	if e.Judged != nil {
		decided = *e.Judged // by a person, who approved it
	}
	p.old = decided.Before(started)
	if e.Version != "" && p.ruleVersion != nil {
		version, known := p.ruleVersion(e.File)
		p.changed = known && version != e.Version
	}
	for _, r := range rulings {
		named := len(job.Creatives) == 0 || slices.Contains(job.Creatives, r.Creative)
		if named && r.JobKind(e.State == usher.EvaluationApproved) == kind {
			p.decisions[r.Creative] = r
		}
	}
	if len(p.decisions) == 0 {
		return usher.Refuse(usher.InvalidJob, "leave the field evaluation to usher's own rules; 'usher rules run' shows what one decided",
			"evaluation %s has decided nothing that is a %s of campaign %s", job.Evaluation, kind, job.Campaign)
	}
	return nil
}

// isAsDecided reports whether a creative is as the rule saw it. If somebody has
// changed it since, even back to the same status, that change is newer than the
// decision, and the next run decides again.
func (p *protocol) isAsDecided(now rtb.CreativeStatus) bool {
	d, found := p.decisions[now.CreativeCode]
	return !found || d.Seen == seen(now)
}

func seen(s rtb.CreativeStatus) usher.CreativeState {
	return usher.CreativeState{Status: s.ApprovalStatus, LatestUpdate: s.LatestUpdate}
}
