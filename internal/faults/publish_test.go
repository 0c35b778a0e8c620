package faults_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
)

// publisher publishes jobs one at a time, as a CRM system should: it publishes each job again
// and again until it has received the PubAck.
type publisher struct {
	site *site

	mu sync.Mutex
	nc *nats.Conn
}

func newPublisher(s *site) *publisher {
	s.t.Helper()
	p := &publisher{site: s}
	if _, err := p.connected(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { p.nc.Close() })
	return p
}

// connected returns the connection. It makes a new one if NATS has closed it for good, as it does after
// a message that is larger than max_payload.
func (p *publisher) connected() (nc *nats.Conn, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.nc == nil || p.nc.IsClosed() {
		if nc, err = p.site.cluster.dial("publisher"); err != nil {
			return nil, err
		}
		p.nc = nc
	}
	return p.nc, nil
}

// publication is a wave that is being published.
type publication struct {
	acked   atomic.Int64 // jobs whose PubAck was received
	running sync.WaitGroup
	err     error // valid after wait
}

// publish starts to publish jobs: the first half without pauses, the rest with them.
func (p *publisher) publish(ctx context.Context, wave []*job, pause time.Duration) *publication {
	running := &publication{}
	running.running.Go(func() {
		ctx, cancel := context.WithTimeout(ctx, 2*patience)
		defer cancel()
		tick := time.NewTicker(pause)
		defer tick.Stop()
		for i, j := range wave {
			if running.err = p.send(ctx, j); running.err != nil {
				return
			}
			running.acked.Add(1)
			if i >= len(wave)/2 {
				select {
				case <-tick.C:
				case <-ctx.Done():
				}
			}
		}
	})
	return running
}

func (p *publication) wait() error {
	p.running.Wait()
	return p.err
}

// send publishes a job until NATS, or usher, has accepted it.
func (p *publisher) send(ctx context.Context, j *job) error {
	body := map[string]any{"id": j.id}
	maps.Copy(body, j.body)
	data, err := json.Marshal(body)
	if err != nil {
		return err
	}
	for copies := 0; ; {
		err := p.once(j, data, copies)
		if err == nil {
			if copies++; copies == 1+j.copies {
				return nil
			}
			continue
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-ctx.Done():
			return fmt.Errorf("publish job %s: %w", j.id, err)
		}
	}
}

// once makes one attempt to publish a job.
func (p *publisher) once(j *job, data []byte, copies int) error {
	m := nats.NewMsg("usher.jobs." + j.kind)
	m.Data = data
	if j.submit {
		m.Subject = "usher.submit." + j.kind
	} else if copies == 0 { // further copies have no id, so that NATS does not drop them
		m.Header.Set("Nats-Msg-Id", j.id)
	}
	nc, err := p.connected()
	if err != nil {
		return err
	}
	answer, err := nc.RequestMsg(m, 3*time.Second)
	if errors.Is(err, nats.ErrMaxPayload) { // the next connection knows a limit that was raised
		nc.Close()
	}
	if err != nil {
		return err
	}
	var reply struct {
		Stream string          `json:"stream"`
		ID     string          `json:"id"`
		Error  json.RawMessage `json:"error"`
		Errors json.RawMessage `json:"errors"`
	}
	if err := json.Unmarshal(answer.Data, &reply); err != nil {
		return fmt.Errorf("answer %q: %w", answer.Data, err)
	}
	if reply.Error != nil || reply.Errors != nil || reply.Stream == "" && reply.ID != j.id {
		return fmt.Errorf("answer %s", answer.Data)
	}
	return nil
}
