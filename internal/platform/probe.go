package platform

import (
	"context"
	"fmt"
	"time"

	"github.com/cenkalti/backoff/v4"
)

// probe makes one call of the platform, which passes neither the breaker nor the
// limiter.
func (p *Platform) probe(ctx context.Context) error {
	_, err := p.probing.Segments.List(ctx)
	return err
}

// AwaitUp probes the platform at an interval until it answers. It logs each new
// reason why it does not.
func (p *Platform) AwaitUp(ctx context.Context, interval time.Duration) error {
	var last error
	logged := ""
	err := backoff.Retry(func() error {
		last = p.probe(ctx)
		if last != nil && last.Error() != logged && ctx.Err() == nil {
			logged = last.Error()
			p.options.Logger.Warn("not up yet, waiting for the platform", "error", last)
		}
		return last
	}, backoff.WithContext(backoff.NewConstantBackOff(interval), ctx))
	if err != nil {
		return fmt.Errorf("wait for the platform at %s: %w", p.options.URL, last)
	}
	return nil
}
