package queues

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues/message"
	"usher/queues/store"
)

type rawMessage = jetstream.RawStreamMsg

// eachMessage calls visit with the messages of a subject, starting at a sequence, until
// visit returns false.
func eachMessage(ctx context.Context, stream jetstream.Stream, subject string, from uint64, visit func(*rawMessage) bool) error {
	for {
		m, err := stream.GetMsg(ctx, from, jetstream.WithGetMsgSubject(subject))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read stream of %s: %w", subject, err)
		}
		if !visit(m) {
			return nil
		}
		from = m.Sequence + 1
	}
}

// eachWaiting calls visit with every message of a kind on the stream of jobs, waiting or
// running, until visit returns false. The kind may hold wildcards. A message leaves the
// stream when its job ends, so there are usually few.
func (q *Queue) eachWaiting(ctx context.Context, kind usher.Kind, visit func(*message.Message) bool) error {
	stream, err := q.js.Stream(ctx, q.names.JobsStream())
	if err != nil {
		return fmt.Errorf("read the stream of jobs: %w", err)
	}
	return eachMessage(ctx, stream, q.names.AnyJob(kind), 1, func(m *rawMessage) bool {
		return visit(q.messages.Read(m.Subject, m.Header, m.Data, m.Sequence, m.Time))
	})
}

// Filter selects jobs. Zero fields match all.
type Filter struct {
	States []usher.State
	Kinds  []usher.Kind
	Limit  int // 0: all
}

func (f Filter) takes(r *usher.Record) bool {
	return (len(f.States) == 0 || slices.Contains(f.States, r.State)) &&
		(len(f.Kinds) == 0 || slices.Contains(f.Kinds, r.Kind))
}

// Records returns the matching jobs, newest first, including jobs that no worker has
// taken yet.
func (q *Queue) Records(ctx context.Context, f Filter) ([]usher.Record, error) {
	var entries []jobEntry
	known := map[string]bool{}
	err := store.EachValue(ctx, q.state, "jobs.>", func(entry *store.Entry, e *jobEntry) {
		e.noteHolder(entry)
		known[e.Record.ID] = true
		if f.takes(&e.Record) {
			entries = append(entries, *e)
		}
	})
	if err != nil {
		return nil, err
	}
	err = q.eachWaiting(ctx, ">", func(m *message.Message) bool {
		if m.Invalid == nil && !known[m.ID] {
			known[m.ID] = true
			e := newQueued(m)
			e.refresh(q)
			if f.takes(&e.Record) {
				entries = append(entries, e)
			}
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(entries, func(a, b jobEntry) int {
		if c := b.Record.Submitted.Compare(a.Record.Submitted); c != 0 {
			return c
		}
		return strings.Compare(a.Record.ID, b.Record.ID)
	})
	if f.Limit > 0 && len(entries) > f.Limit {
		entries = entries[:f.Limit]
	}
	return q.visible(ctx, entries)
}

// visible returns the records of entries. Records of running cut jobs have the sum of
// their parts.
func (q *Queue) visible(ctx context.Context, entries []jobEntry) ([]usher.Record, error) {
	for i := range entries {
		e := &entries[i]
		if e.cut() && !e.State.Ended() {
			if _, err := q.sum(ctx, e); err != nil {
				return nil, err
			}
		}
	}
	if err := q.sayWaits(ctx, entries); err != nil {
		return nil, err
	}
	records := make([]usher.Record, len(entries))
	for i := range entries {
		records[i] = entries[i].Record
	}
	return records, nil
}

// Record returns a job's record, or ErrNoJob.
func (q *Queue) Record(ctx context.Context, id string) (usher.Record, error) {
	if !usher.ValidID(id) {
		return usher.Record{}, fmt.Errorf("job %q: %w", id, ErrNoJob)
	}
	e, err := q.entry(ctx, id)
	if err != nil {
		return usher.Record{}, err
	}
	records, err := q.visible(ctx, []jobEntry{e})
	if err != nil {
		return usher.Record{}, err
	}
	return records[0], nil
}

// entry returns the entry of a recorded or waiting job.
func (q *Queue) entry(ctx context.Context, id string) (e jobEntry, err error) {
	stored, err := q.state.Find(ctx, jobKey(id))
	if err != nil {
		return e, err
	}
	if stored != nil && stored.Decode(&e) == nil {
		e.noteHolder(stored)
		return e, nil
	}
	found := false
	err = q.eachWaiting(ctx, ">", func(m *message.Message) bool {
		if m.ID == id && m.Invalid == nil {
			e, found = newQueued(m), true
			e.refresh(q)
		}
		return !found
	})
	if err == nil && !found {
		err = fmt.Errorf("job %s: %w", id, ErrNoJob)
	}
	return e, err
}
