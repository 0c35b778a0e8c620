package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/internal/rtb"
	"usher/queues"
)

// stage is the demo's view of the house, from outside: NATS as a publisher has
// it, the platform as anybody with a login has it.
type stage struct {
	nc       *nats.Conn
	js       jetstream.JetStream
	queue    *queues.Queue
	platform *rtb.Client
	where    addresses
}

func openStage(ctx context.Context, where addresses) (*stage, error) {
	nc, err := nats.Connect(where.NATS, nats.Name("usher demo"))
	if err != nil {
		return nil, fmt.Errorf("connect to the demo's NATS: %w", err)
	}
	js, err := jetstream.New(nc)
	if err != nil {
		nc.Close()
		return nil, fmt.Errorf("open the demo's JetStream: %w", err)
	}
	queue, err := queues.Open(ctx, nc, queues.Options{Worker: "demo's eye"})
	if err != nil {
		nc.Close()
		return nil, err
	}
	c, err := loadDefaults()
	if err != nil {
		nc.Close()
		return nil, err
	}
	advertiser := c.String("platform.advertiser")
	login := rtb.New(rtb.Options{BaseURL: where.Platform, Advertiser: advertiser})
	tokens := rtb.NewTokens(func(ctx context.Context) (string, error) {
		return login.Login(ctx, c.String("platform.username"), c.String("platform.password"))
	})
	platform := rtb.New(rtb.Options{BaseURL: where.Platform, Advertiser: advertiser, Tokens: tokens})
	return &stage{nc: nc, js: js, queue: queue, platform: platform, where: where}, nil
}

func (s *stage) close() { s.nc.Close() }

// request asks usher.submit.<kind> to publish a job, and returns the answer as
// it came and the job's id.
func (s *stage) request(ctx context.Context, kind usher.Kind, body []byte) (answer []byte, id string, err error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for {
		m, err := s.nc.RequestWithContext(ctx, "usher.submit."+string(kind), body)
		if err == nil {
			answer = m.Data
			break
		}
		if !errors.Is(err, nats.ErrNoResponders) {
			return nil, "", fmt.Errorf("submit %s over NATS: %w", kind, err)
		}
		// The worker is up a moment before it serves requests.
		if err := rest(ctx, 20*time.Millisecond); err != nil {
			return nil, "", fmt.Errorf("submit %s over NATS: nobody answers: %w", kind, err)
		}
	}
	var said queues.Answer
	if err := json.Unmarshal(answer, &said); err != nil {
		return answer, "", fmt.Errorf("read the answer to %s: %w", kind, err)
	}
	if said.ID == "" {
		return answer, "", fmt.Errorf("submit %s over NATS: it was refused: %s", kind, answer)
	}
	return answer, said.ID, nil
}

// ended waits until a run of a job has ended.
func (s *stage) ended(ctx context.Context, id string, run int) (usher.Record, error) {
	for {
		r, err := s.queue.Record(ctx, id)
		switch {
		case err == nil && r.Run >= run && r.State.Ended():
			return r, nil
		case err != nil && !errors.Is(err, queues.ErrNoJob):
			return r, fmt.Errorf("wait for job %s: %w", id, err)
		}
		if err := rest(ctx, 50*time.Millisecond); err != nil {
			return r, fmt.Errorf("wait for job %s: %w", id, err)
		}
	}
}

// fingerprint is what the sandbox tells of the members of something.
func (s *stage) fingerprint(ctx context.Context, of string) (fingerprint, error) {
	var f fingerprint
	address := s.where.Platform + "/sandbox/" + of + "/fingerprint"
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return f, fmt.Errorf("ask the sandbox for a fingerprint: %w", err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return f, fmt.Errorf("ask the sandbox for a fingerprint: %w", err)
	}
	defer func() { _ = response.Body.Close() }() // only read
	if response.StatusCode != http.StatusOK {
		return f, fmt.Errorf("ask the sandbox for a fingerprint: %s answers %s", address, response.Status)
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, 1<<16)).Decode(&f); err != nil {
		return f, fmt.Errorf("read the sandbox's fingerprint: %w", err)
	}
	return f, nil
}

// rest waits, or returns the context's cause.
func rest(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(d):
		return nil
	}
}
