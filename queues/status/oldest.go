package status

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues/lanes"
	"usher/queues/store"
)

// OpenChange is a job on a campaign that has not ended: what it wants was not read back from the
// platform yet.
type OpenChange struct {
	Since  time.Time // when this run of the job was published
	Target string
	Record usher.Record
}

// lateAfter is how long a change may take until people see that it is late.
const lateAfter = 30 * time.Second

// Late reports whether the change takes longer than it should.
func (c *OpenChange) Late(now time.Time) bool { return now.Sub(c.Since) > lateAfter }

// Says says what is not in effect: "The pause of campaign SANDBOX1-x is not in effect".
func (c *OpenChange) Says() string {
	_, verb, _ := strings.Cut(string(c.Record.Kind), ".")
	return "The " + verb + " of " + c.Target + " is not in effect"
}

// ChangeHint says what follows from a change that is late, and what to do.
const ChangeHint = "Until it is, the campaign goes on as before. If that cannot wait, act on the platform itself."

// Why says what the job waits for, or is about to do.
func (c *OpenChange) Why() string {
	if c.Record.Why == nil {
		return "a worker carries it out"
	}
	return *c.Record.Why
}

// maxStray is how many messages that are no jobs are passed over. A worker that gets them removes
// them.
const maxStray = 100

// OldestChange returns the oldest job on a campaign that has not ended, whatever its state, or nil
// if there is none. Its message stays on the stream until its end, so a job that runs, waits for
// a lock or for its next attempt counts like one that no worker has taken.
func (r *Reader) OldestChange(ctx context.Context) (oldest *OpenChange, err error) {
	stream, filters := lanes.Campaign.On(r.store.Names)
	for _, subject := range filters {
		c, err := r.oldestOn(ctx, r.store.Leader(stream), subject)
		if err != nil {
			return nil, err
		}
		if c != nil && (oldest == nil || c.Since.Before(oldest.Since)) {
			oldest = c
		}
	}
	return oldest, nil
}

// oldestOn returns the oldest job on a subject, or nil.
func (r *Reader) oldestOn(ctx context.Context, leader store.Leader, subject string) (*OpenChange, error) {
	from := uint64(1)
	for range maxStray {
		raw, err := leader.Next(ctx, subject, from)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		m := r.records.Messages.Read(raw.Subject, raw.Header, raw.Data, raw.Sequence, raw.Time)
		record, err := r.Record(ctx, m.ID)
		switch {
		case err == nil:
			return &OpenChange{Since: raw.Time, Target: m.Job.Target(record.Kind), Record: record}, nil
		case !errors.Is(err, ErrNoJob):
			return nil, err
		}
		from = raw.Sequence + 1 // it has ended meanwhile, or is no job
	}
	return nil, nil
}
