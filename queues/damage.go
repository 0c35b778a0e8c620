package queues

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues/audit"
	"usher/queues/backups"
	"usher/queues/heads"
	"usher/queues/names"
	"usher/queues/presence"
	"usher/queues/records"
	"usher/queues/settings"
	"usher/queues/store"
	"usher/queues/targets"
)

// Damaged returns the keys of stored values that usher cannot have written, and the places of
// such dead letters, audit entries and events. Workers treat them as missing, except pauses,
// which stay.
func (q *Queue) Damaged(ctx context.Context) ([]string, error) {
	values := records.Values()
	maps.Copy(values, targets.Values())
	values["campaigns"] = func() any { return new(CampaignClaim) }
	maps.Copy(values, presence.Values())
	values["sessions"] = func() any { return new(sessionEntry) }
	values["creatives"] = func() any { return new(usher.CreativeEntry) }
	damaged, err := q.state.Damaged(ctx, ">", store.ByKind(values))
	if err != nil {
		return nil, err
	}
	damagedKept, err := q.rules.Damaged(ctx, ">", store.ByKind(keptValues()))
	if err != nil {
		return nil, err
	}
	entries, err := q.damagedEntries(ctx)
	return slices.Concat(damaged, damagedKept, entries), err
}

// keptValues returns, for the first token of the keys of what is kept beside rules, a function that
// returns a value to decode into.
func keptValues() map[string]func() any {
	kept := heads.Values()
	maps.Copy(kept, backups.Values())
	kept[settings.Prefix] = func() any { return new(usher.Setting) }
	kept[names.Prefix] = func() any { return new(names.Value) }
	kept["feeds"] = func() any { return new(feedEntry) }
	kept["taken"] = func() any { return new(takenEntry) }
	return kept
}

// sessionEntry is what all sessions have, which package console keeps.
type sessionEntry struct {
	User string    `json:"user"`
	Made time.Time `json:"made"`
}

// Valid reports whether the session can be one of a user.
func (e *sessionEntry) Valid() bool { return e.User != "" && !e.Made.IsZero() }

// feedEntry is what all states of feeds have, which package feeds keeps.
type feedEntry struct {
	Name    string    `json:"name"`
	Created time.Time `json:"created"`
}

// Valid reports whether the state can be one of a feed.
func (e *feedEntry) Valid() bool { return e.Name != "" && !e.Created.IsZero() }

// takenEntry is what package feeds keeps beside the state of a feed: hashes of eight bytes.
type takenEntry struct {
	Hashes []byte `json:"hashes"`
}

// Valid reports whether package feeds can have written it.
func (e *takenEntry) Valid() bool { return len(e.Hashes)%8 == 0 }

// maxExamined is the number of messages of a stream, the newest ones, that Damaged reads. The
// events of 400 days may be hundreds of millions.
const maxExamined = 200_000

// damagedEntries returns the dead letters, audit entries and events that usher cannot have
// written, as STREAM/SEQUENCE. Readers leave them out.
func (q *Queue) damagedEntries(ctx context.Context) (damaged []string, err error) {
	ctx, advance, stop := store.Progress(ctx, store.StallTime)
	defer stop()
	for _, kind := range []struct {
		stream, subject string
		entry           func() interface{ Valid() bool }
	}{
		{q.names.DeadStream(), q.names.Subject("usher.dead.>"), func() interface{ Valid() bool } { return new(usher.DeadLetter) }},
		{q.names.EventsStream(), q.names.Audit(">"), func() interface{ Valid() bool } { return new(usher.Audit) }},
		{q.names.EventsStream(), q.names.Event(">"), func() interface{ Valid() bool } { return new(usher.Event) }},
	} {
		stream, err := q.store.Stream(ctx, kind.stream)
		if err != nil {
			return nil, err
		}
		last := stream.CachedInfo().State.LastSeq
		span := store.Span{Subject: kind.subject, After: last - min(last, maxExamined)}
		err = store.EachMessage(ctx, stream, span, func(seq uint64, m jetstream.Msg) (more bool, err error) {
			advance()
			if entry := kind.entry(); json.Unmarshal(m.Data(), entry) != nil || !entry.Valid() {
				damaged = append(damaged, fmt.Sprintf("%s/%d", kind.stream, seq))
			}
			return true, nil
		})
		if err != nil {
			return nil, err
		}
	}
	return damaged, nil
}

// removeEntry removes a message that damagedEntries returned.
func (q *Queue) removeEntry(ctx context.Context, name, seq string) error {
	n, err := strconv.ParseUint(seq, 10, 64)
	if err != nil {
		return fmt.Errorf("remove message %s of %s: %w", seq, name, err)
	}
	stream, err := q.store.Stream(ctx, name)
	if err != nil {
		return err
	}
	if err := stream.DeleteMsg(ctx, n); err != nil && !errors.Is(err, jetstream.ErrMsgNotFound) {
		return fmt.Errorf("remove message %s of %s: %w", seq, name, err)
	}
	return nil
}

// Repair removes the damaged value of a key that Damaged returned. A target's register is
// rebuilt from the records; the record of a job that waits or runs is rebuilt when the job, or
// a part of it, is taken. A pause stays.
func (q *Queue) Repair(ctx context.Context, key string, act audit.Act) error {
	kind, _, _ := strings.Cut(key, ".")
	var err error
	stream, seq, isEntry := strings.Cut(key, "/")
	switch {
	case isEntry:
		err = q.removeEntry(ctx, stream, seq)
	case kind == "targets":
		err = q.targets.Repair(ctx, key)
	case kind == "ledger":
		return fmt.Errorf("repair %s: without it, the ledger of the target would count as empty: use `usher ledger adopt` or `usher ledger drop`", key)
	case kind == "suppression":
		return fmt.Errorf("repair %s: without it, the suppression list would count as empty, and forgotten ids could be uploaded again: `usher repair suppression` rebuilds it", key)
	case kind == settings.Prefix:
		err = q.Settings().Repair(ctx, key, act)
	case keptValues()[kind] != nil:
		err = q.rules.Purge(ctx, key)
	default:
		err = q.state.Purge(ctx, key)
	}
	if err != nil {
		return fmt.Errorf("repair: %w", err)
	}
	return q.Audit().Repaired(ctx, q.now(), key, act)
}
