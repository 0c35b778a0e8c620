package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// Each calls visit with the values whose keys match a pattern. An error of visit
// ends it and is returned.
func (b *Bucket) Each(ctx context.Context, pattern string, visit func(*Entry) error) error {
	watcher, err := b.kv.Watch(ctx, pattern, jetstream.IgnoreDeletes())
	if err != nil {
		return fmt.Errorf("read records %s: %w", pattern, err)
	}
	defer func() { _ = watcher.Stop() }()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case e := <-watcher.Updates():
			if e == nil {
				return nil
			}
			if err := visit(entryOf(e)); err != nil {
				return err
			}
		}
	}
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
