package queues

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

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
	for i, future := range sent {
		select {
		case ack := <-future.Ok():
			if err := q.publishAnyway(ctx, future.Msg(), ack, jobs[i].Job.ID); err != nil {
				return fmt.Errorf("publish job %s: %w", jobs[i].Job.ID, err)
			}
		case err := <-future.Err():
			return fmt.Errorf("publish job %s: %w", jobs[i].Job.ID, err)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// publishAnyway publishes a job again, without its message ID, if NATS dropped it as a
// duplicate of another message: a publisher may have used the ID.
func (q *Queue) publishAnyway(ctx context.Context, msg *nats.Msg, ack *jetstream.PubAck, id string) error {
	if !ack.Duplicate {
		return nil
	}
	var known bool
	switch first, err := q.store.Leader(q.names.JobsStream()).Message(ctx, ack.Sequence); {
	case err == nil:
		_, known = q.names.Kind(first.Subject)
	case errors.Is(err, jetstream.ErrMsgNotFound): // its job has ended
		if _, known, err = q.Reruns().Latest(ctx, id); err != nil {
			return err
		}
	default:
		return err
	}
	if known {
		return nil
	}
	_, err := q.js.PublishMsg(ctx, &nats.Msg{Subject: msg.Subject, Data: msg.Data})
	return err
}
