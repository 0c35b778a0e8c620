package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// ErrConflict means that another writer changed the key since it was read.
var ErrConflict = errors.New("another writer changed it in between")

// Bucket is a NATS key-value bucket of JSON values. It is safe for concurrent
// use.
type Bucket struct {
	js       jetstream.JetStream
	kv       jetstream.KeyValue
	compress bool // long values; a reader accepts both forms
}

func openBucket(ctx context.Context, js jetstream.JetStream, name string, compress bool) (*Bucket, error) {
	kv, err := js.KeyValue(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("open bucket %s (run `usher migrate` once?): %w", name, err)
	}
	return &Bucket{js: js, kv: kv, compress: compress}, nil
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

// Decode decodes the value into v.
func (e *Entry) Decode(v any) error {
	if err := unpack(e.Value, v); err != nil {
		return fmt.Errorf("decode record %s: %w", e.Key, err)
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

// Get reads a key into v and reports whether the key exists.
func (b *Bucket) Get(ctx context.Context, key string, v any) (revision uint64, found bool, err error) {
	e, err := b.Find(ctx, key)
	if e == nil || err != nil {
		return 0, false, err
	}
	return e.Revision, true, e.Decode(v)
}

// Put writes v to key, whatever is there.
func (b *Bucket) Put(ctx context.Context, key string, v any) error {
	data, err := b.encode(key, v)
	if err != nil {
		return err
	}
	if _, err := b.kv.Put(ctx, key, data); err != nil {
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

// Purge deletes the keys that match a pattern and leaves no markers of their
// deletion, so that the bucket does not grow and no watcher is notified.
func (b *Bucket) Purge(ctx context.Context, pattern string) error {
	bucket := b.kv.Bucket()
	stream, err := b.js.Stream(ctx, "KV_"+bucket)
	if err == nil {
		err = stream.Purge(ctx, jetstream.WithPurgeSubject("$KV."+bucket+"."+pattern))
	}
	if err != nil {
		return fmt.Errorf("purge records %s: %w", pattern, err)
	}
	return nil
}

func (b *Bucket) encode(key string, v any) ([]byte, error) {
	data, err := encode(v, b.compress)
	if err != nil {
		return nil, fmt.Errorf("encode record %s: %w", key, err)
	}
	return data, nil
}
