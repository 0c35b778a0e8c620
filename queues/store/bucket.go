package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// ErrMigrate means that NATS answers, but lacks a stream or bucket of usher.
var ErrMigrate = errors.New("run `usher migrate`")

// ErrDamaged means that usher cannot have written a stored value.
var ErrDamaged = errors.New("the stored value is damaged")

// checked is a value that reports whether usher can have written it. Decoding alone does not
// show that: an empty object decodes into any value.
type checked interface{ Valid() bool }

// ErrConflict means that another writer changed the key since it was read.
var ErrConflict = errors.New("another writer changed it in between")

// Bucket is a NATS key-value bucket of JSON values. It is safe for concurrent
// use.
type Bucket struct {
	js       jetstream.JetStream
	kv       jetstream.KeyValue
	stream   jetstream.Stream // of the bucket's values; its leader answers reads
	compress bool             // long values; a reader accepts both forms
	logger   *slog.Logger

	oversizes *oversizes // what NATS does not take because of its size

	replicated bool // a replica that lags may answer a watch
	maxSilent  int  // the constant, but in tests

	silent atomic.Pointer[time.Time] // since when NATS has not responded, if Revision has warned of that
}

func openBucket(ctx context.Context, js jetstream.JetStream, name string, compress bool, sizes *oversizes, logger *slog.Logger) (*Bucket, error) {
	kv, err := js.KeyValue(ctx, name)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		return nil, fmt.Errorf("open bucket %s: it is not declared: %w", name, ErrMigrate)
	}
	if err != nil {
		return nil, fmt.Errorf("open bucket %s: %w", name, err)
	}
	stream, err := js.Stream(ctx, "KV_"+name)
	if err != nil {
		return nil, fmt.Errorf("open bucket %s: %w", name, err)
	}
	replicated := stream.CachedInfo().Config.Replicas > 1
	return &Bucket{js: js, kv: kv, stream: stream, compress: compress, oversizes: sizes, logger: logger, replicated: replicated, maxSilent: maxSilent}, nil
}

// Entry is a value as it is stored.
type Entry struct {
	Key      string
	Revision uint64
	Written  time.Time
	Value    []byte // may be compressed, see Decode
}

func entryOf(e jetstream.KeyValueEntry) *Entry {
	return &Entry{Key: e.Key(), Revision: e.Revision(), Written: e.Created(), Value: e.Value()}
}

// Decode decodes the value into v, and asks v if it has a method Valid. It returns ErrDamaged
// if usher cannot have written the value.
func (e *Entry) Decode(v any) error {
	err := unpack(e.Value, v)
	if c, ok := v.(checked); err != nil || ok && !c.Valid() {
		return fmt.Errorf("decode record %s: %w", e.Key, errors.Join(ErrDamaged, err))
	}
	return nil
}

// Find reads a key. It returns nil if there is no such key.
func (b *Bucket) Find(ctx context.Context, key string) (*Entry, error) {
	e, err := b.kv.Get(ctx, key)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read record %s: %w", key, err)
	}
	return entryOf(e), nil
}

// Get reads a key into v and reports whether the key exists. A damaged value counts as
// missing, so that it stops nothing: the next write with its revision replaces it.
func (b *Bucket) Get(ctx context.Context, key string, v any) (revision uint64, found bool, err error) {
	e, err := b.Find(ctx, key)
	if e == nil || err != nil {
		return 0, false, err
	}
	return e.Revision, b.Readable(e, v), nil
}

// GetProven is Get, and proves by a write that what it has read is the present value, or that there is
// none: it stores the same again, if nobody has stored anything since. A server that led the bucket until
// it was suspended, or cut off, answers reads by what it had, until it learns that another one leads; it
// takes no write. If what was read is not the present value, GetProven returns ErrConflict.
func (b *Bucket) GetProven(ctx context.Context, key string, v any) (found bool, err error) {
	last, err := b.stream.GetLastMsgForSubject(ctx, b.subject(key))
	absent := errors.Is(err, jetstream.ErrMsgNotFound)
	if err != nil && !absent {
		return false, fmt.Errorf("read record %s: %w", key, err)
	}
	same := nats.NewMsg(b.subject(key))
	e := &Entry{Key: key}
	if absent {
		same.Header.Set(kvOperation, kvDeleted)
	} else {
		e.Revision, e.Written, e.Value, same.Data = last.Sequence, last.Time, last.Data, last.Data
		if operation := last.Header.Get(kvOperation); operation != "" {
			same.Header.Set(kvOperation, operation)
		}
	}
	_, err = b.js.PublishMsg(ctx, same, jetstream.WithExpectLastSequencePerSubject(e.Revision))
	var refused *jetstream.APIError
	if errors.As(err, &refused) && refused.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence {
		err = ErrConflict
	}
	if err != nil {
		return false, fmt.Errorf("prove record %s: %w", key, err)
	}
	return same.Header.Get(kvOperation) == "" && b.Readable(e, v), nil
}

// The header by which NATS marks a key that was deleted: ADR-8 of nats-architecture-and-design.
const (
	kvOperation = "KV-Operation"
	kvDeleted   = "DEL"
)

// Readable decodes an entry into v. If the value is damaged, it logs that, clears v, and
// returns false.
func (b *Bucket) Readable(e *Entry, v any) bool {
	err := e.Decode(v)
	if err != nil {
		reflect.ValueOf(v).Elem().SetZero()
		b.logger.Error("a stored value is damaged and counts as missing; `usher doctor --repair` removes it",
			"bucket", b.kv.Bucket(), "key", e.Key, "bytes", len(e.Value))
	}
	return err == nil
}

// Put writes v to key, whatever its present value is.
func (b *Bucket) Put(ctx context.Context, key string, v any) error {
	data, err := b.encode(key, v)
	if err != nil {
		return err
	}
	_, err = b.kv.Put(ctx, key, data)
	b.oversizes.note(key, len(data), err)
	if err != nil {
		return fmt.Errorf("write record %s: %w", key, err)
	}
	return nil
}

// CompareAndSet writes v to key if the key still has the given revision, where 0
// stands for no such key, and returns the new revision. Otherwise it returns
// ErrConflict.
func (b *Bucket) CompareAndSet(ctx context.Context, key string, v any, revision uint64) (uint64, error) {
	data, err := b.encode(key, v)
	if err != nil {
		return 0, err
	}
	var next uint64
	if revision == 0 {
		next, err = b.kv.Create(ctx, key, data)
	} else {
		next, err = b.kv.Update(ctx, key, data, revision)
	}
	b.oversizes.note(key, len(data), err)
	if errors.Is(err, jetstream.ErrKeyExists) || errors.Is(err, jetstream.ErrKeyRevisionMismatch) {
		err = ErrConflict
	}
	if err != nil {
		return 0, fmt.Errorf("write record %s: %w", key, err)
	}
	return next, nil
}

// Change reads a key, has alter change the value, and writes it back with
// compare-and-set. It repeats this on a conflict. If alter returns false, Change
// writes nothing.
func Change[T any](ctx context.Context, b *Bucket, key string, alter func(v *T, found bool) bool) error {
	for {
		var v T
		revision, found, err := b.Get(ctx, key, &v)
		if err != nil {
			return err
		}
		if !alter(&v, found) {
			return nil
		}
		if _, err = b.CompareAndSet(ctx, key, &v, revision); !errors.Is(err, ErrConflict) {
			return err
		}
	}
}

// Delete deletes a key. It is no error if the key does not exist.
func (b *Bucket) Delete(ctx context.Context, key string) error {
	if err := b.kv.Delete(ctx, key); err != nil {
		return fmt.Errorf("delete record %s: %w", key, err)
	}
	return nil
}

// CompareAndDelete deletes a key if it still has the given revision. Otherwise it returns ErrConflict.
func (b *Bucket) CompareAndDelete(ctx context.Context, key string, revision uint64) error {
	err := b.kv.Delete(ctx, key, jetstream.LastRevision(revision))
	if errors.Is(err, jetstream.ErrKeyExists) || errors.Is(err, jetstream.ErrKeyRevisionMismatch) {
		err = ErrConflict
	}
	if err != nil {
		return fmt.Errorf("delete record %s: %w", key, err)
	}
	return nil
}

// Purge deletes the keys that match a pattern and leaves no markers of their
// deletion, so that the bucket does not grow and no watcher is notified.
func (b *Bucket) Purge(ctx context.Context, pattern string) error {
	if err := b.stream.Purge(ctx, jetstream.WithPurgeSubject(b.subject(pattern))); err != nil {
		return fmt.Errorf("purge records %s: %w", pattern, err)
	}
	return nil
}

// subject returns the subject of the keys that match a pattern.
func (b *Bucket) subject(pattern string) string { return "$KV." + b.kv.Bucket() + "." + pattern }

func (b *Bucket) encode(key string, v any) ([]byte, error) {
	data, err := encode(v, b.compress)
	if err != nil {
		return nil, fmt.Errorf("encode record %s: %w", key, err)
	}
	return data, nil
}
