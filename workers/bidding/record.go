package bidding

import (
	"context"
	"math"
	"slices"
	"strings"

	"usher"
	"usher/internal/rtb"
)

// record writes the audit and the memory of rules.
//
// It assumes a reading after the PUT that shows another number than before. A crash
// afterwards leaves the audit; the redelivery repeats it, which is idempotent.
func (p *protocol) record(ctx context.Context) (state, error) {
	intent := p.intent()
	shown := p.now.Number(p.field)
	done := intent.Change
	if !math.IsNaN(shown) {
		done.To = shown
	}
	before := rtb.Definition(intent.Before)
	if p.shown() == intent.Change.After() {
		p.warnOtherwise(before)
	} else {
		p.job.AddWarnings(p.changedWarning(intent.Change.Before()))
	}
	work, ruling := &p.job.Work, &p.ruling
	a := usher.Audit{
		At: p.job.Now().UTC(), Job: work.ID, Run: work.Run, Rule: ruling.Rule, Actor: work.Job.Actor, Reason: ruling.Reason,
		Campaign: p.campaign(), Before: intent.Change.Before(), Wanted: intent.Change.After(), After: p.shown(),
		Metrics: ruling.Metrics, Values: ruling.Values, Evaluation: work.Job.Evaluation, AsOf: p.evaluation.AsOf,
		Bidding: &done, Definitions: &usher.Definitions{Before: intent.Before, After: []byte(p.now)},
	}
	if err := p.job.Lease.Audit(ctx, a); err != nil {
		return unlocking, err
	}
	return unlocking, p.rulebook.Remember(ctx, a)
}

// warnOtherwise warns of what has changed besides the number. A creative that the platform
// has approved meanwhile is none of it.
func (p *protocol) warnOtherwise(before rtb.Definition) {
	differences := slices.DeleteFunc(before.Differences(p.now, p.field), func(pointer string) bool {
		return strings.HasPrefix(pointer, "/creatives/") && strings.HasSuffix(pointer, "/status") && before.Pending(pointer)
	})
	if len(differences) > 0 {
		p.job.Warnf("changed_otherwise", "the campaign differs from before in more than its %s: %s; the audit has both definitions", p.field, strings.Join(differences, ", "))
	}
}
