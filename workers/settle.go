package workers

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"usher"
	"usher/internal/rtb"
)

// Limits are when a job that does not succeed is given up. Zero values stand
// for the defaults.
type Limits struct {
	Attempts    int           // default 8
	FirstRetry  time.Duration // default 5 s, doubling …
	LastRetry   time.Duration // … up to 10 min; jittered by a fifth
	Age         time.Duration // default 24 h from its publish
	CampaignAge time.Duration // default 1 h: an old pause is worse than none
	Late        time.Duration // default 10 s: how long a change may be under way after its answer was lost
}

func (l Limits) withDefaults() Limits {
	l.Attempts = orDefault(l.Attempts, 8)
	l.FirstRetry = orDefault(l.FirstRetry, 5*time.Second)
	l.LastRetry = orDefault(l.LastRetry, 10*time.Minute)
	l.Age = orDefault(l.Age, 24*time.Hour)
	l.CampaignAge = orDefault(l.CampaignAge, time.Hour)
	l.Late = orDefault(l.Late, 10*time.Second)
	return l
}

func orDefault[T comparable](v, fallback T) T {
	var zero T
	if v == zero {
		return fallback
	}
	return v
}

// downDelay is how long work given back while the platform is down stays
// away: about as long as a probe takes to find it up again.
const downDelay = 5 * time.Second

// settle is the one table: what the handler returned, and what happens then.
func (j *job) settle(err error) error {
	var permanent *usher.Permanent
	var later *usher.RetryAfter
	switch {
	case j.split:
		return err
	case err == nil:
		return j.end(usher.Done, nil)
	case errors.Is(err, usher.ErrLeaseLost):
		return j.again(0, usher.WaitsForSlot, false) // not ours to settle: only given back
	case errors.Is(err, usher.ErrShutdown):
		return j.again(0, usher.WaitsForSlot, false)
	case errors.Is(err, usher.ErrCancelled), errors.Is(err, usher.ErrEnding):
		return j.end(usher.Cancelled, nil)
	case errors.Is(err, usher.ErrDeadline):
		return j.bury(usher.Deadline, err, "publish it again with a later deadline, or none")
	case errors.As(err, &permanent):
		return j.bury(permanent.Class, err, permanent.Hint)
	case rtb.IsDown(err) && j.Breaker.Open(): // however old: an outage buries nothing
		return j.again(jitter(downDelay), "the platform is down: "+err.Error(), false)
	case j.tooOld():
		return j.bury(usher.Exhausted, fmt.Errorf("not done %s after it was published: %w", j.age(), err),
			"replay it once the cause is mended")
	case errors.As(err, &later):
		return j.again(jitter(later.After), later.Why, false)
	case j.Attempts >= j.Limits.Attempts:
		return j.exhausted(err)
	default:
		return j.again(j.backoff(), err.Error(), true)
	}
}

// again gives the work back to come again: at its deadline at the latest, to be
// buried in time.
func (j *job) again(after time.Duration, why string, counts bool) error {
	if deadline := j.Job.Deadline; !deadline.IsZero() {
		after = min(after, max(deadline.Sub(j.Now()), time.Millisecond))
	}
	return j.Retry(j.Progress, after, why, counts)
}

func (j *job) end(state usher.State, failure *usher.JobError) error {
	e := usher.Ending{State: state, Error: failure, Progress: j.Progress}
	if j.after != nil && !j.Job.DryRun {
		e.After = j.after
	}
	return j.End(e)
}

func (j *job) bury(class usher.Class, err error, hint string) error {
	return j.end(usher.Failed, &usher.JobError{Class: class, Message: err.Error(), Hint: hint})
}

func (j *job) exhausted(err error) error {
	if errors.Is(err, usher.ErrUnauthorized) {
		return j.bury(usher.Unauthorized, err, "check platform.username, platform.password and the advertiser; then replay it")
	}
	return j.bury(usher.Exhausted, fmt.Errorf("%d attempts, the last one: %w", j.Attempts, err), "replay it once the cause is mended")
}

func (j *job) age() time.Duration {
	if j.Kind.Family() == "campaign" {
		return j.Limits.CampaignAge
	}
	return j.Limits.Age
}

func (j *job) tooOld() bool { return j.Now().Sub(j.Published) > j.age() }

// backoff is how long the next attempt waits.
func (j *job) backoff() time.Duration {
	wait := j.Limits.FirstRetry << min(max(j.Attempts-1, 0), 20)
	return jitter(min(wait, j.Limits.LastRetry))
}

// jitter spreads a delay by a fifth upwards, so that what failed together does
// not come back together, and never before it may.
func jitter(d time.Duration) time.Duration {
	return d + time.Duration(rand.Float64()*float64(d)/5) //nolint:gosec // jitter is no secret
}
