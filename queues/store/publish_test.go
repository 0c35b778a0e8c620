package store_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher/queues/queuetest"
	"usher/queues/store"
)

// messageOf returns a message about a job with a message ID.
func messageOf(s *store.Store, job, id string) *nats.Msg {
	m := nats.NewMsg(s.Parts(job))
	m.Header.Set(jetstream.MsgIDHeader, id)
	return m
}

// Two processes publish messages with the same IDs at the same time on a stream with replicas.
// Both learn that the messages are stored, and they are stored once.
func TestPublishTheSameAtOnce(t *testing.T) {
	t.Parallel()
	const rounds, perBatch = 40, 3
	b := queuetest.NewReplicated(t)
	processes := []*store.Store{b.Queue(t).Store(), b.Beside(t).Queue(t).Store()}
	for way, publish := range map[string]func(ctx context.Context, s *store.Store, id string) error{
		"one": func(ctx context.Context, s *store.Store, id string) error {
			_, err := s.Publish(ctx, messageOf(s, "one", id))
			return err
		},
		"future": func(ctx context.Context, s *store.Store, id string) error {
			future, err := s.JS.PublishMsgAsync(messageOf(s, "future", id))
			if err == nil {
				_, err = s.Await(ctx, future)
			}
			return err
		},
		"batch": func(ctx context.Context, s *store.Store, id string) error {
			var batch []*nats.Msg
			for i := range perBatch {
				batch = append(batch, messageOf(s, "batch", fmt.Sprint(id, "/", i)))
			}
			return s.PublishAtomically(ctx, batch)
		},
	} {
		for i := range rounds {
			var both sync.WaitGroup
			begin := make(chan struct{})
			for _, s := range processes {
				both.Go(func() {
					<-begin
					if err := publish(t.Context(), s, fmt.Sprint(way, i)); err != nil {
						t.Errorf("%s, round %d: %v", way, i, err)
					}
				})
			}
			close(begin)
			both.Wait()
		}
		stream, err := processes[0].Stream(t.Context(), processes[0].PartsStream())
		if err != nil {
			t.Fatal(err)
		}
		subject, want := processes[0].Parts(way), uint64(rounds)
		if way == "batch" {
			want *= perBatch
		}
		info, err := stream.Info(t.Context(), jetstream.WithSubjectFilter(subject))
		if err != nil {
			t.Fatal(err)
		}
		if got := info.State.Subjects[subject]; got != want {
			t.Errorf("%s: %d messages are stored, not %d", way, got, want)
		}
	}
}

// While it is not known whether the message of another process is stored, a message with the same
// ID is neither published nor refused for certain.
func TestPublishInProcess(t *testing.T) {
	t.Parallel()
	b := queuetest.NewReplicated(t)
	s := b.Queue(t).Store()
	b.StopFollowers(t, s.PartsStream())
	for way, publish := range map[string]func(context.Context) error{
		"one": func(ctx context.Context) error {
			_, err := s.Publish(ctx, messageOf(s, "j1", "one"))
			return err
		},
		"batch": func(ctx context.Context) error {
			return s.PublishAtomically(ctx, []*nats.Msg{messageOf(s, "j1", "batch-1"), messageOf(s, "j1", "batch-2")})
		},
	} {
		for _, known := range []bool{false, true} { // whether the leader has a message with the ID already
			ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
			err := publish(ctx)
			cancel()
			refusal := new(jetstream.APIError)
			if !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, store.ErrInProcess) != known || errors.As(err, &refusal) {
				t.Errorf("%s, in process before: %t: %v", way, known, err)
			}
		}
	}
}
