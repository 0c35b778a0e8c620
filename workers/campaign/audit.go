package campaign

import (
	"context"

	"usher"
	"usher/internal/rtb"
)

// writeAudit stores an audit and adds it to the outcome, for the rulebook.
func (p *protocol) writeAudit(ctx context.Context, a usher.Audit, o *outcome) error {
	if err := p.job.Lease.Audit(ctx, a); err != nil {
		return err
	}
	o.audits = append(o.audits, a)
	return nil
}

// newAudit returns the audit of a creative that the job was to change.
func (p *protocol) newAudit(s rtb.CreativeStatus, before string) usher.Audit {
	a := p.baseAudit(s)
	a.Reason, a.Before, a.Wanted = p.job.Work.Job.Reason, before, p.wanted
	if d, found := p.decisions[s.CreativeCode]; found {
		a.Rule, a.Reason, a.Metrics, a.Values = d.Rule, d.Reason, d.Metrics, d.Values
	}
	return a
}

// newRestoreAudit returns the audit of a creative that the job has restored.
func (p *protocol) newRestoreAudit(s rtb.CreativeStatus, restored usher.CreativeEntry) usher.Audit {
	a := p.baseAudit(s)
	a.Reason = "restored: the change of an older job came after job " + restored.Job
	a.Before, a.Wanted, a.Restores = restored.Left.Status, restored.Wanted, restored.Job
	return a
}

// baseAudit returns the fields that all audits of a creative have. If the job is a
// rule's, they include the evaluation, so that the rule knows that it owns the creative.
func (p *protocol) baseAudit(s rtb.CreativeStatus) usher.Audit {
	work := &p.job.Work
	a := usher.Audit{
		At: p.job.Now().UTC(), Job: work.ID, Run: work.Run, Actor: work.Job.Actor,
		Campaign: work.Job.Campaign, Creative: s.CreativeCode, After: s.ApprovalStatus,
	}
	if _, found := p.decisions[s.CreativeCode]; found {
		a.Evaluation, a.AsOf, a.LatestUpdate = work.Job.Evaluation, p.decidedAt, s.LatestUpdate
	}
	return a
}
