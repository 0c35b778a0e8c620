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

// load reads the decisions of the rule if the job is a rule's. The job names
// only the evaluation; the rulebook has the creatives to change, and the reasons.
//
// It assumes nothing. A crash afterwards leaves nothing.
func (p *protocol) load(ctx context.Context) (state, error) {
	if newer := p.job.Work.Superseded; newer != "" && p.intent() == nil {
		p.job.Warnf("superseded", "job %s, which is newer, has set all creatives of the campaign: nothing was changed", newer)
		return unlocking, nil
	}
	if err := p.readDecisions(ctx); err != nil {
		return unlocking, err
	}
	switch {
	case p.intent() != nil:
		return readingBack, nil
	case p.releasedSince:
		p.job.Warnf("stopped", "the stop switch was turned on and off after the decision: nothing was changed, and the next run decides anew")
		return unlocking, nil
	case p.ruleFileChanged:
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
	// Both reads run concurrently, because the pause of an event waits for them.
	var read sync.WaitGroup
	var started time.Time
	var startedErr error
	if p.started != nil {
		read.Go(func() { started, startedErr = p.started(ctx) })
	}
	e, rulings, err := p.rulebook.DecisionsOn(ctx, job.Evaluation, job.Campaign)
	read.Wait()
	if err = errors.Join(err, startedErr); err != nil {
		return fmt.Errorf("read decisions of evaluation %s: %w", job.Evaluation, err)
	}
	p.decidedAt, p.decisions = e.AsOf, map[string]usher.Ruling{}
	decided := e.At
	if e.Judged != nil {
		decided = *e.Judged // a person approved it
	}
	p.releasedSince = decided.Before(started)
	if e.Version != "" && p.ruleVersion != nil {
		version, known := p.ruleVersion(e.File)
		p.ruleFileChanged = known && version != e.Version
	}
	for _, r := range rulings {
		named := len(job.Creatives) == 0 || slices.Contains(job.Creatives, r.Creative)
		if named && r.JobKind(e.State == usher.EvaluationApproved) == kind {
			p.decisions[r.Creative] = r
		}
	}
	if len(p.decisions) == 0 {
		return usher.Refuse(usher.InvalidJob, "omit the field evaluation, which only usher's rules set; 'usher rules run' shows the decisions of an evaluation",
			"evaluation %s has no decision that is a %s of campaign %s", job.Evaluation, kind, job.Campaign)
	}
	return nil
}

// unchangedSinceDecision reports whether a creative is in the state that the rule saw.
// If somebody has changed it since, even back to the same status, that change is newer
// than the decision, and the next run decides again.
func (p *protocol) unchangedSinceDecision(now rtb.CreativeStatus) bool {
	d, found := p.decisions[now.CreativeCode]
	return !found || d.Seen == stateOf(now)
}

func stateOf(s rtb.CreativeStatus) usher.CreativeState {
	return usher.CreativeState{Status: s.ApprovalStatus, LatestUpdate: s.LatestUpdate}
}
