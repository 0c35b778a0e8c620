package campaign

import (
	"context"
	"errors"
	"slices"
	"strings"

	"usher/workers"
	"usher/workers/locking"
)

// admit is step 1, first half: it reads the stop switch. While it is on, the job ends
// without a further change, so that nothing old happens when the switch is released. Only
// a job whose own change must be undone waits.
//
// It assumes nothing. A crash afterwards leaves nothing.
func (p *protocol) admit(ctx context.Context) (state, error) {
	err := p.locks.CheckSwitch(ctx)
	var stopped *locking.StoppedError
	if !errors.As(err, &stopped) {
		return lockingRedis, err
	}
	intent := p.intent()
	if intent == nil {
		p.job.Warnf("stopped", "the stop switch is on (%s): nothing was changed, and nothing will be", stopped.Reason)
		return unlocking, nil
	}
	lateFor := p.lateFor()
	switch {
	case len(p.overtaken) > 0:
		return unlocking, stopped.Wait()
	case lateFor > 0:
		return unlocking, workers.Wait(lateFor, "the stop switch is on, and a change whose response was lost may still arrive")
	}
	p.stopReason, p.noMorePosts = stopped.Reason, true
	return readingBack, nil
}

// dropOpen removes the open creatives from the intent because the stop switch is on,
// except those whose change may still show.
func (p *protocol) dropOpen() {
	mayShow := func(code string) bool {
		return p.answered[code] || p.lost != nil && slices.Contains(p.lost.creatives, code)
	}
	dropped := slices.DeleteFunc(slices.Clone(p.open), mayShow)
	if len(dropped) == 0 {
		return
	}
	isDropped := func(code string) bool { return slices.Contains(dropped, code) }
	p.intent().Changing = slices.DeleteFunc(p.intent().Changing, isDropped)
	p.open = slices.DeleteFunc(p.open, isDropped)
	p.job.Warnf("stopped", "the stop switch is on (%s): %s left as before", p.stopReason, strings.Join(dropped, ", "))
}

// lockRedis is step 1, second half: it takes the Redis lock.
//
// It assumes that the stop switch was off. A crash afterwards leaves the lock,
// which expires within 30 s.
func (p *protocol) lockRedis(ctx context.Context) (state, error) {
	if err := p.locks.LockRedis(ctx); err != nil {
		return unlocking, err
	}
	return lockingPlatform, nil
}

// lockPlatform is step 2: it takes the platform's lock.
//
// It assumes the Redis lock. A crash afterwards leaves both locks; the
// platform's expires within 5 minutes, and PUT by the same login renews it.
func (p *protocol) lockPlatform(context.Context) (state, error) {
	if err := p.locks.LockPlatform(); err != nil {
		return unlocking, err
	}
	if p.intent() != nil {
		return readingBack, nil
	}
	return intending, nil
}

// unlock is step 8: it releases both locks, if they are held.
//
// It assumes that nothing remains to be done under the locks. A crash afterwards leaves
// a complete record; the redelivery reads back, finds nothing to do and ends the job.
func (p *protocol) unlock(ctx context.Context) (state, error) {
	p.locks.Release(ctx)
	return done, nil
}
