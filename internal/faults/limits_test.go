package faults_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/nats-io/nats.go"
)

// limits returns the faults of limits of NATS.
func limits() []kind {
	return []kind{
		{name: "stream of uploads full", inject: (*cycle).fillStream},
		{name: "max_payload lowered", inject: (*cycle).lowerPayload},
	}
}

// largeJob has so many devices in its message, which are 20 kB.
const largeJob = 500

// fillStream fills the stream of uploads: a person has paused their lane, and jobs were published
// until there is no room. Further ones are refused until the fault ends; pauses go on.
func (c *cycle) fillStream() (fault, error) {
	lane := func(verb string) error {
		if out, err := c.site.usher("lanes", verb, "audience", "--reason", "fault campaign"); err != nil {
			return fmt.Errorf("usher lanes %s: %w: %s", verb, err, out)
		}
		return nil
	}
	js, err := c.observe.nc.JetStream(nats.MaxWait(5 * time.Second))
	if err != nil {
		return fault{}, err
	}
	if err := lane("pause"); err != nil {
		return fault{}, errMissed(err.Error())
	}
	resume := func() error { return within(patience, func() error { return lane("resume") }) }
	for range 5 {
		c.add(c.jobs.inline(largeJob))
	}
	var before int64
	if err := within(effective, func() error {
		for _, p := range c.added {
			if p.acked.Load() == 0 {
				return errors.New("large jobs are being published")
			}
		}
		info, err := js.StreamInfo("USHER_JOBS")
		if err != nil {
			return err
		}
		config := info.Config
		before, config.MaxBytes = config.MaxBytes, int64(info.State.Bytes)
		_, err = js.UpdateStream(&config)
		return err
	}); err != nil {
		return fault{}, errors.Join(errMissed(err.Error()), resume())
	}
	refused := c.add(c.jobs.inline(largeJob))
	return fault{missed: func() string {
		if refused.acked.Load() > 0 {
			return "the stream has taken another job"
		}
		return ""
	}, heal: func() error {
		return errors.Join(within(patience, func() error {
			info, err := js.StreamInfo("USHER_JOBS")
			if err != nil {
				return err
			}
			config := info.Config
			config.MaxBytes = before
			_, err = js.UpdateStream(&config)
			return err
		}), resume())
	}, during: func() error {
		if err := c.site.named("streams", "stream USHER_JOBS is"); err != nil {
			return err
		}
		return c.pauses()
	}, hold: 3 * time.Second}, nil
}

// lowerPayload lets the nodes of NATS reload a lower max_payload. What is larger is refused until it
// is raised again, and a worker that sends it loses its connection; all other jobs go on.
func (c *cycle) lowerPayload() (fault, error) {
	set := func(bytes int) error {
		for i, node := range c.site.cluster.nodes {
			path := filepath.Join(c.site.dir, fmt.Sprintf("nats-%d.conf", i+1))
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			config, _, _ := strings.Cut(string(text), "max_payload:")
			if err := os.WriteFile(path, fmt.Appendf(nil, "%smax_payload: %d\n", config, bytes), 0o600); err != nil {
				return err
			}
			node.signal(syscall.SIGHUP)
		}
		return nil
	}
	if err := set(12 << 10); err != nil {
		return fault{}, err
	}
	large := c.jobs.inline(largeJob)
	large.submit = c.random.IntN(2) == 0
	refused := c.add(large)
	return fault{missed: func() string {
		if refused.acked.Load() > 0 {
			return "NATS has taken the large job"
		}
		return ""
	}, heal: func() error { return set(1 << 20) }, during: c.pauses, hold: 5 * time.Second}, nil
}
