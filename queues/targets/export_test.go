package targets

import (
	"cmp"
	"context"
	"slices"

	"usher"
	"usher/queues/message"
	"usher/queues/records"
)

// Compare returns the sequences of the messages of a pattern of kinds on a target, in the
// order of their jobs: those that the index has, and those that a reading of the whole
// stream finds. It leaves out jobs that have ended: a slot may hold the message of one.
func (t *Targets) Compare(ctx context.Context, pattern usher.Kind, target string) (known, stored []uint64, err error) {
	b := t.backlog(pattern)
	stream, err := t.records.Store.JS.Stream(ctx, b.index.stream)
	if err != nil {
		return nil, nil, err
	}
	info, err := stream.Info(ctx)
	if err != nil {
		return nil, nil, err
	}
	if err := b.index.update(ctx, &message.Message{Seq: info.State.LastSeq, Published: info.State.LastTime}); err != nil {
		return nil, nil, err
	}
	for p, more := b.After(target, Place{}); more; p, more = b.After(target, p) {
		m, err := b.Message(ctx, p)
		if err != nil {
			return nil, nil, err
		}
		if m != nil && !t.ended(ctx, m) {
			known = append(known, p.Seq)
		}
	}
	var messages []*message.Message
	err = t.records.EachWaiting(ctx, pattern, func(m *message.Message) {
		if m.Invalid == nil && m.Job.Target(m.Kind) == target && !t.ended(ctx, m) {
			messages = append(messages, m)
		}
	})
	slices.SortStableFunc(messages, func(a, b *message.Message) int { return cmp.Compare(a.Order, b.Order) })
	for _, m := range messages {
		stored = append(stored, m.Seq)
	}
	return known, stored, err
}

// ended reports whether the job of a message has ended.
func (t *Targets) ended(ctx context.Context, m *message.Message) bool {
	j, _, found, err := t.records.Job(ctx, m.ID)
	return err == nil && j.ClaimOf(m, found) == records.Superfluous
}
