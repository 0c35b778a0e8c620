package queues

import (
	"context"
	"fmt"
	"time"

	"usher"
	"usher/queues/message"
	"usher/queues/records"
	"usher/queues/targets"
)

// Turn returns what the lease's job must wait for on its target, or "" if it may work
// now. A job that must wait is to be returned by Retry.
func (l *Lease) Turn(ctx context.Context) (waitsFor string, err error) {
	j := l.job
	if j == nil {
		return "", nil // a part runs in its job's turn
	}
	if l.inTurnOf != nil {
		return "", nil
	}
	m, order := l.message, l.q.targets
	if !m.Kind.Exclusive() {
		before, err := order.BeforeAdd(ctx, j, m)
		if before == nil {
			return "", err
		}
		return waitsForBlocker(before, m), nil
	}
	if l.hasTurn, err = order.KeepsTurn(ctx, j, m); l.hasTurn || err != nil {
		return "", err
	}
	if err := order.Join(ctx, j); err != nil {
		return "", err
	}
	before, err := order.Before(ctx, j, m)
	if l.hasTurn = before == nil && err == nil; l.hasTurn {
		return "", nil
	}
	order.Leave(ctx, j)
	if err != nil {
		return "", err
	}
	return waitsForBlocker(before, m), nil
}

func waitsForBlocker(b *targets.Blocker, m *message.Message) string {
	return fmt.Sprintf("waits for job %s on %s", b.ID, m.Job.Target(m.Kind))
}

// Delays of a job that waits on its target. They grow with the number of jobs ahead and
// with the time that a check takes, so that a long queue moves quickly and all its checks
// together take less than the time of one slot: NATS delivers messages again before it
// delivers new ones, so that more checks would keep new jobs out.
const (
	delayPerJob    = 20 * time.Millisecond
	maxDelayPerJob = time.Second
	checksPerDelay = 16 // the delay per job is as long as so many checks, within these bounds
	minDelay       = 50 * time.Millisecond
	maxDelay       = 5 * time.Minute
)

// Bounds of the delay while the job in front runs: a quarter of its time so far, within
// them. The next job must not wait long after one that took long.
const (
	maxRunningDelayPerJob = 250 * time.Millisecond
	minRunningDelay       = 500 * time.Millisecond
	maxRunningDelay       = 10 * time.Second
	shareOfTimeSoFar      = 4
)

// checkDelay returns the time after which a job that must wait for b checks again, if a
// check takes a time of check.
func checkDelay(b *targets.Blocker, now time.Time, check time.Duration) time.Duration {
	perJob := min(max(checksPerDelay*check, delayPerJob), maxDelayPerJob)
	delay := time.Duration(b.Ahead) * perJob
	if b.Started != nil {
		limit := min(max(time.Duration(b.Ahead)*maxRunningDelayPerJob, minRunningDelay), maxRunningDelay)
		delay = max(delay, min(now.Sub(*b.Started)/shareOfTimeSoFar, limit))
	}
	return min(max(delay, minDelay), maxDelay)
}

// mustWait returns what a job must wait for on its target, and how long before it checks
// again. It returns nil if the job may be taken, or must be taken because it is past its
// deadline or age.
func (q *Queue) mustWait(ctx context.Context, m *message.Message, j *records.Job) (*targets.Blocker, time.Duration, error) {
	if !targets.Ordered(m.Kind) || j.Holder != "" || j.Verdict != nil || q.now().Sub(j.Published) > q.options.Age {
		return nil, 0, nil
	}
	begun := time.Now()
	if keeps, err := q.targets.KeepsTurn(ctx, j, m); keeps || err != nil {
		return nil, 0, err
	}
	before, err := q.targets.Before(ctx, j, m)
	if err != nil || before == nil {
		return nil, 0, err
	}
	if j.Record.Started != nil {
		// A redelivered job that runs alone may still be in the register. The job that must
		// run first would wait for it, and it for that job.
		q.targets.Leave(ctx, j)
	}
	delay := checkDelay(before, q.now(), time.Since(begun))
	if deadline := m.Job.Deadline; !deadline.IsZero() {
		if left := deadline.Sub(q.now()); left <= 0 {
			return nil, 0, nil // it is taken and ends as deadline
		} else if left < delay {
			delay = left
		}
	}
	return before, delay, nil
}

// wait returns the delivery to the queue, and notes in the record what the job waits for.
// It writes nothing while the job waits for the same job, which is the one right before
// it, so that a long queue is cheap.
func (t *taking) wait(ctx context.Context, before *targets.Blocker, delay time.Duration) error {
	j := &t.job
	why := waitsForBlocker(before, t.message)
	if j.Record.Why == nil || *j.Record.Why != why {
		if j.State != usher.Retrying {
			j.State = usher.Queued
		}
		j.Record.Why, j.Record.Retry = &why, nil
		t.q.records.Refresh(j)
		if _, err := t.q.state.CompareAndSet(ctx, records.JobKey(t.message.ID), j, t.revision); err != nil {
			return err
		}
		t.q.records.Announce(ctx, j)
	}
	return t.delivery.nak(delay)
}
