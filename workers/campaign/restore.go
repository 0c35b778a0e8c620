package campaign

import (
	"context"
	"errors"
	"maps"
	"slices"

	"usher"
	"usher/workers/locking"
)

// restore sets overtaken creatives to the status that their newest job wants, by steps 4
// and 5. A delivery restores once; if that is not enough, the job is retried.
//
// It assumes both locks, and that every change so far is on record. A crash
// afterwards leaves Intent.Restoring; the redelivery reads back, records what
// was restored, and restores what is missing.
func (p *protocol) restore(ctx context.Context) (state, error) {
	p.noMoreRestores = true
	intent, codes := p.intent(), slices.Sorted(maps.Keys(p.overtaken))
	if intent.Restoring == nil {
		intent.Restoring = map[string]usher.CreativeEntry{}
	}
	for _, code := range codes {
		entry := p.overtaken[code]
		intent.Restoring[code] = entry
		if entry.Order == p.job.Work.Order {
			p.job.Warnf("overtaken", "an older job set creative %s to %s after this job: restored", code, entry.Left.Status)
			continue
		}
		p.job.Warnf("superseded", "creative %s was set to %s after the newer job %s, which wanted %s: restored", code, entry.Left.Status, entry.Job, entry.Wanted)
	}
	// After a lost lease, the last look cannot save anything, but must still undo the
	// change of this job.
	if err := p.job.Save(); err != nil && !errors.Is(err, usher.ErrLeaseLost) {
		return unlocking, err
	}
	err := p.postEach(ctx, codes, func(code string) string { return intent.Restoring[code].Wanted })
	var stopped *locking.StoppedError
	if errors.As(err, &stopped) {
		err = stopped.Wait()
	}
	return p.afterPosts(err)
}
