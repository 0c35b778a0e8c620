package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Store is one connection's view of what usher keeps in NATS.
type Store struct {
	Names
	Conn *nats.Conn
	JS   jetstream.JetStream

	State *Bucket // jobs, parts, targets, creatives; values expire
	Rules *Bucket // decisions of rules and settings made at run time; values stay

	oversizes *oversizes
}

// Open opens the buckets of a namespace, which queues.Declare creates.
// Damaged values are logged.
func Open(ctx context.Context, nc *nats.Conn, namespace string, logger *slog.Logger) (*Store, error) {
	// A server whose disk is full may never answer a publish. Its publisher would wait for ever.
	js, err := jetstream.New(nc, jetstream.WithPublishAsyncTimeout(CallTime))
	if err != nil {
		return nil, fmt.Errorf("open JetStream: %w", err)
	}
	s := &Store{Names: Names{Namespace: namespace}, Conn: nc, JS: js, oversizes: &oversizes{conn: nc, byKey: map[string]Oversize{}, highest: nc.MaxPayload()}}
	if s.State, err = openBucket(ctx, js, s.StateBucket(), false, s.oversizes, logger); err != nil {
		return nil, err
	}
	if s.Rules, err = openBucket(ctx, js, s.RulesBucket(), true, s.oversizes, logger); err != nil {
		return nil, err
	}
	return s, nil
}

// Stream opens a stream that queues.Declare creates.
func (s *Store) Stream(ctx context.Context, name string) (jetstream.Stream, error) {
	stream, err := s.JS.Stream(ctx, name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return nil, fmt.Errorf("open stream %s: it is not declared: %w", name, ErrMigrate)
	}
	if err != nil {
		return nil, fmt.Errorf("open stream %s: %w", name, err)
	}
	return stream, nil
}
