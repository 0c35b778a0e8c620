package console

import (
	"context"
	"errors"
	"time"
)

// services implements console.Services, and the checks of /readyz.
type services struct{ parts Parts }

func (s services) NATS(ctx context.Context) error {
	if err := s.parts.Queue.Disconnected(); err != nil {
		return err
	}
	if _, err := s.parts.Queue.ServerTime(ctx); err != nil {
		return errors.New("connected, but without a response")
	}
	return nil
}

func (s services) Writes() error { return s.parts.Queue.Presence().CheckWrites() }

func (s services) Redis(ctx context.Context) error { return s.parts.Fleet.Probe(ctx) }

func (s services) Platform(ctx context.Context) error {
	if _, err := s.parts.Platform.Breaker.Outage(); err != nil {
		return err
	}
	return s.parts.Platform.CheckToken(ctx)
}

func (s services) Workers() (n int, oldest time.Duration) {
	return s.parts.Queue.Presence().Count(), s.parts.Queue.Presence().Oldest()
}
