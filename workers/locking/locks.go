package locking

import (
	"context"
	"errors"
	"time"

	"usher"
	"usher/workers"
)

// CallTime limits a call under the locks. Delay is the time after which a job that did not
// get them tries again.
const (
	CallTime = 10 * time.Second
	Delay    = 2 * time.Second
)

// The platform's lock expires after 5 minutes. No change and no unlock is sent so
// late that it could arrive under the lock of somebody else.
const (
	changeUntil = 4 * time.Minute
	unlockUntil = 4*time.Minute + 30*time.Second
	unlockTime  = 5 * time.Second // limits the unlock
)

// Locks are the two locks of a delivery on the campaign of its job. The exported fields
// are set before the first call.
type Locks struct {
	Job *workers.Job
	// Lock takes a lock that excludes other workers. The context that it returns
	// ends when the lock is lost. If another worker holds the lock, the error is
	// a *usher.RetryAfter.
	Lock func(ctx context.Context, name string) (context.Context, func(), error)
	// Stopped reads the stop switch.
	Stopped func(ctx context.Context) (reason string, stopped bool, err error)
	// Gate returns an error while the platform is known to be down.
	Gate func() error

	redis      context.Context // ends when the Redis lock is lost; nil: not held
	release    func()          // of the Redis lock
	platformAt time.Time       // when the last PUT that was answered with 200 was sent; zero: not held
}

// Held reports whether the delivery has taken both locks.
func (l *Locks) Held() bool { return !l.platformAt.IsZero() }

// Context returns a context that ends when the Redis lock, which is held, is lost.
func (l *Locks) Context() context.Context { return l.redis }

// LockRedis takes the Redis lock.
func (l *Locks) LockRedis(ctx context.Context) error {
	held, release, err := l.Lock(ctx, "campaign/"+l.campaign())
	if err != nil {
		return err
	}
	l.redis, l.release, l.platformAt = held, release, time.Time{}
	return nil
}

// LockPlatform takes or renews the platform's lock. If the platform refuses it,
// somebody else has it; if the response is lost, nothing is known. The job is
// retried later in both cases.
func (l *Locks) LockPlatform() error {
	ctx, cancel := context.WithTimeout(l.redis, CallTime)
	defer cancel()
	sent := l.Job.Local()
	err := l.Job.Platform.Campaigns.Lock(ctx, l.campaign())
	var permanent *usher.Permanent
	switch {
	case err == nil:
		l.platformAt = sent
		return nil
	case workers.IsNotFound(err):
		return &usher.Permanent{Class: usher.NotFound, Err: err, Hint: "check the campaign's code and the advertiser"}
	case errors.As(err, &permanent) && permanent.Class == usher.Refused:
		// Not wrapped, because a Permanent inside would bury the job.
		return &usher.RetryAfter{After: Delay, Why: "the platform's lock on " + l.campaign() + " is held by somebody else", Err: errors.New(err.Error())}
	}
	return err
}

// MayChange checks immediately before a change everything that must hold: the
// platform's lock is young enough, the platform is up, the stop switch is off,
// the Redis lock is held. An error means that nothing was sent.
func (l *Locks) MayChange(ctx context.Context) error {
	if l.Job.Local().Sub(l.platformAt) > changeUntil-CallTime { // the change could arrive too late
		if err := l.LockPlatform(); err != nil {
			return err
		}
	}
	if err := l.Gate(); err != nil {
		return err
	}
	if err := l.CheckSwitch(ctx); err != nil {
		return err
	}
	if l.redis.Err() != nil { // goes by the clock, because timers may be late
		return lockLost(context.Cause(l.redis))
	}
	return nil
}

// lockLost turns the loss of the Redis lock before a change into a retry.
func lockLost(cause error) error {
	if errors.Is(cause, usher.ErrLockLost) {
		return &usher.RetryAfter{After: Delay, Why: "the lock was lost before the change, so it was not made", Err: cause}
	}
	return cause
}

// Unlock releases the platform's lock. If the last PUT that was answered with 200 is older
// than unlockUntil, Unlock sends nothing and the lock expires: a DELETE could arrive when
// somebody else has the lock.
func (l *Locks) Unlock(ctx context.Context) {
	at := l.platformAt
	l.platformAt = time.Time{}
	if at.IsZero() || l.Job.Local().Sub(at) > unlockUntil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), unlockTime)
	defer cancel()
	if err := l.Job.Platform.Campaigns.Unlock(ctx, l.campaign()); err != nil {
		l.Job.Log.Warn("unlocking the campaign failed; its lock expires within 5 minutes", "campaign", l.campaign(), "error", err)
	}
}

// Release releases both locks, if they are held.
func (l *Locks) Release(ctx context.Context) {
	l.Unlock(ctx)
	if release := l.release; release != nil {
		l.redis, l.release = nil, nil
		release()
	}
}

func (l *Locks) campaign() string { return l.Job.Work.Job.Campaign }
