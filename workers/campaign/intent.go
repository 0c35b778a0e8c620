package campaign

import (
	"context"
	"slices"
	"strings"

	"usher"
	"usher/internal/rtb"
)

// intend is step 3: it reads the statuses and saves the intent. If there is nothing to
// change, it saves no intent, and a redelivery reads again.
//
// It assumes both locks and a record without an intent. A crash afterwards leaves an
// intent without a POST; the redelivery finds its creatives open and posts them. A delivery
// that fails before a POST drops its intent.
func (p *protocol) intend(ctx context.Context) (state, error) {
	var err error
	if p.shown, err = p.readStatuses(ctx); err != nil {
		return unlocking, err
	}
	intent, err := p.newIntent(ctx)
	if err != nil {
		return unlocking, err
	}
	if err := p.saveIntent(ctx, intent); err != nil {
		p.dropIntent()
		return unlocking, err
	}
	p.open = p.openCreatives()
	return posting, nil
}

func (p *protocol) saveIntent(ctx context.Context, intent *usher.Intent) error {
	p.job.Work.Progress.Intent, p.intended = intent, true
	if len(intent.Changing) > 0 {
		if err := p.job.Save(); err != nil {
			return err
		}
	}
	// Read again after the intent is saved, because a newer job may have written entries
	// meanwhile.
	return p.readEntries(ctx, intent.Changing)
}

// dropIntent removes the intent if this delivery has written it and has sent nothing. The
// next one then begins anew, and whatever was changed meanwhile was not changed back.
func (p *protocol) dropIntent() {
	if p.intended && !p.sent {
		p.job.Work.Progress.Intent = nil
	}
}

// newIntent decides which creatives change: those that the job selects, except those
// that a newer job has set, those that wait for approval, and those that already have
// the wanted status.
func (p *protocol) newIntent(ctx context.Context) (*usher.Intent, error) {
	selected, err := p.selectCreatives()
	if err != nil {
		return nil, err
	}
	if err := p.readEntries(ctx, selected); err != nil {
		return nil, err
	}
	newer := slices.DeleteFunc(slices.Clone(selected), func(code string) bool { return !p.superseded(code) })
	if len(newer) > 0 {
		p.warnSuperseded(strings.Join(newer, ", "))
	}
	kept, err := p.readKeptPaused(ctx)
	if err != nil {
		return nil, err
	}
	intent := &usher.Intent{Before: map[string]string{}, Wanted: p.wanted, Updated: map[string]string{}}
	for _, s := range p.shown {
		code := s.CreativeCode
		if !slices.Contains(selected, code) || p.superseded(code) {
			continue
		}
		intent.Before[code] = s.ApprovalStatus
		switch {
		case s.ApprovalStatus == p.wanted:
		case !p.unchangedSinceDecision(s):
			p.job.Warnf("changed_meanwhile", "creative %s was changed after the rule had decided: left as it is", code)
		case kept[code] != "":
			p.job.Warnf("changed_meanwhile", "creative %s was paused by job %s, too, after the rule had decided: left as it is", code, kept[code])
		case s.ApprovalStatus == rtb.Pending:
			p.job.Warnf("pending", "creative %s waits for approval: left out", code)
		default:
			intent.Changing = append(intent.Changing, code)
			intent.Updated[code] = s.LatestUpdate
		}
	}
	return intent, nil
}

// selectCreatives returns the creatives that the job selects: those with a decision,
// those that the job names, or all.
func (p *protocol) selectCreatives() ([]string, error) {
	all := make([]string, len(p.shown))
	for i, s := range p.shown {
		all[i] = s.CreativeCode
	}
	if p.decisions != nil {
		return slices.DeleteFunc(all, func(code string) bool { _, found := p.decisions[code]; return !found }), nil
	}
	named := p.job.Work.Job.Creatives
	if len(named) == 0 {
		return all, nil
	}
	for _, code := range named {
		if !slices.Contains(all, code) {
			return nil, usher.Refuse(usher.NotFound, "the campaign has "+strings.Join(all, ", "),
				"campaign %s has no creative %s", p.campaign(), code)
		}
	}
	return named, nil
}

func (p *protocol) warnSuperseded(creatives string) {
	p.job.Warnf("superseded", "a newer job has acted on %s: left as it is", creatives)
}
