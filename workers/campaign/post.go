package campaign

import (
	"context"
	"errors"
	"time"

	"usher"
	"usher/workers/locking"
)

// lostPost is a POST whose response was lost.
type lostPost struct {
	err       error
	creatives []string
	before    time.Time // Intent.Lost before the POST
}

// post is steps 4 and 5: it posts the new status of the creatives that are
// still open, in one call if they are all of the campaign's creatives.
//
// It assumes both locks, a saved intent, and a reading under the locks. A crash
// afterwards leaves the intent and any of its changes; the redelivery reads
// back and posts what is missing.
func (p *protocol) post(ctx context.Context) (state, error) {
	p.noMorePosts = true
	var err error
	switch len(p.open) {
	case 0:
	case len(p.shown):
		err = p.postStatus(ctx, p.open, func(ctx context.Context) ([]usher.Warning, error) {
			return p.job.Platform.Campaigns.SetStatus(ctx, p.campaign(), p.wanted)
		})
	default:
		err = p.postEach(ctx, p.open, func(string) string { return p.wanted })
	}
	var stopped *locking.StoppedError
	if errors.As(err, &stopped) {
		p.stopReason = stopped.Reason
		return readingBack, nil
	}
	if err != nil {
		p.dropIntent()
	}
	return p.afterPosts(err)
}

// afterPosts returns the state after posting or restoring, which err has stopped early.
func (p *protocol) afterPosts(err error) (state, error) {
	if err != nil && !p.sent {
		return unlocking, err
	}
	if p.failure == nil {
		p.failure = err
	}
	return readingBack, nil
}

// postEach posts the status of creatives one by one. It stops at an error, and after a
// POST whose response was lost, which must be read back first.
func (p *protocol) postEach(ctx context.Context, creatives []string, wanted func(code string) string) error {
	for _, code := range creatives {
		err := p.postStatus(ctx, []string{code}, func(ctx context.Context) ([]usher.Warning, error) {
			return p.job.Platform.Creatives.SetStatus(ctx, code, wanted(code))
		})
		if err != nil || p.lost != nil {
			return err
		}
	}
	return nil
}

// postStatus makes one POST for the creatives and judges its response. A lost response
// is not an error: it is noted in p.lost and in the intent.
func (p *protocol) postStatus(ctx context.Context, creatives []string, post func(context.Context) ([]usher.Warning, error)) error {
	if err := p.locks.MayChange(ctx); err != nil {
		return err
	}
	p.sent = true
	ctx, cancel := context.WithTimeout(p.locks.Context(), locking.CallTime)
	defer cancel()
	warnings, err := post(ctx)
	if err != nil && (locking.IsLost(err) || ctx.Err() != nil) {
		intent := p.intent()
		p.lost = &lostPost{err: err, creatives: creatives, before: intent.Lost}
		if locking.MayStillArrive(err) {
			intent.Lost = p.job.Now()
		}
		return nil
	}
	return p.judge(creatives, warnings, err)
}
