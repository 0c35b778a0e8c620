package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher"
)

// ErrInProcess means that NATS refused a message because another process publishes one with the
// same message ID, and that nothing shows yet whether NATS has stored that one. Repeating the
// publish is safe.
var ErrInProcess = errors.New("another process publishes the same message, and NATS has not reported in time whether it is stored: try again")

// inProcess is the error of the leader of a stream with replicas if it has proposed a message with
// the same message ID to them, but not stored it yet. It may never store it: a new leader forgets
// what the last one has proposed. Only the answer to another publish shows what became of it.
const inProcess jetstream.ErrorCode = 10158

func isInProcess(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && api.ErrorCode == inProcess
}

// inProcessPause is the time until a publish is repeated. The replicas of a stream usually need
// less to store a message.
const inProcessPause = 20 * time.Millisecond

// Publish publishes a message and returns its ack. If another process publishes a message with the
// same message ID at the same time, Publish repeats until one of them is stored, ctx ends, or, if
// ctx has no deadline, CallTime has passed; then it returns ErrInProcess.
func (s *Store) Publish(ctx context.Context, m *nats.Msg, options ...jetstream.PublishOpt) (*jetstream.PubAck, error) {
	ack, err := s.JS.PublishMsg(ctx, m, options...)
	s.oversizes.notePublish(m.Size(), err)
	return s.resolve(ctx, m, ack, err)
}

// Await returns the ack of a message that was published with PublishAsync or PublishMsgAsync. It
// handles a message ID in process like Publish. An ack that is not there when ctx ends, or within
// CallTime, may still come.
func (s *Store) Await(ctx context.Context, future jetstream.PubAckFuture) (*jetstream.PubAck, error) {
	select {
	case ack := <-future.Ok():
		return ack, nil
	case err := <-future.Err():
		return s.resolve(ctx, future.Msg(), nil, err)
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// resolve returns the result of a publish, unless it is inProcess: then it publishes the message
// again. The message has its ID in its header, where the first publish has set it.
func (s *Store) resolve(ctx context.Context, m *nats.Msg, ack *jetstream.PubAck, err error) (*jetstream.PubAck, error) {
	if !isInProcess(err) {
		return ack, err
	}
	err = repeatInProcess(ctx, func(ctx context.Context) (err error) {
		ack, err = s.JS.PublishMsg(ctx, m)
		return err
	})
	return ack, err
}

// repeatInProcess repeats a publish that NATS refused with inProcess until NATS stores it or reports
// a duplicate.
func repeatInProcess(ctx context.Context, publish func(context.Context) error) error {
	if _, bounded := ctx.Deadline(); !bounded {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, CallTime)
		defer cancel()
	}
	for usher.Sleep(ctx, inProcessPause) == nil {
		// Another error says nothing about the message of the other process.
		if err := publish(ctx); err == nil {
			return nil
		} else if !isInProcess(err) {
			return fmt.Errorf("%w: %w", ErrInProcess, err)
		}
	}
	return fmt.Errorf("%w: %w", ErrInProcess, context.Cause(ctx))
}
