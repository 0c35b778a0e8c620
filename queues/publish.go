package queues

import (
	"context"
	"encoding/json"
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
		msg := &nats.Msg{Subject: q.names.Job(j.Kind), Data: data}
		future, err := q.js.PublishMsgAsync(msg, jetstream.WithMsgID(j.Job.ID), jetstream.WithStallWait(store.CallTime))
		if err != nil {
			return fmt.Errorf("publish job %s: %w", j.Job.ID, err)
		}
		sent = append(sent, future)
	}
	for i, future := range sent {
		select {
		case <-future.Ok():
		case err := <-future.Err():
			return fmt.Errorf("publish job %s: %w", jobs[i].Job.ID, err)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}
