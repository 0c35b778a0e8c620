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
	"usher/queues/status"
)

// stage has the demo's connections: to NATS, as a publisher has one, and to the platform
// with an ordinary login.
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
	queue, err := queues.Open(ctx, nc, queues.Options{Worker: "usher-demo"})
	if err != nil {
		nc.Close()
		return nil, err
	}
	c, err := config.Defaults()
	if err != nil {
		nc.Close()
		return nil, err
	}
	platform := rtb.NewWithLogin(rtb.Options{BaseURL: where.Platform, Advertiser: c.String("platform.advertiser")},
		c.String("platform.username"), c.String("platform.password"))
	return &stage{nc: nc, js: js, queue: queue, platform: platform, where: where}, nil
}

func (s *stage) close() { s.nc.Close() }

// request publishes a job through usher.submit.<kind>. It returns the response and the
// job's id.
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
		// The worker serves requests shortly after it is up.
		if err := usher.Sleep(ctx, 20*time.Millisecond); err != nil {
			return nil, "", fmt.Errorf("submit %s over NATS: no responder: %w", kind, err)
		}
	}
	var reply queues.Answer
	if err := json.Unmarshal(answer, &reply); err != nil {
		return answer, "", fmt.Errorf("read the answer to %s: %w", kind, err)
	}
	if reply.ID == "" {
		return answer, "", fmt.Errorf("submit %s over NATS: refused: %s", kind, answer)
	}
	return answer, reply.ID, nil
}

// awaitEnd waits until a run of a job has ended.
func (s *stage) awaitEnd(ctx context.Context, id string, run int) (usher.Record, error) {
	for {
		r, err := s.queue.Status().Record(ctx, id)
		switch {
		case err == nil && r.Run >= run && r.State.Ended():
			return r, nil
		case err != nil && !errors.Is(err, status.ErrNoJob):
			return r, fmt.Errorf("wait for job %s: %w", id, err)
		}
		if err := usher.Sleep(ctx, 50*time.Millisecond); err != nil {
			return r, fmt.Errorf("wait for job %s: %w", id, err)
		}
	}
}

// fingerprint returns the fingerprint that the sandbox reports for a set of members.
func (s *stage) fingerprint(ctx context.Context, set string) (fingerprint, error) {
	var f fingerprint
	err := s.control(ctx, http.MethodGet, set+"/fingerprint", "", &f)
	return f, err
}

// slowUploads delays the sandbox's responses to uploads into segments, so that the demo
// can show progress.
func (s *stage) slowUploads(ctx context.Context, each time.Duration) error {
	order := fmt.Sprintf(`{"op":"segments.upload","kind":"slow","delayMs":%d,"times":1000000}`, each.Milliseconds())
	return s.control(ctx, http.MethodPost, "faults", order, nil)
}

// control calls the sandbox's control interface and decodes the response into into,
// which may be nil.
func (s *stage) control(ctx context.Context, method, path, order string, into any) error {
	address := s.where.Platform + "/sandbox/" + path
	request, err := http.NewRequestWithContext(ctx, method, address, strings.NewReader(order))
	if err != nil {
		return fmt.Errorf("call the sandbox: %w", err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("call the sandbox: %w", err)
	}
	defer func() { _ = response.Body.Close() }() // only read
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("call the sandbox: %s answered %s", address, response.Status)
	}
	if into == nil {
		return nil
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, 1<<16)).Decode(into); err != nil {
		return fmt.Errorf("decode the sandbox's response from %s: %w", address, err)
	}
	return nil
}
