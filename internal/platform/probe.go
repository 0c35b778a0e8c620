package platform

import (
	"context"
	"fmt"
	"time"

	"github.com/cenkalti/backoff/v4"
)

// probe makes one call to the platform, without the breaker and the limiter.
func (p *Platform) probe(ctx context.Context) error {
	_, err := p.probing.Segments.List(ctx)
	return err
}

// AwaitUp probes the platform at an interval until it answers. It logs each error
// that differs from the one before. If ctx ends first, it returns the last error.
func (p *Platform) AwaitUp(ctx context.Context, interval time.Duration) error {
	var last error
	logged := ""
	err := backoff.Retry(func() error {
		last = p.probe(ctx)
		if last != nil && last.Error() != logged && ctx.Err() == nil {
			logged = last.Error()
			p.options.Logger.Warn("waiting for the platform, which is not up yet", "error", last)
		}
		return last
	}, backoff.WithContext(backoff.NewConstantBackOff(interval), ctx))
	if err != nil {
		return fmt.Errorf("wait for the platform at %s: %w", p.options.URL, last)
	}
	return nil
}
