package queues

import (
	"context"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues/message"
	"usher/queues/records"
	"usher/queues/store"
)

// skippedAtOnce is how many messages advance publishes before it removes them.
const skippedAtOnce = 10_000

// Reconcile makes streams and buckets that were restored from a backup consistent, before the
// lanes exist again. The streams of jobs were saved first, and their last sequences were through, by
// name, when all of the backup was saved. So the buckets may know jobs that were published in between:
//
//   - Orders of jobs are sequences of the streams. Reconcile advances the streams, so that no new
//     job has a sequence that is in use.
//   - The records of such jobs that have not ended are removed, because no message runs these
//     jobs. Otherwise they would be refused when they are published again. It returns their ids.
//   - The records of parts without a message are removed, too: when their job publishes its parts
//     again, it would not run them. Its record is set back to the time before it did.
func (q *Queue) Reconcile(ctx context.Context, through map[string]uint64) (removed []string, err error) {
	// The kinds are unknown, so that no job has them.
	for _, skipped := range []usher.Kind{"device.skipped", "rules.skipped"} {
		stream := q.names.StreamOf(skipped)
		if err := q.advance(ctx, stream, q.names.Run(skipped), through[stream]); err != nil {
			return nil, err
		}
	}
	found, err := q.findMessages(ctx)
	if err != nil {
		return nil, err
	}
	var uncut []string
	err = store.EachValue(ctx, q.state, "jobs.>", func(_ *store.Entry, j *records.Job) {
		switch id := j.Record.ID; {
		case j.State.Ended():
		case max(found.runs[id], found.cut[id]) < j.Run:
			removed = append(removed, id)
		case j.CarriedByParts() && found.cut[id] < j.Run && j.EndedParts() < j.Record.Parts.Total:
			uncut = append(uncut, id)
		}
	})
	if err != nil {
		return nil, err
	}
	for _, id := range uncut {
		err := q.records.ChangeJob(ctx, id, func(j *records.Job, found bool) bool {
			j.Bits = nil // parts that have ended are found when it is cut again
			return found
		})
		if err != nil {
			return nil, fmt.Errorf("set back job %s: %w", id, err)
		}
	}
	var keys []string
	err = store.EachValue(ctx, q.state, "parts.>", func(e *store.Entry, p *records.Part) {
		if !p.State.Ended() && !found.parts[p.Seq] {
			keys = append(keys, e.Key)
		}
	})
	if err != nil {
		return nil, err
	}
	for _, id := range removed {
		q.dropParts(ctx, id) // of a step, which its job would have to go on with
		keys = append(keys, records.KeysOf(id)...)
	}
	for _, key := range keys {
		if err := q.state.Purge(ctx, key); err != nil {
			return nil, err
		}
	}
	return removed, nil
}

// advance advances a stream of jobs to a sequence. It publishes messages on a subject.
func (q *Queue) advance(ctx context.Context, name, subject string, through uint64) error {
	stream, err := q.store.Stream(ctx, name)
	if err != nil {
		return err
	}
	for last := stream.CachedInfo().State.LastSeq; last < through; {
		n := min(through-last, skippedAtOnce)
		for range n {
			if _, err := q.js.PublishAsync(subject, nil, jetstream.WithStallWait(store.CallTime)); err != nil {
				return fmt.Errorf("advance %s: %w", name, err)
			}
		}
		select {
		case <-q.js.PublishAsyncComplete():
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if err := stream.Purge(ctx, jetstream.WithPurgeSubject(subject)); err != nil {
			return fmt.Errorf("advance %s: %w", name, err)
		}
		info, err := stream.Info(ctx)
		if err != nil {
			return err
		}
		if info.State.LastSeq <= last {
			return fmt.Errorf("advance %s: it takes no messages: raise nats.max_bytes", name)
		}
		last = info.State.LastSeq
	}
	return nil
}

// foundMessages are the messages of jobs and parts.
type foundMessages struct {
	runs  map[string]int  // the highest run of each job with a message
	cut   map[string]int  // the highest run of each cut job with a message of a part
	parts map[uint64]bool // sequences of parts
}

func (q *Queue) findMessages(ctx context.Context) (foundMessages, error) {
	found := foundMessages{runs: map[string]int{}, cut: map[string]int{}, parts: map[uint64]bool{}}
	err := q.records.EachWaiting(ctx, ">", func(m *message.Message) {
		found.runs[m.ID] = max(found.runs[m.ID], m.Run)
	})
	if err != nil {
		return found, err
	}
	err = store.EachStored(ctx, q.store.Leader(q.names.PartsStream()), q.names.Parts(">"), 1, func(m *jetstream.RawStreamMsg) bool {
		found.parts[m.Sequence] = true
		if o, err := readPartOrder(m.Data); err == nil && o.Step == "" {
			found.cut[o.ID] = max(found.cut[o.ID], o.Run)
		}
		return true
	})
	return found, err
}
