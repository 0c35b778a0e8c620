package queues

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// Stopped reports whether the stop switch of campaign actions is thrown, and
// why. A switch that cannot be read is an error, and the caller must take it
// for thrown.
func (q *Queue) Stopped(ctx context.Context) (reason string, stopped bool, err error) {
	e, err := q.rules.Get(ctx, stopKey)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return "", false, nil
	}
	if err != nil {
		return "", true, fmt.Errorf("read the stop switch: %w", err)
	}
	return string(e.Value()), true, nil
}
