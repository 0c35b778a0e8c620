package workers

import (
	"context"
	"errors"
	"fmt"
	"time"

	"usher"
	"usher/internal/rtb"
)

// Times of the campaign protocol. The platform's lock lapses after 5 minutes;
// nothing is posted, and nothing unlocked, that could meet another's lock.
const (
	callTime    = 10 * time.Second
	postUntil   = 4 * time.Minute
	unlockTill  = 4*time.Minute + 30*time.Second
	accountTime = 5 * time.Second // for what must be said of a job that was ended
	stopDelay   = 5 * time.Second
	lockDelay   = 2 * time.Second
)

// campaign sets a campaign's creatives to wanted, under Redis's lock and the
// platform's. A redelivery that finds an intent in the record begins by
// reading back what the crash left, for which it needs no lock.
func (j *job) campaign(ctx context.Context, wanted string) error {
	c := &change{job: j, ctx: ctx, wanted: wanted, said: map[string]usher.Warning{}, answered: map[string]bool{}}
	if err := c.understand(); err != nil {
		return err
	}
	if j.Progress.Intent != nil {
		if done, err := c.isDone(); done || err != nil {
			return err
		}
	}
	if err := j.notStopped(ctx); err != nil {
		return err
	}
	err := c.underLocks(c.run)
	if c.asked && lastLook(context.Cause(ctx)) {
		return c.aftermath()
	}
	return err
}

// underLocks does something under Redis's lock and the platform's.
func (c *change) underLocks(do func() error) error {
	locked, unlock, err := c.Lock(c.ctx, "campaign/"+c.Job.Campaign)
	if err != nil {
		return err
	}
	defer unlock()
	c.locked = locked
	if err := c.lock(); err != nil {
		return err
	}
	defer c.unlock()
	return do()
}

func (j *job) notStopped(ctx context.Context) error {
	reason, stopped, err := j.Stopped(ctx)
	if err != nil {
		return &usher.RetryAfter{After: stopDelay, Why: "the stop switch cannot be read, so nothing is changed", Err: err}
	}
	if stopped {
		return wait(stopDelay, "the stop switch is on: %s", reason)
	}
	return nil
}

// change is one campaign job under its locks.
type change struct {
	*job
	ctx    context.Context // the job's: reading back goes on when the lock is lost
	locked context.Context // ends when Redis's lock is lost: nothing is posted then
	wanted string
	// decided are the decisions of the rules that the job carries out, by
	// creative; nil where it is nobody's but its publisher's.
	decided map[string]usher.Ruling
	asOf    time.Time // when they were decided

	lockedAt time.Time                // of the platform's lock; zero: not ours
	said     map[string]usher.Warning // what the platform said of a creative
	answered map[string]bool          // creatives of which it said yes
	asked    bool                     // something was posted

	lost      error     // a post whose answer was lost …
	lostOn    []string  // … on these creatives
	lostSince time.Time // what the intent said of lost posts before

	overtaken map[string]usher.Word // creatives to be put back, by the word that holds
}

// lock takes the platform's lock. A refusal means that somebody else has it,
// and of a lost answer nothing is known: both wait.
func (c *change) lock() error {
	ctx, cancel := context.WithTimeout(c.locked, callTime)
	defer cancel()
	asked := c.Now()
	err := c.platform.Campaigns.Lock(ctx, c.Job.Campaign)
	var p *usher.Permanent
	switch {
	case err == nil:
		c.lockedAt = asked
		return nil
	case isNotFound(err):
		return &usher.Permanent{Class: usher.NotFound, Err: err, Hint: "check the campaign's code and the advertiser"}
	case errors.As(err, &p) && p.Class == usher.Refused:
		// Not wrapped: a Permanent inside would bury the job.
		return &usher.RetryAfter{After: lockDelay, Why: "the platform's lock on " + c.Job.Campaign + " is held by somebody else", Err: errors.New(err.Error())}
	}
	return err
}

// unlock gives the platform's lock back while it surely is ours; otherwise it
// lapses by itself.
func (c *change) unlock() {
	if c.lockedAt.IsZero() || c.Now().Sub(c.lockedAt) > unlockTill {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.ctx), accountTime)
	defer cancel()
	if err := c.platform.Campaigns.Unlock(ctx, c.Job.Campaign); err != nil {
		c.log.Warn("unlocking the campaign; its lock lapses by itself within 5 minutes", "campaign", c.Job.Campaign, "error", err)
	}
}

// isDone accounts for an intent of which no change is open, and reports whether
// nothing is left to do.
func (c *change) isDone() (bool, error) {
	now, err := c.statuses(c.ctx)
	if err != nil {
		return false, err
	}
	open, err := c.open(c.ctx, now)
	if err != nil || len(open) > 0 {
		return false, err
	}
	err = c.account(c.ctx)
	if len(c.overtaken) > 0 {
		return false, nil // to be put back under the locks
	}
	return true, err
}

// run changes what is to be changed and accounts for it.
func (c *change) run() error {
	now, err := c.statuses(c.ctx)
	if err != nil {
		return err
	}
	if c.Progress.Intent == nil {
		intent, err := c.intend(now)
		if err != nil {
			return err
		}
		c.Progress.Intent = intent
		if len(intent.Changing) > 0 {
			if err := c.saved(); err != nil {
				return err
			}
		}
	}
	posted := c.post(now)
	if posted != nil && !c.asked {
		return posted
	}
	// Whatever became of the rest: what was changed is accounted for.
	err = c.account(c.ctx)
	if len(c.overtaken) > 0 && c.lost == nil {
		err = c.putBack()
	}
	if posted != nil {
		return posted
	}
	return err
}

// post asks for every change that is still open: at once where the whole
// campaign changes, else creative by creative.
func (c *change) post(now []rtb.CreativeStatus) error {
	open, err := c.open(c.ctx, now)
	if err != nil || len(open) == 0 {
		return err
	}
	if len(open) == len(now) {
		warnings, err := c.call(func(ctx context.Context) ([]usher.Warning, error) {
			return c.platform.Campaigns.SetStatus(ctx, c.Job.Campaign, c.wanted)
		})
		return c.hear(open, warnings, err)
	}
	return c.postEach(open, func(string) string { return c.wanted })
}

// postEach asks for the creatives' changes one by one.
func (c *change) postEach(codes []string, wanted func(code string) string) error {
	for _, code := range codes {
		warnings, err := c.call(func(ctx context.Context) ([]usher.Warning, error) {
			return c.platform.Creatives.SetStatus(ctx, code, wanted(code))
		})
		err = c.hear([]string{code}, warnings, err)
		if err != nil || c.lost != nil { // lost: read back before anything else is asked for
			return err
		}
	}
	return nil
}

// call makes one post, if everything that allows it still holds.
func (c *change) call(post func(context.Context) ([]usher.Warning, error)) ([]usher.Warning, error) {
	if c.Now().Sub(c.lockedAt) > postUntil-callTime { // else it might be sent too late
		if err := c.lock(); err != nil { // a further lock: the same login renews it
			return nil, err
		}
	}
	if err := c.Breaker.Gate(); err != nil {
		return nil, err // surely not sent
	}
	if err := c.notStopped(c.ctx); err != nil {
		return nil, err
	}
	if c.locked.Err() != nil { // by the clock: our timers may be late
		return nil, gaveUp(context.Cause(c.locked))
	}
	c.asked = true
	ctx, cancel := context.WithTimeout(c.locked, callTime)
	defer cancel()
	warnings, err := post(ctx)
	if err != nil && (isLost(err) || ctx.Err() != nil) {
		c.lost, c.lostSince = err, c.Progress.Intent.Lost
		if mayStillCome(err) {
			c.Progress.Intent.Lost = c.Now()
		}
		return nil, nil
	}
	return warnings, err
}

// gaveUp is a lock lost before a post: nothing was changed, it comes again.
func gaveUp(cause error) error {
	if errors.Is(cause, usher.ErrLockLost) {
		return &usher.RetryAfter{After: lockDelay, Why: "the lock was lost before the change, so it was not made", Err: cause}
	}
	return cause
}

// isLost reports whether a post may have had its effect though its answer is
// not known.
func isLost(err error) bool {
	var down *usher.Unavailable
	return errors.As(err, &down)
}

// statuses reads the campaign's creatives. It goes on when the lock is lost:
// what was posted must be read back.
func (c *change) statuses(ctx context.Context) ([]rtb.CreativeStatus, error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	list, err := c.platform.Campaigns.Status(ctx, c.Job.Campaign)
	if err != nil {
		return nil, fmt.Errorf("read statuses of campaign %s: %w", c.Job.Campaign, err)
	}
	return list, nil
}
