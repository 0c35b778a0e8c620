package queues

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"usher"
	"usher/queues/store"
)

// NewJob is a job that usher publishes itself.
type NewJob struct {
	Kind usher.Kind
	Job  usher.Job // with an ID
}

// PublishJobs publishes jobs and returns once all are stored. Repeating it has no
// effect: a job runs once for each ID.
func (q *Queue) PublishJobs(ctx context.Context, jobs []NewJob) error {
	var sent []jetstream.PubAckFuture
	for _, j := range jobs {
		data, err := json.Marshal(j.Job)
		if err != nil {
			return fmt.Errorf("encode job %s: %w", j.Job.ID, err)
		}
		msg := &nats.Msg{Subject: q.names.Run(j.Kind), Data: data}
		future, err := q.js.PublishMsgAsync(msg, jetstream.WithMsgID(j.Job.ID), jetstream.WithStallWait(store.CallTime))
		if err != nil {
			return fmt.Errorf("publish job %s: %w", j.Job.ID, err)
		}
		sent = append(sent, future)
	}
	var recording errgroup.Group
	recording.SetLimit(maxReads)
	defer func() { _ = recording.Wait() }() // no recording fails
	for i, future := range sent {
		id := jobs[i].Job.ID
		ack, err := q.store.Await(ctx, future)
		if err == nil {
			ack, err = q.publishAnyway(ctx, future.Msg(), ack, q.publishedByUsher(id))
		}
		if err != nil {
			return fmt.Errorf("publish job %s: %w", id, err)
		}
		if !ack.Duplicate && !usher.ReservedID(id) {
			recording.Go(func() error { q.recordPublished(ctx, future.Msg(), ack.Sequence); return nil })
		}
	}
	return nil
}

// recordPublished records a job whose id a publisher might use, too: the first job on record has
// the id, also if another one has waited longer.
func (q *Queue) recordPublished(ctx context.Context, msg *nats.Msg, seq uint64) {
	if m := q.messages.Read(msg.Subject, msg.Header, msg.Data, seq, q.now()); m.Invalid == nil {
		q.recordQueued(ctx, m)
	}
}

// publishedByUsher takes a message for that of the job if usher has published it.
func (q *Queue) publishedByUsher(id string) published {
	return published{
		is: func(first *jetstream.RawStreamMsg) bool {
			_, ours := q.names.Kind(first.Subject)
			return ours
		},
		onRecord: func(ctx context.Context) (found bool, err error) {
			_, found, err = q.Reruns().Latest(ctx, id)
			return found, err
		},
	}
}

// published decides whether the first message with a job's message ID is of the same job. A
// publisher may have used the ID for another one, and NATS then drops the job as a duplicate.
type published struct {
	is       func(first *jetstream.RawStreamMsg) bool
	onRecord func(context.Context) (bool, error) // if the first message has left the stream
}

// publishAnyway publishes a message again, without its ID, if NATS dropped it as a duplicate of
// another job's message. It returns the ack of the message, which is a duplicate only if the job
// was published before.
func (q *Queue) publishAnyway(ctx context.Context, msg *nats.Msg, ack *jetstream.PubAck, before published) (*jetstream.PubAck, error) {
	if !ack.Duplicate {
		return ack, nil
	}
	var known bool
	first, err := q.store.Leader(ack.Stream).Message(ctx, ack.Sequence)
	switch {
	case err == nil:
		known = before.is(first)
	case errors.Is(err, jetstream.ErrMsgNotFound): // its job has ended
		known, err = before.onRecord(ctx)
	}
	if err != nil || known {
		return ack, err
	}
	msg.Header.Del(jetstream.MsgIDHeader)
	return q.store.Publish(ctx, msg)
}
