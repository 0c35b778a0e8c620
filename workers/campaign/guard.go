package campaign

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"usher"
	"usher/internal/rtb"
	"usher/workers"
)

// callTime limits a call under the locks. lockDelay is the time after which a job that did
// not get them tries again, and stopDelay that after which it reads the stop switch again.
const (
	callTime  = 10 * time.Second
	lockDelay = 2 * time.Second
	stopDelay = 5 * time.Second
)

// errNoAnswer is why a call has ended that took longer than callTime.
type errNoAnswer struct{}

func (errNoAnswer) Error() string { return "no answer from the platform within " + callTime.String() }

// Is reports that the time of the call was over.
func (errNoAnswer) Is(target error) bool { return target == context.DeadlineExceeded }

// The platform's lock expires after 5 minutes. No change and no unlock is sent so
// late that it could arrive under the lock of somebody else.
const (
	changeUntil = 4 * time.Minute
	unlockUntil = 4*time.Minute + 30*time.Second
	unlockTime  = 5 * time.Second // limits the unlock
)

// locks are the two locks of a delivery on the campaign of its job. The Redis lock
// campaign/<code> excludes other workers, and the platform's lock other logins.
type locks struct {
	redis      context.Context // ends when the Redis lock is lost; nil: not held
	release    func()          // of the Redis lock
	platformAt time.Time       // when the last PUT that was answered with 200 was sent; zero: not held
}

// held reports whether the delivery has taken both locks.
func (l *locks) held() bool { return !l.platformAt.IsZero() }

// lockRedis is step 1, second half: it takes the Redis lock.
//
// It assumes that admitting let it. A crash afterwards leaves the lock, which expires within
// 30 s.
func (p *protocol) lockRedis(ctx context.Context) (state, error) {
	held, release, err := p.handler.Lock(ctx, "campaign/"+p.campaign())
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
	if p.hasIntent() {
		return readingBack, nil
	}
	return reading, nil
}

// putLock takes or renews the platform's lock. If the platform refuses it,
// somebody else has it; if the response is lost, nothing is known. The job is
// tried again in both cases, until retry.campaign_age has passed (workers/settle.go).
func (p *protocol) putLock() error {
	ctx, cancel := context.WithTimeoutCause(p.locks.redis, callTime, errNoAnswer{})
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
		// Not wrapped, because a Permanent inside would bury the job.
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

// release releases both locks, if they are held.
func (p *protocol) release(ctx context.Context) {
	p.unlockPlatform(ctx)
	if release := p.locks.release; release != nil {
		p.locks = locks{}
		release()
	}
}

// unlockPlatform releases the platform's lock. If the last PUT that was answered with 200 is
// older than unlockUntil, it sends nothing and the lock expires: a DELETE could arrive when
// somebody else has the lock.
func (p *protocol) unlockPlatform(ctx context.Context) {
	at := p.locks.platformAt
	p.locks.platformAt = time.Time{}
	if at.IsZero() || p.job.Local().Sub(at) > unlockUntil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), unlockTime)
	defer cancel()
	if err := p.job.Platform.Campaigns.Unlock(ctx, p.campaign()); err != nil {
		p.job.Log.Warn("unlocking the campaign failed; its lock expires within 5 minutes", "campaign", p.campaign(), "error", err)
	}
}

// stoppedError says that the stop switch is on. Its reason is never empty, although people may
// set the switch without one.
type stoppedError struct{ reason string }

func (e *stoppedError) Error() string { return "the stop switch is on: " + e.reason }

// wait returns the error with which a job waits until the switch is off.
func (e *stoppedError) wait() error { return workers.Wait(stopDelay, "%v", e) }

// warning says that the job ends without a change.
func (e *stoppedError) warning() usher.Warning {
	return warning(usher.WarnStopped, "the stop switch is on (%s): nothing was changed, and nothing will be", e.reason)
}

// checkSwitch returns a *stoppedError while the stop switch is on, and another error if it is
// unreadable.
func (p *protocol) checkSwitch(ctx context.Context) error {
	reason, stopped, err := p.handler.Stopped(ctx)
	if err != nil {
		return &usher.RetryAfter{After: stopDelay, Why: "the stop switch cannot be read, so nothing is changed", Err: err}
	}
	if stopped {
		return &stoppedError{cmp.Or(reason, "no reason was given")}
	}
	return nil
}

// lostCall is a call that changes the campaign and whose response was lost, so that it is
// unknown whether it had an effect.
type lostCall struct {
	err       error
	mayArrive bool // it may have an effect later
}

// call makes a call that changes the campaign, if everything holds that must hold. If a
// condition does not hold, call returns its error, and p.sent is as before. A lost response is
// not an error: it is noted in p.lost, and call reports it.
func (p *protocol) call(ctx context.Context, do func(context.Context) ([]usher.Warning, error)) (warnings []usher.Warning, lost bool, err error) {
	if err := p.mayChange(ctx); err != nil {
		return nil, false, err
	}
	p.sent = true
	ctx, cancel := context.WithTimeoutCause(p.locks.redis, callTime, errNoAnswer{})
	defer cancel()
	warnings, err = do(ctx)
	var down *usher.Unavailable
	if err != nil && (errors.As(err, &down) || ctx.Err() != nil) {
		p.lost = &lostCall{err, mayStillArrive(err)}
		return warnings, true, nil
	}
	return warnings, false, err
}

// mayChange checks immediately before a change everything that must hold: the
// platform's lock is young enough, the platform is up, the stop switch is off,
// the Redis lock is held. An error means that nothing was sent.
func (p *protocol) mayChange(ctx context.Context) error {
	if p.job.Local().Sub(p.locks.platformAt) > changeUntil-callTime { // the change could arrive too late
		if err := p.putLock(); err != nil {
			return err
		}
	}
	if err := p.handler.Gate(); err != nil {
		return err
	}
	if err := p.checkSwitch(ctx); err != nil {
		return err
	}
	redis := p.locks.redis
	if redis.Err() == nil { // goes by the clock, because timers may be late
		return nil
	}
	cause := context.Cause(redis)
	if errors.Is(cause, usher.ErrLockLost) {
		return &usher.RetryAfter{After: lockDelay, Why: "the lock was lost before the change, so it was not made", Err: cause}
	}
	return cause
}

// mayStillArrive reports whether a change whose response was lost may have an
// effect later. It cannot if the connection was never made, or if the platform
// itself has answered with a failure.
func mayStillArrive(err error) bool {
	var fault *rtb.Fault
	if errors.As(err, &fault) {
		return fault.Status == http.StatusBadGateway || fault.Status == http.StatusGatewayTimeout
	}
	var dial *net.OpError
	return !errors.As(err, &dial) || dial.Op != "dial"
}
