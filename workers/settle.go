package workers

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"usher"
	"usher/internal/rtb"
)

// Limits bound the attempts of a job that does not succeed. Zero values mean the
// defaults. A campaign job is tried again every FirstRetry until CampaignAge ends, because it is
// small, and money is spent until it is done.
type Limits struct {
	Attempts    int           // default 8; not of campaign jobs
	FirstRetry  time.Duration // default 5 s, doubled for each further attempt
	LastRetry   time.Duration // maximum of these delays; default 10 min
	Age         time.Duration // maximum time since the job was published; default 24 h
	CampaignAge time.Duration // the same for campaign jobs; default 1 h, because a late pause is worse than none
}

func (l Limits) withDefaults() Limits {
	l.Attempts = cmp.Or(l.Attempts, 8)
	l.FirstRetry = cmp.Or(l.FirstRetry, 5*time.Second)
	l.LastRetry = cmp.Or(l.LastRetry, 10*time.Minute)
	l.Age = cmp.Or(l.Age, 24*time.Hour)
	l.CampaignAge = cmp.Or(l.CampaignAge, time.Hour)
	return l
}

// downDelay is the delay of work that is returned to the queue while the platform is
// down. It is about the interval of the breaker's probes.
const downDelay = 5 * time.Second

// settle is the table of what happens to a job after its handler returned err.
func (j *Job) settle(err error) error {
	var permanent *usher.Permanent
	var later *usher.RetryAfter
	switch {
	case j.split, j.snoozed:
		return err
	case err == nil:
		return j.end(usher.Done, nil)
	case errors.Is(err, usher.ErrLeaseLost), errors.Is(err, usher.ErrShutdown):
		return j.retry(0, usher.WaitsForSlot, false)
	case errors.Is(err, usher.ErrCancelled), errors.Is(err, usher.ErrEnding):
		return j.end(usher.Cancelled, nil)
	case errors.Is(err, usher.ErrDeadline):
		return j.bury(usher.Deadline, err, "publish it again with a later deadline, or none")
	case errors.As(err, &permanent):
		return j.bury(permanent.Class, err, permanent.Hint)
	case rtb.IsDown(err) && j.worker.Breaker.Open(): // at any age, because an outage must not fail jobs
		why := err.Error()
		if !errors.Is(err, usher.ErrUnauthorized) {
			why = "the platform is down: " + why
		}
		return j.retry(jitter(downDelay), why, false)
	case j.tooOld():
		return j.buryExhausted(fmt.Errorf("not done %s after it was published: %w", j.maxAge(), err))
	case errors.As(err, &later):
		return j.retry(jitter(later.After), later.Why, false)
	case j.Work.Attempts >= j.worker.Limits.Attempts && !j.isCampaign():
		return j.buryExhausted(fmt.Errorf("%d attempts, the last one: %w", j.Work.Attempts, err))
	case errors.Is(err, usher.ErrSlowSource):
		return j.retry(max(j.backoff(), jitter(slowDelay)), err.Error(), true)
	default:
		return j.retry(j.backoff(), err.Error(), true)
	}
}

// slowDelay is the shortest delay after an attempt whose source was too slow. It is as long as a source
// may be slow, so that slow sources take at most half of the time of the slots.
const slowDelay = time.Minute

// retry returns the work to the queue, for redelivery after the delay or at the
// job's deadline, whichever comes first, so that the job fails at its deadline.
func (j *Job) retry(after time.Duration, why string, counts bool) error {
	if deadline := j.Work.Job.Deadline; !deadline.IsZero() {
		after = min(after, max(deadline.Sub(j.Now()), time.Millisecond))
	}
	return j.Lease.Retry(j.Work.Progress, after, why, counts)
}

func (j *Job) end(state usher.State, failure *usher.JobError) error {
	e := usher.Ending{State: state, Error: failure, Progress: j.Work.Progress}
	if j.readSize != nil && !j.Work.Job.DryRun {
		e.ReadSize = j.readSize
	}
	e.CountNew = j.countNew
	return j.Lease.End(e)
}

func (j *Job) bury(class usher.Class, err error, hint string) error {
	return j.end(usher.Failed, &usher.JobError{Class: class, Message: err.Error(), Hint: hint})
}

func (j *Job) buryExhausted(err error) error {
	if errors.Is(err, usher.ErrUnauthorized) {
		return j.bury(usher.Unauthorized, err, "check platform.username, platform.password and the advertiser; then replay it")
	}
	if errors.Is(err, usher.ErrSlowSource) {
		return j.bury(usher.SourceBroken, err, "have its server deliver faster, or set sources.min_rate lower; then replay it")
	}
	return j.bury(usher.Exhausted, err, "replay it once the cause is fixed")
}

func (j *Job) isCampaign() bool { return j.Work.Kind.Family() == "campaign" }

func (j *Job) maxAge() time.Duration {
	if j.isCampaign() {
		return j.worker.Limits.CampaignAge
	}
	return j.worker.Limits.Age
}

func (j *Job) tooOld() bool { return j.Now().Sub(j.Work.Published) > j.maxAge() }

// backoff returns the delay before the next attempt.
func (j *Job) backoff() time.Duration {
	if j.isCampaign() {
		return jitter(j.worker.Limits.FirstRetry)
	}
	delay := j.worker.Limits.FirstRetry << min(max(j.Work.Attempts-1, 0), 20)
	return jitter(min(delay, j.worker.Limits.LastRetry))
}

// jitter adds up to a fifth to a delay, so that jobs that failed together are not all
// retried at once. It never shortens the delay.
func jitter(d time.Duration) time.Duration {
	return d + time.Duration(rand.Float64()*float64(d)/5) //nolint:gosec // not used for security
}
