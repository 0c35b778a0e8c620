package status

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues/lanes"
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

// Why says what the job waits for, or is about to do.
func (c *OpenChange) Why() string {
	if c.Record.Why == nil {
		return "a worker carries it out"
	}
	return *c.Record.Why
}

// OldestChange returns the oldest job on a campaign that has not ended, whatever its state, or nil
// if there is none. Its message stays on the stream until its end, so a job that runs, waits for
// a lock or for its next attempt counts like one that no worker has taken.
func (r *Reader) OldestChange(ctx context.Context) (*OpenChange, error) {
	stream, filters := lanes.Campaign.On(r.store.Names)
	leader := r.store.Leader(stream)
	var oldest *jetstream.RawStreamMsg
	for _, subject := range filters {
		m, err := leader.Next(ctx, subject, 1)
		switch {
		case errors.Is(err, jetstream.ErrMsgNotFound):
		case err != nil:
			return nil, err
		case oldest == nil || m.Time.Before(oldest.Time):
			oldest = m
		}
	}
	if oldest == nil {
		return nil, nil
	}
	m := r.records.Messages.Read(oldest.Subject, oldest.Header, oldest.Data, oldest.Sequence, oldest.Time)
	record, err := r.Record(ctx, m.ID)
	if errors.Is(err, ErrNoJob) {
		return nil, nil // it has ended meanwhile, or is no job
	}
	if err != nil {
		return nil, err
	}
	return &OpenChange{Since: oldest.Time, Target: m.Job.Target(record.Kind), Record: record}, nil
}
