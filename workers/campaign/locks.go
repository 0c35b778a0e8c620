package campaign

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/workers"
)

// The platform's lock expires after 5 minutes. POSTs and the unlock are not sent so late
// that they could arrive while somebody else holds the lock.
const (
	callTime    = 10 * time.Second
	postUntil   = 4 * time.Minute
	unlockUntil = 4*time.Minute + 30*time.Second
	unlockTime  = 5 * time.Second // limits the unlock
	stopDelay   = 5 * time.Second
	lockDelay   = 2 * time.Second
)

// locks are the two locks of a delivery.
type locks struct {
	redis      context.Context // ends when the Redis lock is lost; nil: not held
	release    func()          // of the Redis lock
	platformAt time.Time       // when the last PUT that was answered with 200 was sent; zero: not held
}

// held reports whether the delivery has taken both locks.
func (l *locks) held() bool { return !l.platformAt.IsZero() }

// admit is step 1, first half: it reads the stop switch. While it is on, the job ends
// without a further change, so that nothing old happens when the switch is released. Only
// a job whose own change must be undone waits.
//
// It assumes nothing. A crash afterwards leaves nothing.
func (p *protocol) admit(ctx context.Context) (state, error) {
	err := p.checkSwitch(ctx)
	var stopped *stoppedError
	if !errors.As(err, &stopped) {
		return lockingRedis, err
	}
	intent := p.intent()
	if intent == nil {
		p.job.Warnf("stopped", "the stop switch is on (%s): nothing was changed, and nothing will be", stopped.reason)
		return unlocking, nil
	}
	lateFor := p.lateFor()
	switch {
	case len(p.overtaken) > 0:
		return unlocking, stopped.wait()
	case lateFor > 0:
		return unlocking, workers.Wait(lateFor, "the stop switch is on, and a change whose response was lost may still arrive")
	}
	p.stopReason, p.posted = stopped.reason, true
	return readingBack, nil
}

// stoppedError means that the stop switch is on.
type stoppedError struct{ reason string }

func (e *stoppedError) Error() string { return "the stop switch is on: " + e.reason }

// wait returns the error with which a job waits until the switch is off.
func (e *stoppedError) wait() error { return workers.Wait(stopDelay, "%v", e) }

// dropOpen removes the open creatives from the intent because the stop switch is on,
// except those whose change may still show.
func (p *protocol) dropOpen() {
	mayShow := func(code string) bool {
		return p.accepted[code] || p.lost != nil && slices.Contains(p.lost.creatives, code)
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

// checkSwitch returns a *stoppedError while the stop switch is on, and another error if
// it is unreadable.
func (p *protocol) checkSwitch(ctx context.Context) error {
	reason, stopped, err := p.stopped(ctx)
	if err != nil {
		return &usher.RetryAfter{After: stopDelay, Why: "the stop switch cannot be read, so nothing is changed", Err: err}
	}
	if stopped {
		return &stoppedError{reason}
	}
	return nil
}

// lockRedis is step 1, second half: it takes the Redis lock.
//
// It assumes that the stop switch was off. A crash afterwards leaves the lock,
// which expires within 30 s.
func (p *protocol) lockRedis(ctx context.Context) (state, error) {
	held, release, err := p.redisLock(ctx, "campaign/"+p.campaign())
	if err != nil {
		return unlocking, err
	}
	p.locks = locks{redis: held, release: release}
	return lockingPlatform, nil
}

// lockPlatform is step 2: it takes the platform's lock.
//
// It assumes the Redis lock. A crash afterwards leaves both locks; the
// platform's expires within 5 minutes, and PUT by the same login renews it.
func (p *protocol) lockPlatform(context.Context) (state, error) {
	if err := p.putLock(); err != nil {
		return unlocking, err
	}
	if p.intent() != nil {
		return readingBack, nil
	}
	return intending, nil
}

// putLock takes or renews the platform's lock. If the platform refuses it, somebody else
// holds it; if the response is lost, it is unknown who does. The job is retried later in
// both cases.
func (p *protocol) putLock() error {
	ctx, cancel := context.WithTimeout(p.locks.redis, callTime)
	defer cancel()
	sent := p.job.Local()
	err := p.job.Platform.Campaigns.Lock(ctx, p.campaign())
	var permanent *usher.Permanent
	switch {
	case err == nil:
		p.locks.platformAt = sent
		return nil
	case workers.IsNotFound(err):
		return &usher.Permanent{Class: usher.NotFound, Err: err, Hint: "check the campaign's code and the advertiser"}
	case errors.As(err, &permanent) && permanent.Class == usher.Refused:
		// Not wrapped, because the job would fail for good if this wrapped a Permanent.
		return &usher.RetryAfter{After: lockDelay, Why: "the platform's lock on " + p.campaign() + " is held by somebody else", Err: errors.New(err.Error())}
	}
	return err
}

// unlock is step 8: it releases both locks, if they are held.
//
// It assumes that nothing remains to be done under the locks. A crash afterwards leaves
// a complete record; the redelivery reads back, finds nothing to do and ends the job.
func (p *protocol) unlock(ctx context.Context) (state, error) {
	p.release(ctx)
	return done, nil
}

// release releases the locks that are held. The platform's lock is left to expire if
// somebody else may hold it by now.
func (p *protocol) release(ctx context.Context) {
	l := p.locks
	p.locks = locks{}
	if l.held() && p.job.Local().Sub(l.platformAt) <= unlockUntil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), unlockTime)
		defer cancel()
		if err := p.job.Platform.Campaigns.Unlock(ctx, p.campaign()); err != nil {
			p.job.Log.Warn("unlocking the campaign failed; its lock expires within 5 minutes", "campaign", p.campaign(), "error", err)
		}
	}
	if l.release != nil {
		l.release()
	}
}
