package fleet

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"strconv"
	"sync"
	"time"

	"usher"
)

// Logins that have never succeeded share this many refusals in this time, so that jobs of invented
// advertisers cannot make the platform lock the user.
const (
	newcomerRefusals = 3
	newcomerTime     = 10 * time.Minute
)

// newcomers are the logins that have never succeeded. One of all workers is made at a time, and none
// after newcomerRefusals.
type newcomers struct {
	turn chan struct{} // full while this worker makes such a login

	mu      sync.Mutex
	refused []time.Time // while Redis does not answer, those of this worker only
}

func newNewcomers() *newcomers { return &newcomers{turn: make(chan struct{}, 1)} }

// errNewcomers is the error of a login that has never succeeded, beyond the shared limit.
func errNewcomers(left time.Duration) error {
	return usher.Refuse(usher.Forbidden,
		"if the advertiser's code is right, have the login linked to it, name it in platform.advertisers (with all others that jobs may name), and replay",
		"the login was not tried: no job of this advertiser has ever logged in, and the platform has refused %d logins of such advertisers in the last 10 minutes, which they share; the next one may be tried in %s",
		newcomerRefusals, max(left, time.Second).Round(time.Second))
}

// beginNewcomer blocks until it is the turn of a login that has never succeeded, and returns the function
// that ends the turn with the error of the login. It returns an error if the login must not be tried.
func (f *Fleet) beginNewcomer(ctx context.Context) (end func(error), err error) {
	n := f.newcomers
	select {
	case n.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	release := func() { <-n.turn }
	key, owner := f.key("lock:newcomer"), rand.Text()+" "+f.options.Worker
	for !f.lost.Load() {
		_, holder, err := f.acquire(ctx, key, owner, loginLock)
		if ctx.Err() != nil {
			release()
			return nil, context.Cause(ctx)
		}
		if err != nil {
			break // without Redis, this worker counts by itself
		}
		if holder == owner {
			release = func() { f.release(context.WithoutCancel(ctx), key, owner); <-n.turn }
			break
		}
		if err := usher.Sleep(ctx, loginPoll); err != nil {
			release()
			return nil, err
		}
	}
	if left := f.newcomersBlocked(ctx); left > 0 {
		release()
		return nil, errNewcomers(left)
	}
	return func(err error) {
		if err != nil && ctx.Err() == nil && isAnswered(err) {
			f.countNewcomer(ctx)
		}
		release()
	}, nil
}

// isAnswered reports whether a login has failed because of an answer of the platform that says no.
func isAnswered(err error) bool {
	var unavailable *usher.Unavailable
	var later *usher.RetryAfter
	return !errors.As(err, &unavailable) && !errors.As(err, &later) && !errors.Is(err, context.DeadlineExceeded)
}

func (f *Fleet) newcomerKey(i int) string { return f.key("newcomer:" + strconv.Itoa(i)) }

// newcomersBlocked returns for how long no login that has never succeeded may be made.
func (f *Fleet) newcomersBlocked(ctx context.Context) (left time.Duration) {
	for i := range newcomerRefusals {
		if f.lost.Load() {
			return f.newcomers.blocked(time.Now())
		}
		var life time.Duration
		err := f.request(ctx, func(ctx context.Context) (err error) {
			life, err = f.rdb.PTTL(ctx, f.newcomerKey(i)).Result()
			return err
		})
		switch {
		case err != nil:
			return f.newcomers.blocked(time.Now())
		case life <= 0:
			return 0
		case left == 0 || life < left:
			left = life
		}
	}
	return left
}

// countNewcomer counts a refused login. The keys expire in the order in which they were written only
// by chance, so that the first free one is taken.
func (f *Fleet) countNewcomer(ctx context.Context) {
	f.newcomers.count(time.Now())
	ctx = context.WithoutCancel(ctx)
	for i := range newcomerRefusals {
		if f.lost.Load() {
			return
		}
		free := false
		err := f.request(ctx, func(ctx context.Context) (err error) {
			free, err = f.rdb.SetNX(ctx, f.newcomerKey(i), 1, newcomerTime).Result()
			return err
		})
		if err != nil || free {
			return
		}
	}
}

func (n *newcomers) count(now time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.refused = append(n.refused, now)
	n.refused = n.refused[max(0, len(n.refused)-newcomerRefusals):]
}

func (n *newcomers) blocked(now time.Time) time.Duration {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.refused = slices.DeleteFunc(n.refused, func(at time.Time) bool { return now.Sub(at) >= newcomerTime })
	if len(n.refused) < newcomerRefusals {
		return 0
	}
	return newcomerTime - now.Sub(n.refused[0])
}

// hasSucceeded reports whether a login of t has ever succeeded, as far as this worker and Redis know.
func (t *Tokens) hasSucceeded(ctx context.Context) bool {
	t.mu.Lock()
	succeeded := t.succeeded
	t.mu.Unlock()
	if succeeded || t.fleet.lost.Load() {
		return succeeded
	}
	known, err := t.fleet.text(ctx, t.knownKey)
	return err == nil && known != ""
}
