package letters

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"usher"
	"usher/queues"
	"usher/queues/audit"
	"usher/queues/schema"
)

// ReplayOptions say how a plan is carried out.
type ReplayOptions struct {
	audit.Act
	Force bool // include jobs that newer jobs have superseded
	// Deadline is the time that jobs get that have a deadline, from now on, unless they have more.
	// Zero leaves out jobs whose deadline has passed.
	Deadline time.Duration
	// Pace blocks until the next job may be published. Without it, jobs are
	// published as fast as NATS accepts them.
	Pace func(context.Context) error
	// Progress, if set, is called from time to time with the report so far.
	Progress func(ReplayReport)
}

// ReplayReport is what a replay did.
type ReplayReport struct {
	Name     string `json:"replay"` // of this replay, in the header of the jobs
	Planned  int    `json:"planned"`
	Replayed int    `json:"replayed"` // jobs that were published as their next run
	Skipped  []Skip `json:"skipped"`  // the first thousand skipped letters
	Left     int    `json:"left"`     // number of skipped letters
	// FailedAgain counts replayed jobs that are dead letters again.
	FailedAgain int `json:"failedAgain"`
	// AwaitReplay sets these.
	Done      int `json:"done"`
	Cancelled int `json:"cancelled"`
}

// progressEvery is how many letters pass between two calls of Progress if the
// replay has no pace.
const progressEvery = 100

// Replay publishes the jobs of a plan's letters that still exist and to which
// there is no objection now. Of concurrent replays of one letter, one publishes
// its job. When ctx ends, Replay completes the acts that have begun and leaves the
// other letters; the plan can then be carried out again.
func (ls *Letters) Replay(ctx context.Context, plan *ReplayPlan, o ReplayOptions) (ReplayReport, error) {
	report := ReplayReport{Name: rand.Text()[:12], Planned: plan.Count, Skipped: []Skip{}}
	before, err := ls.Newest(ctx)
	if err != nil {
		return report, err
	}
	var skips Skips
	var mu sync.Mutex
	err = ls.actOnEach(ctx, plan.Filter, func(ctx context.Context, l *queues.Letter) error {
		skipped, err := ls.replay(ctx, l, o, report.Name)
		if err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		if skipped != "" {
			skips.add(l, objection{reason: skipped})
		} else {
			report.Replayed++
		}
		if o.Progress != nil && (o.Pace != nil || (report.Replayed+skips.Count)%progressEvery == 0) {
			o.Progress(report)
		}
		return nil
	})
	report.Left = skips.Count
	report.Skipped = append(report.Skipped, skips.Letters...)
	again, uncounted := ls.countAgain(context.WithoutCancel(ctx), report.Name, before)
	report.FailedAgain = again
	return report, errors.Join(err, uncounted)
}

// replay replays one letter, or returns why it skipped the letter.
func (ls *Letters) replay(ctx context.Context, l *queues.Letter, o ReplayOptions, name string) (skipped string, err error) {
	objections := objections{Letters: ls, options: o} // with nothing cached
	objection, err := objections.to(ctx, l)
	switch {
	case err != nil:
		return "", err
	case objection.replayed: // by a replay that died before it could delete the letter
		ctx, cancel := finishing(ctx)
		defer cancel()
		_, err = ls.remove(ctx, l.Seq)
		return objection.String(), err
	case objection.reason != "":
		return objection.String(), nil
	}
	if o.Pace != nil {
		if err := o.Pace(ctx); err != nil {
			return "", err
		}
	}
	if l, err = ls.extend(l, o); err != nil {
		return "", err
	}
	ctx, cancel := finishing(ctx)
	defer cancel()
	return ls.publish(ctx, l, o.Masked(), name)
}

// extend returns a letter whose job has the deadline of the options, or l itself if its job has no
// deadline, or a later one. An edit of a letter has the same effect.
func (ls *Letters) extend(l *queues.Letter, o ReplayOptions) (*queues.Letter, error) {
	var job usher.Job
	now := ls.queue.Now().UTC()
	at := now.Add(o.Deadline).Truncate(time.Second)
	if err := json.Unmarshal(l.Job, &job); err != nil || o.Deadline <= 0 || job.Deadline.IsZero() || !job.Deadline.Before(at) {
		return l, err
	}
	next, edited, err := ls.change(l, ls.Assign(map[string]string{"deadline": at.Format(time.RFC3339)}))
	switch {
	case err != nil:
		return l, err
	case next == nil:
		return l, fmt.Errorf("give job %s another deadline: %s", *l.ID, schema.Describe(edited.Issues))
	}
	act := o.Masked()
	next.Edited = &usher.Edit{Run: l.Run, By: act.Actor, At: now, Reason: act.Reason, Fields: edited.Fields}
	return next, nil
}

// publish publishes a letter's job as its next run, audits that, and deletes the
// letter. It takes effect once, however often it is repeated: the first time it
// returns "", later what became of the letter.
func (ls *Letters) publish(ctx context.Context, l *queues.Letter, act audit.Act, replay string) (skipped string, err error) {
	before, err := ls.queue.Reruns().Publish(ctx, l, replay)
	if errors.Is(err, queues.ErrOtherJob) {
		return queues.ErrOtherJob.Error(), nil
	}
	if err != nil {
		return "", err
	}
	if before {
		skipped = fmt.Sprintf("was replayed already, as run %d", l.Run+1)
	}
	// Also if it was published before, because that replay may have died before this.
	if err := ls.audit(ctx, l, act, replayed, string(usher.Queued)); err != nil {
		return "", err
	}
	_, err = ls.remove(ctx, l.Seq)
	return skipped, err
}

// countTime bounds the count of jobs that failed again.
const countTime = 10 * time.Second

// countAgain counts the letters after a number whose jobs belong to a replay.
func (ls *Letters) countAgain(ctx context.Context, replay string, after uint64) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, countTime)
	defer cancel()
	n := 0
	err := ls.each(ctx, Filter{After: after}, func(l queues.Letter) error {
		if l.Replay == replay {
			n++
		}
		return nil
	})
	return n, err
}

// minPoll is the shortest time between two counts of ended jobs.
const minPoll = 500 * time.Millisecond

// AwaitReplay blocks until the jobs of a replay have ended and adds to the report
// how they ended. It calls progress, if that is not nil, after each count.
func (ls *Letters) AwaitReplay(ctx context.Context, report *ReplayReport, progress func(ReplayReport)) error {
	for {
		began := time.Now()
		ended, err := ls.queue.Reruns().Count(ctx, report.Name)
		report.Done, report.FailedAgain, report.Cancelled = ended[usher.Done], ended[usher.Failed], ended[usher.Cancelled]
		if err != nil {
			return err
		}
		if report.Done+report.FailedAgain+report.Cancelled >= report.Replayed {
			return nil
		}
		if progress != nil {
			progress(*report)
		}
		// A count reads all records, so it may take a fifth of the time.
		if err := usher.Sleep(ctx, max(minPoll, 4*time.Since(began))); err != nil {
			return err
		}
	}
}
