package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/dev"
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
	where    dev.Addresses
}

func openStage(ctx context.Context, where dev.Addresses) (*stage, error) {
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
	c, err := config.Defaults()
	if err != nil {
		nc.Close()
		return nil, err
	}
	advertiser := c.String("platform.advertiser")
	login := rtb.New(rtb.Options{BaseURL: where.Platform, Advertiser: advertiser})
	tokens := rtb.NewTokens(func(ctx context.Context) (string, error) {
		return login.Auth.Token(ctx, c.String("platform.username"), c.String("platform.password"))
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
func (s *stage) fingerprint(ctx context.Context, of string) (imprint, error) {
	var f imprint
	err := s.control(ctx, http.MethodGet, of+"/fingerprint", "", &f)
	return f, err
}

// slowUploads makes the sandbox take its time over uploads into segments, as a
// platform far away does: there would be no progress to see otherwise.
func (s *stage) slowUploads(ctx context.Context, each time.Duration) error {
	order := fmt.Sprintf(`{"op":"segments.upload","kind":"slow","delayMs":%d,"times":1000000}`, each.Milliseconds())
	return s.control(ctx, http.MethodPost, "faults", order, nil)
}

// control asks for one of the sandbox's own controls; into may be nil.
func (s *stage) control(ctx context.Context, method, path, order string, into any) error {
	address := s.where.Platform + "/sandbox/" + path
	request, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(order))
	if err != nil {
		return fmt.Errorf("ask the sandbox: %w", err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("ask the sandbox: %w", err)
	}
	defer func() { _ = response.Body.Close() }() // only read
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("ask the sandbox: %s answers %s", address, response.Status)
	}
	if into == nil {
		return nil
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, 1<<16)).Decode(into); err != nil {
		return fmt.Errorf("read the sandbox's answer of %s: %w", address, err)
	}
	return nil
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
