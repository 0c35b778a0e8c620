package campaign

import (
	"context"
	"fmt"

	"usher"
	"usher/internal/rtb"
)

// A rule resumes only what it has paused and nobody has touched since. The platform shows the
// time of the last change, so that a change by others is noticed. But a job that pauses what a
// rule has already paused changes nothing there: it is recorded here.

// lastChange returns the last change of a creative that rules remember; nil if there is none.
func (p *protocol) lastChange(ctx context.Context, creative string) (*usher.Change, error) {
	if p.memory == nil {
		memory, err := p.rulebook.Memory(ctx, []string{p.campaign()})
		if err != nil {
			return nil, fmt.Errorf("read what rules remember of campaign %s: %w", p.campaign(), err)
		}
		if p.memory = memory[p.campaign()]; p.memory == nil {
			p.memory = map[string][]usher.Change{}
		}
	}
	changes := p.memory[creative]
	if len(changes) == 0 {
		return nil, nil
	}
	return &changes[len(changes)-1], nil
}

// recordKeptPaused records that the job wants a creative paused, if a rule has paused it: the
// rule may then not resume it. It does nothing for the jobs of rules, and if a newer job has
// set the creative.
func (p *protocol) recordKeptPaused(ctx context.Context, s rtb.CreativeStatus, entry *usher.CreativeEntry, o *outcome) error {
	if p.rulebook == nil || p.decisions != nil || p.wanted != rtb.Inactive || s.ApprovalStatus != rtb.Inactive || entry.Order != p.job.Work.Order {
		return nil
	}
	last, err := p.lastChange(ctx, s.CreativeCode)
	if err != nil || last == nil || last.Rule == "" || last.After != s.ApprovalStatus || last.LatestUpdate != s.LatestUpdate {
		return err
	}
	a := p.newAudit(s, s.ApprovalStatus)
	a.Keeps, a.LatestUpdate = true, s.LatestUpdate
	return p.writeAudit(ctx, a, o)
}

// readKeptPaused returns the creatives that a rule must not resume, with the job that wants
// them paused since the rule has decided. It returns none if the job is not a rule's resume.
func (p *protocol) readKeptPaused(ctx context.Context) (map[string]string, error) {
	kept := map[string]string{}
	if p.wanted != rtb.Active {
		return kept, nil
	}
	for creative := range p.decisions {
		last, err := p.lastChange(ctx, creative)
		if err != nil {
			return nil, err
		}
		if last != nil && last.Keeps {
			kept[creative] = last.Job
		}
	}
	return kept, nil
}
