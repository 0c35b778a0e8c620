package bidding

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"usher"
)

// load reads what the rule has decided. The job names the evaluation; which number is
// set, and why, is taken from the rulebook only.
//
// It assumes nothing. A crash afterwards leaves nothing.
func (p *protocol) load(ctx context.Context) (state, error) {
	started, err := p.readDecision(ctx)
	if err != nil {
		return unlocking, err
	}
	p.refusal = p.refuse(started)
	if p.refusal.Code != "" && p.intent() == nil {
		return dropping, nil
	}
	return admitting, nil
}

// readDecision reads the decision, and when the stop switch was released last.
func (p *protocol) readDecision(ctx context.Context) (started time.Time, err error) {
	job, kind := &p.job.Work.Job, p.job.Work.Kind
	var read sync.WaitGroup
	var startedErr error
	if p.handler.Started != nil {
		read.Go(func() { started, startedErr = p.handler.Started(ctx) })
	}
	e, rulings, err := p.rulebook.DecisionsOn(ctx, job.Evaluation, job.Campaign)
	read.Wait()
	if err = errors.Join(err, startedErr); err != nil {
		return started, fmt.Errorf("read decisions of evaluation %s: %w", job.Evaluation, err)
	}
	at := slices.IndexFunc(rulings, func(r usher.Ruling) bool { return r.JobKind(e.State == usher.EvaluationApproved) == kind })
	if at < 0 {
		return started, usher.Refuse(usher.InvalidJob, "leave jobs of this kind to usher's own rules; 'usher rules run' shows what one decided",
			"evaluation %s has decided nothing that is a %s of campaign %s", job.Evaluation, kind, job.Campaign)
	}
	p.evaluation, p.ruling = e, rulings[at]
	return started, nil
}

// refuse returns why the decision may not be carried out any more.
func (p *protocol) refuse(started time.Time) usher.Warning {
	decided := p.evaluation.At
	if p.evaluation.Judged != nil {
		decided = *p.evaluation.Judged // by a person, who approved it
	}
	var version string
	known := false
	if p.evaluation.Version != "" && p.handler.RuleVersion != nil {
		version, known = p.handler.RuleVersion(p.evaluation.File)
	}
	switch {
	case decided.Before(started):
		return warning("stopped", "the stop switch was thrown and released after the decision: nothing was changed, and the next run decides anew")
	case known && version != p.evaluation.Version:
		return warning("rule_changed", "the rule file was changed after the decision: nothing was changed, and the next run decides anew")
	case p.evaluation.UndoOf == "" && (p.handler.Enabled == nil || !p.handler.Enabled(p.field)):
		return warning("disabled", "actions in the configuration of this worker does not have %s: nothing was changed", p.field.Key())
	}
	return usher.Warning{}
}

func warning(code, format string, args ...any) usher.Warning {
	return usher.Warning{Code: code, Description: fmt.Sprintf(format, args...)}
}
