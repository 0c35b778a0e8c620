package backups

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher/queues/store"
)

// saveAttempts is how often Save begins again because dead letters were removed meanwhile.
const saveAttempts = 3

// Progress is told what is being done, and the bytes of each chunk.
type Progress interface {
	Stream(name string)
	Add(bytes int)
}

// Size returns the size of the streams of a namespace on NATS. A backup is smaller, because it is
// compressed.
func Size(ctx context.Context, nc *nats.Conn, namespace string) (int64, error) {
	js, err := jetstream.New(nc)
	if err != nil {
		return 0, fmt.Errorf("open JetStream: %w", err)
	}
	var sum uint64
	for _, name := range names(store.Names{Namespace: namespace}) {
		state, err := stateOf(ctx, js, name)
		if err != nil {
			return 0, err
		}
		sum += state.Bytes
	}
	return int64(sum), nil
}

// Save saves the streams of a namespace to an empty place, or one that does not exist.
// If it fails, it leaves no files.
func Save(ctx context.Context, nc *nats.Conn, namespace, version string, folder Place, progress Progress) (*Manifest, error) {
	if err := folder.prepare(ctx); err != nil {
		return nil, err
	}
	n := store.Names{Namespace: namespace}
	m, err := saveAll(ctx, nc, n, version, folder, progress)
	if err != nil {
		clean := context.WithoutCancel(ctx)
		folder.remove(clean, manifestName)
		for _, name := range names(n) {
			folder.remove(clean, fileOf(name))
		}
		return nil, err
	}
	return m, nil
}

func saveAll(ctx context.Context, nc *nats.Conn, n store.Names, version string, folder Place, progress Progress) (*Manifest, error) {
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, fmt.Errorf("open JetStream: %w", err)
	}
	reconnects := nc.Stats().Reconnects
	m := &Manifest{Format: format, Usher: version, NATS: nc.ConnectedServerVersion(), Namespace: n.Namespace}
	for attempt := 1; ; attempt++ {
		before, err := stateOf(ctx, js, n.DeadStream())
		if err != nil {
			return nil, err
		}
		m.Began, m.Streams = time.Now().UTC(), nil
		for _, name := range names(n) {
			progress.Stream(name)
			s, err := save(ctx, nc, name, folder, progress.Add)
			if err != nil {
				return nil, err
			}
			m.Streams = append(m.Streams, s)
		}
		after, err := stateOf(ctx, js, n.DeadStream())
		if err != nil {
			return nil, err
		}
		if nc.Stats().Reconnects != reconnects {
			return nil, errors.New("the connection to NATS was lost meanwhile, and parts of the streams may be missing: run the backup again")
		}
		m.Replayed = before.Msgs + after.LastSeq - before.LastSeq - after.Msgs
		if m.Replayed == 0 || attempt == saveAttempts {
			break
		}
	}
	m.Through = map[string]uint64{}
	for _, name := range n.JobStreams() {
		jobs, err := stateOf(ctx, js, name)
		if err != nil {
			return nil, err
		}
		m.Through[name] = jobs.LastSeq
	}
	m.Ended = time.Now().UTC()
	return m, m.write(ctx, folder)
}

func stateOf(ctx context.Context, js jetstream.JetStream, name string) (jetstream.StreamState, error) {
	stream, err := js.Stream(ctx, name)
	if err != nil {
		return jetstream.StreamState{}, fmt.Errorf("read stream %s: %w", name, err)
	}
	return stream.CachedInfo().State, nil
}
