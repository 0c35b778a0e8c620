package backups

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher/queues/store"
)

// A cluster that was just started needs a while until it has a leader.
const (
	askTime   = 3 * time.Second
	startTime = time.Minute
)

// ErrHolds means that a stream holds messages that a restore would remove.
var ErrHolds = errors.New("the streams hold messages")

// Restore restores the streams of a manifest, with a number of replicas. Streams that exist are
// deleted first; if one of them holds messages, Restore returns ErrHolds and changes nothing,
// unless replace is set. The caller must then call Queue.Reconcile and Declare.
func Restore(ctx context.Context, nc *nats.Conn, m *Manifest, folder Place, replicas int, replace bool, progress Progress) error {
	for i := range m.Streams {
		progress.Stream(m.Streams[i].Name)
		if err := m.Streams[i].Verify(ctx, folder); err != nil {
			return err
		}
	}
	js, err := jetstream.New(nc)
	if err != nil {
		return fmt.Errorf("open JetStream: %w", err)
	}
	existing, holding, err := existing(ctx, js, m)
	if err != nil {
		return err
	}
	if len(holding) > 0 && !replace {
		return fmt.Errorf("%w: %s; nothing was restored", ErrHolds, strings.Join(holding, ", "))
	}
	for _, name := range existing { // jobs first, so that nobody takes one meanwhile
		if err := js.DeleteStream(ctx, name); err != nil {
			return fmt.Errorf("delete stream %s: %w", name, err)
		}
	}
	for _, s := range slices.Backward(m.Streams) {
		progress.Stream(s.Name)
		if err := s.restore(ctx, nc, folder, replicas, progress.Add); err != nil {
			return err
		}
	}
	return nil
}

// existing returns the streams of a manifest that exist, and says which of them hold messages.
func existing(ctx context.Context, js jetstream.JetStream, m *Manifest) (names, holding []string, err error) {
	for _, s := range m.Streams {
		var stream jetstream.Stream
		err := store.Ask(ctx, askTime, startTime, func(ctx context.Context) (err error) {
			stream, err = js.Stream(ctx, s.Name)
			return err
		})
		if errors.Is(err, jetstream.ErrStreamNotFound) {
			continue
		}
		if err != nil {
			return nil, nil, fmt.Errorf("read stream %s: %w", s.Name, err)
		}
		names = append(names, s.Name)
		if n := stream.CachedInfo().State.Msgs; n > 0 {
			holding = append(holding, fmt.Sprintf("%s (%d)", s.Name, n))
		}
	}
	return names, holding, nil
}
