package campaign

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/workers"
	"usher/workers/locking"
)

// outcome is the outcome of an intent for its creatives.
type outcome struct {
	open      []string                       // not changed so far
	changed   []string                       // changed by this job
	refused   []string                       // refused by the platform
	foreign   bool                           // somebody else has changed a creative meanwhile
	outdated  bool                           // another job has written an entry since the reading
	overtaken map[string]usher.CreativeEntry // to be restored, with the entry whose status they get
	audits    []usher.Audit
}

// record is steps 6 and 7: it claims the changes of this job and writes the
// audits.
//
// It assumes a reading since the last POST. If another job has written an entry
// since that reading, the job reads again: the other job may have changed the
// creative after the reading. A crash afterwards leaves some of the claims and
// audits; the redelivery repeats them, which is idempotent.
func (p *protocol) record(ctx context.Context) (state, error) {
	o := outcome{overtaken: map[string]usher.CreativeEntry{}}
	for _, s := range p.shown {
		if err := p.recordCreative(ctx, s, &o); err != nil {
			return unlocking, err
		}
	}
	if p.rulebook != nil && len(o.audits) > 0 {
		if err := p.rulebook.Remember(ctx, o.audits...); err != nil {
			return unlocking, err
		}
	}
	if p.lost != nil && containsAll(o.changed, p.lost.creatives) {
		p.intent().Lost = p.lost.before // the POST has arrived, so it cannot arrive later
	}
	if o.outdated {
		return readingBack, nil
	}
	// Nothing is restored before everything is on record.
	p.overtaken = o.overtaken
	switch {
	case len(o.overtaken) == 0 || p.noMoreRestores || p.lost != nil && !p.looking:
		err := p.verdict(&o)
		if err == nil && len(o.refused) == 0 && !o.foreign {
			p.claimCampaign(ctx)
		}
		return unlocking, err
	case p.locks.Held():
		return restoring, nil
	}
	return admitting, nil
}

func containsAll(list, wanted []string) bool {
	return !slices.ContainsFunc(wanted, func(s string) bool { return !slices.Contains(list, s) })
}

// recordCreative records the outcome for one creative.
func (p *protocol) recordCreative(ctx context.Context, s rtb.CreativeStatus, o *outcome) error {
	code, intent := s.CreativeCode, p.intent()
	before, selected := intent.Before[code]
	changing := slices.Contains(intent.Changing, code)
	entry, restoring := intent.Restoring[code]
	switch {
	case !selected:
		return nil
	case restoring:
		return p.recordRestored(ctx, s, entry, o)
	case s.ApprovalStatus == p.wanted || !changing && before == p.wanted:
		return p.recordWanted(ctx, s, changing, o)
	case !changing, intent.Recorded:
		return nil // left out, or already on record
	case p.warned[code].Code != "":
		o.refused = append(o.refused, code)
	case slices.Contains(p.open, code):
		o.open = append(o.open, code)
		return nil
	case p.changedBack(s) && !p.superseded(code):
		return p.recordChangedBack(ctx, s, o)
	case s.ApprovalStatus == before:
		p.warnSuperseded(code)
		if !p.answered[code] {
			return nil
		}
	default:
		o.foreign = true
		p.job.Warnf("changed_meanwhile", "creative %s is %s now: somebody else changed it, so it is left as it is", code, s.ApprovalStatus)
	}
	return p.auditLeft(ctx, s, before, o)
}

// auditLeft writes the audit of a creative that the job has not changed. If this delivery has
// recorded a change of it before, another one has come after that, and is not this job's.
func (p *protocol) auditLeft(ctx context.Context, s rtb.CreativeStatus, before string, o *outcome) error {
	if p.audited[s.CreativeCode] {
		return nil
	}
	return p.writeAudit(ctx, p.newAudit(s, before), o)
}

// recordWanted records a creative that has the wanted status, or had it when the intent
// was written. It makes the job the newest one of the creative and, if the job was to
// change it, claims the change.
func (p *protocol) recordWanted(ctx context.Context, s rtb.CreativeStatus, changing bool, o *outcome) error {
	code, intent, now := s.CreativeCode, p.intent(), stateOf(s)
	asked := changing && s.ApprovalStatus == p.wanted
	entry, err := p.claim(ctx, code, now, asked, o)
	switch {
	case err != nil:
		return err
	case !asked:
		return p.recordKeptPaused(ctx, s, &entry, o)
	case !entry.ChangedBy(p.job.Work.Order, now):
		if entry.Order > p.job.Work.Order {
			p.warnSuperseded(code)
		}
		return nil
	}
	o.changed = append(o.changed, code)
	left, audited := intent.Left[code]
	audited = audited && (intent.Recorded || p.audited[code]) // otherwise its audit may be missing
	if audited && left == now {
		return nil
	}
	if intent.Left == nil {
		intent.Left = map[string]usher.CreativeState{}
	}
	intent.Left[code] = now
	a := p.newAudit(s, intent.Before[code])
	a.Late = audited
	if err := p.writeAudit(ctx, a, o); err != nil {
		return err
	}
	p.audited[code] = true
	return nil
}

// recordChangedBack records a creative that has its old status again, by a change that is not
// this job's. It makes the job the newest one of the creative: if an older job has made the
// change, that one or this one restores what this job wanted.
func (p *protocol) recordChangedBack(ctx context.Context, s rtb.CreativeStatus, o *outcome) error {
	code := s.CreativeCode
	if _, err := p.claim(ctx, code, stateOf(s), false, o); err != nil {
		return err
	}
	if _, restores := o.overtaken[code]; restores || o.outdated {
		return nil
	}
	o.foreign = true
	p.job.Warnf("changed_meanwhile", "creative %s was changed after this job had read it, and is %s: it is left as it is", code, s.ApprovalStatus)
	return p.auditLeft(ctx, s, s.ApprovalStatus, o)
}

// recordRestored records a creative that was to be restored to the status of an
// entry.
func (p *protocol) recordRestored(ctx context.Context, s rtb.CreativeStatus, restored usher.CreativeEntry, o *outcome) error {
	code, now := s.CreativeCode, stateOf(s)
	asked := now.Status == restored.Wanted
	entry, err := p.claim(ctx, code, now, asked, o)
	if err != nil {
		return err
	}
	if !asked || !entry.ChangedBy(p.job.Work.Order, now) {
		return nil
	}
	o.changed = append(o.changed, code)
	return p.writeAudit(ctx, p.newRestoreAudit(s, restored), o)
}

// claim claims a creative in the state that the last reading shows, and returns its new
// entry. If another job has written the entry since the reading, claim notes that and
// returns a zero entry.
func (p *protocol) claim(ctx context.Context, code string, now usher.CreativeState, asked bool, o *outcome) (usher.CreativeEntry, error) {
	entry, err := p.job.Lease.ClaimChange(ctx, code, p.wanted, p.entries[code], now, asked)
	if errors.Is(err, usher.ErrEntryChanged) {
		o.outdated = true
		return usher.CreativeEntry{}, nil
	}
	if err == nil {
		p.noteOvertaken(code, entry, now, o)
	}
	return entry, err
}

// noteOvertaken notes a creative that does not have the status that its newest job
// wanted, if this job must restore it: this job has made the change, or this job is the
// newest one and an older job has made the change. A change that no job has claimed was
// made by somebody else, or by a job that has yet to read back.
func (p *protocol) noteOvertaken(code string, entry usher.CreativeEntry, now usher.CreativeState, o *outcome) {
	if now.Status == entry.Wanted || entry.Left != now || p.warned[code].Code != "" {
		return
	}
	order := p.job.Work.Order
	if entry.ChangedOrder == order || entry.Order == order && entry.ChangedOrder < order {
		o.overtaken[code] = entry
	}
}

// claimCampaign ends older jobs that wait on the campaign, if this one was for all of its
// creatives, also for those that wait for approval. Otherwise each of them finds out itself
// what is superseded.
func (p *protocol) claimCampaign(ctx context.Context) {
	if p.decisions != nil || len(p.job.Work.Job.Creatives) > 0 {
		return
	}
	if err := p.job.Lease.ClaimCampaign(ctx); err != nil {
		p.job.Log.Warn("noting that the campaign was set failed; older jobs on it take longer", "campaign", p.campaign(), "error", err)
	}
}

// verdict returns the error that settles the job. If a POST may still arrive, the job is
// retried, to read back once more.
func (p *protocol) verdict(o *outcome) error {
	intent, lateFor := p.intent(), p.lateFor()
	switch {
	case len(o.open)+len(o.overtaken) > 0 && p.lost != nil:
		return p.lost.err // the POST had no effect on these creatives
	case len(o.open) > 0:
		return errors.New("the platform accepted the change but still shows " + strings.Join(o.open, ", ") + " as before")
	case len(o.overtaken) > 0:
		return workers.Wait(locking.Delay, "restores what an older job has changed after a newer one")
	case lateFor > 0:
		intent.Recorded = true
		return workers.Wait(lateFor, "reads back once more at %s: a change whose response was lost may still arrive", p.job.Now().Add(lateFor).UTC().Format(time.RFC3339))
	case len(o.changed) == 0 && len(o.refused) > 0:
		w := p.warned[o.refused[0]]
		return &usher.Permanent{Class: usher.Refused, Code: w.Code,
			Hint: "the platform does not allow this change of status; see the record's warnings",
			Err:  errors.New("set status of campaign " + p.campaign() + " to " + p.wanted + ": " + w.Description)}
	}
	return nil
}
