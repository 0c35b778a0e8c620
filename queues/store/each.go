package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Each calls visit once with each value whose key matches a pattern, among them every
// value that was stored when Each was called. If visit returns an error, Each stops and returns it.
// It fails if a replica delivers nothing for ten seconds although there is more.
func (b *Bucket) Each(ctx context.Context, pattern string, visit func(*Entry) error) error {
	last, err := b.Revision(ctx, pattern)
	if err != nil || last == 0 {
		return err
	}
	watcher, err := b.kv.Watch(ctx, pattern)
	if err != nil {
		return fmt.Errorf("read records %s: %w", pattern, err)
	}
	defer func() { _ = watcher.Stop() }()
	list := listing{bucket: b, pattern: pattern, last: last, visit: visit, entries: map[string]*Entry{}}
	idle := time.NewTicker(idleTime)
	defer idle.Stop()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case e, open := <-watcher.Updates():
			if !open {
				return fmt.Errorf("read records %s: %w", pattern, errWatchEnded)
			}
			idle.Reset(idleTime)
			if e == nil {
				continue // the replica that answers has no more yet
			}
			if complete, err := list.take(e); complete || err != nil {
				return err
			}
		case <-idle.C:
			if complete, err := list.idle(ctx); complete || err != nil {
				return err
			}
		}
	}
}

// idleTime is how long a listing waits for an entry before it asks the leader whether
// there is one.
const idleTime = 500 * time.Millisecond

// maxSilent is how often a listing asks the leader, and is told that there are more entries, before
// it fails: the server that should deliver them was lost, and the watch with it. A stalled
// replica does not deliver either, and the next watch may be of another one.
const maxSilent = 20

// errSilent reports that a watch delivers nothing although there is more.
var errSilent = fmt.Errorf("the replica has delivered nothing for %v, although there is more", maxSilent*idleTime)

// listing is a call of Each. The replica that answers a watch may lag behind the leader of the
// stream, so that its values may be too few and too old. It has caught up when it has
// delivered the revision that was the leader's last when Each was called, or a later one, and
// has no more. Until then, the entries of a stream with replicas are kept, and a newer entry
// replaces an older one of the same key.
type listing struct {
	bucket  *Bucket
	pattern string
	last    uint64 // the leader's last revision at the beginning
	visit   func(*Entry) error

	at      uint64            // the last revision delivered
	silent  int               // how often the leader was asked since
	entries map[string]*Entry // by key; nil once it is visited or deleted
}

// take visits an entry, or keeps it, and reports whether the listing is complete.
func (l *listing) take(e jetstream.KeyValueEntry) (complete bool, err error) {
	l.at, l.silent = e.Revision(), 0
	_, seen := l.entries[e.Key()]
	switch put := e.Operation() == jetstream.KeyValuePut; {
	case l.bucket.replicated && put:
		l.entries[e.Key()] = entryOf(e)
	case l.bucket.replicated || !put:
		l.entries[e.Key()] = nil
	case !seen:
		l.entries[e.Key()] = nil
		err = l.visit(entryOf(e))
	}
	if err != nil || l.at < l.last || e.Delta() > 0 {
		return false, err
	}
	return true, l.end()
}

// end visits the entries that were kept, in the order of their revisions.
func (l *listing) end() error {
	kept := slices.DeleteFunc(slices.Collect(maps.Values(l.entries)), func(e *Entry) bool { return e == nil })
	slices.SortFunc(kept, func(a, b *Entry) int { return cmp.Compare(a.Revision, b.Revision) })
	for _, e := range kept {
		if err := l.visit(e); err != nil {
			return err
		}
	}
	return nil
}

// idle reports whether the listing is complete although its last entry was not delivered,
// because nothing announces that it was purged.
func (l *listing) idle(ctx context.Context) (complete bool, err error) {
	last, err := l.bucket.Revision(ctx, l.pattern)
	switch {
	case err != nil:
		return false, err
	case last <= l.at:
		return true, l.end()
	}
	if l.silent++; l.silent >= l.bucket.maxSilent {
		return false, fmt.Errorf("read records %s: %w", l.pattern, errSilent)
	}
	return false, nil
}

// Revision returns the newest revision of the keys that match a pattern, as the
// leader knows it, or 0. It asks again if the leader does not respond in time, which may be
// because many keys match.
func (b *Bucket) Revision(ctx context.Context, pattern string) (uint64, error) {
	var m *jetstream.RawStreamMsg
	began := time.Now()
	// A person waits for the command that lists, and patience is long.
	warning := time.AfterFunc(CallTime, func() {
		since := &began
		if !b.silent.CompareAndSwap(nil, since) {
			since = cmp.Or(b.silent.Load(), since)
		}
		b.logger.Warn(fmt.Sprintf("waiting for NATS: it has not responded for %s; `usher doctor` shows whether its cluster has lost its quorum, or a disk is full", time.Since(*since).Round(time.Second)), "records", b.subject(pattern))
	})
	defer warning.Stop()
	err := Ask(ctx, CallTime, patientTime, func(ctx context.Context) (err error) {
		m, err = newestMessage(ctx, b.stream, b.subject(pattern))
		return err
	})
	if !NoResponse(err) {
		b.silent.Store(nil)
	}
	if err != nil || m == nil {
		return 0, err
	}
	return m.Sequence, nil
}

// EachValue is Each with decoded values. It leaves out damaged ones and logs them, so it must
// not be used if a missing value would change a decision.
func EachValue[T any](ctx context.Context, b *Bucket, pattern string, visit func(*Entry, *T)) error {
	return b.Each(ctx, pattern, func(e *Entry) error {
		var v T
		if b.Readable(e, &v) {
			visit(e, &v)
		}
		return nil
	})
}

// ByKind returns the function valueOf of Damaged by the first token of keys.
func ByKind(kinds map[string]func() any) func(key string) any {
	return func(key string) any {
		kind, _, _ := strings.Cut(key, ".")
		if value, known := kinds[kind]; known {
			return value()
		}
		return nil
	}
}

// Damaged returns the keys that match a pattern and whose values are damaged. valueOf returns a
// value to decode that of a key into; nil: the key is not read.
func (b *Bucket) Damaged(ctx context.Context, pattern string, valueOf func(key string) any) ([]string, error) {
	damaged := []string{}
	ctx, advance, stop := Progress(ctx, StallTime)
	defer stop()
	err := b.Each(ctx, pattern, func(e *Entry) error {
		advance()
		if value := valueOf(e.Key); value != nil && e.Decode(value) != nil {
			damaged = append(damaged, e.Key)
		}
		return nil
	})
	return damaged, err
}

// Watch calls changed with the values whose keys match a pattern, and later with
// each change of them, until ctx ends or changed returns an error. After the
// values that exist at the start it calls changed once with nil. The value of a
// deleted key is empty.
func (b *Bucket) Watch(ctx context.Context, pattern string, changed func(*Entry) error) error {
	watcher, err := b.kv.Watch(ctx, pattern)
	if err != nil {
		return fmt.Errorf("watch records %s: %w", pattern, err)
	}
	defer func() { _ = watcher.Stop() }()
	for {
		select {
		case <-ctx.Done():
			return nil
		case e, open := <-watcher.Updates():
			if !open {
				return fmt.Errorf("watch records %s: %w", pattern, errWatchEnded)
			}
			var entry *Entry
			if e != nil {
				entry = entryOf(e)
			}
			if err := changed(entry); err != nil {
				return err
			}
		}
	}
}

var errWatchEnded = errors.New("the watch ended")
