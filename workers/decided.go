package workers

import (
	"context"
	"fmt"
	"slices"

	"usher"
	"usher/internal/rtb"
)

// Rulebook is what rules decided, and what they remember.
type Rulebook interface {
	// Decided is an evaluation and its decisions on a campaign, none where there
	// is no such evaluation.
	Decided(ctx context.Context, evaluation, campaign string) (usher.Evaluation, []usher.Ruling, error)
	// Remember keeps the changes that were audited, each once.
	Remember(ctx context.Context, audits ...usher.Audit) error
}

// understand reads what rules have decided, where the job is theirs. The job
// names the evaluation and nothing else is believed: which creatives change,
// as they were seen, and why stands on record.
func (c *change) understand() error {
	if c.Job.Evaluation == "" {
		return nil
	}
	e, decisions, err := c.Rulebook.Decided(c.ctx, c.Job.Evaluation, c.Job.Campaign)
	if err != nil {
		return fmt.Errorf("read decisions of evaluation %s: %w", c.Job.Evaluation, err)
	}
	c.asOf, c.decided = e.AsOf, map[string]usher.Ruling{}
	for _, d := range decisions {
		if d.Carries(e.State == usher.EvaluationApproved) == c.Kind && (len(c.Job.Creatives) == 0 || slices.Contains(c.Job.Creatives, d.Creative)) {
			c.decided[d.Creative] = d
		}
	}
	if len(c.decided) == 0 {
		return usher.Refuse(usher.InvalidJob, "leave the field evaluation to usher's own rules; 'usher rules run' shows what one decided",
			"evaluation %s has decided nothing that is a %s of campaign %s", c.Job.Evaluation, c.Kind, c.Job.Campaign)
	}
	return nil
}

// ruled are those of the campaign's creatives on which there is a decision.
func (c *change) ruled(all []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(code string) bool { _, is := c.decided[code]; return !is })
}

// asSeen reports whether a creative still is as the rule saw it. Whoever has
// touched it since, even to set it to what it was, has spoken after the rule;
// the next run decides anew.
func (c *change) asSeen(now rtb.CreativeStatus) bool {
	d, is := c.decided[now.CreativeCode]
	return !is || d.Seen.Status == now.ApprovalStatus && d.Seen.LatestUpdate == now.LatestUpdate
}
