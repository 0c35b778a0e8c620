package bidding

import (
	"context"
	"errors"

	"usher/workers/locking"
)

// admit reads the stop switch. While it is on, nothing more is changed; what this job has
// changed already is still recorded.
//
// It assumes nothing. A crash afterwards leaves nothing.
func (p *protocol) admit(ctx context.Context) (state, error) {
	err := p.locks.CheckSwitch(ctx)
	var stopped *locking.StoppedError
	if !errors.As(err, &stopped) {
		return lockingRedis, err
	}
	p.refusal = stoppedWarning(stopped)
	if p.intent() == nil {
		return dropping, nil
	}
	return lockingRedis, nil
}

// lockRedis takes the Redis lock.
//
// It assumes nothing. A crash afterwards leaves the lock, which expires within 30 s.
func (p *protocol) lockRedis(ctx context.Context) (state, error) {
	return lockingPlatform, p.locks.LockRedis(ctx)
}

// lockPlatform takes the platform's lock.
//
// It assumes the Redis lock. A crash afterwards leaves both locks; the
// platform's expires within 5 minutes, and PUT by the same login renews it.
func (p *protocol) lockPlatform(context.Context) (state, error) {
	return reading, p.locks.LockPlatform()
}

// unlock releases both locks, if they are held.
//
// It assumes that nothing is left to do under the locks. A crash afterwards leaves a
// complete record.
func (p *protocol) unlock(ctx context.Context) (state, error) {
	p.locks.Release(ctx)
	return done, nil
}
