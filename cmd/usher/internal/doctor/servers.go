package doctor

import (
	"context"
	"fmt"
	"strings"
	"time"

	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/internal/rtb"
	"usher/queues"
)

func (e *examination) examineRedis(ctx context.Context) queues.Finding {
	c := e.config
	rdb, err := connect.DialRedis(c)
	if err != nil {
		return finding("Redis", err, "")
	}
	defer func() { _ = rdb.Close() }() // nothing was written
	at := config.HideLogin(c.String("redis.url"))
	if err := e.ask(ctx, func(ctx context.Context) error { return rdb.Ping(ctx).Err() }); err != nil {
		return finding("Redis", fmt.Errorf("no response from %s: %w; check that it runs and that redis.url has its password", at, err), "")
	}
	_ = e.call(ctx, func(ctx context.Context) error { // the reading has the error
		return e.clocks.read(ctx, ownerRedis, func(ctx context.Context) (time.Time, error) { return rdb.Time(ctx).Result() })
	})
	version := "unknown"
	_ = e.call(ctx, func(ctx context.Context) error { // some roles may not ask
		info, err := rdb.Info(ctx, "server").Result()
		for line := range strings.Lines(info) {
			if v, ok := strings.CutPrefix(line, "redis_version:"); ok {
				version = strings.TrimSpace(v)
			}
		}
		return err
	})
	return finding("Redis", nil, fmt.Sprintf("version %s at %s", version, at))
}

func (e *examination) examinePlatform(ctx context.Context) queues.Finding {
	c := e.config
	base, user, advertiser := c.String("platform.url"), c.String("platform.username"), c.String("platform.advertiser")
	ctx, cancel := context.WithTimeout(ctx, e.limits.check)
	defer cancel()
	secure, err := connect.ClientTLS(c, "platform")
	if err != nil {
		return finding("platform", err, "")
	}
	client := rtb.New(rtb.Options{BaseURL: base, Advertiser: advertiser, HTTP: rtb.NewHTTPClient(1, time.Minute, secure), Observe: e.clocks.observe})
	_, err = client.Auth.Token(ctx, user, c.String("platform.password"))
	if err != nil {
		err = fmt.Errorf("log in as %q of %s at %s: %w", user, advertiser, config.HideLogin(base), err)
	}
	return finding("platform", err, fmt.Sprintf("logged in as %q of %s at %s", user, advertiser, config.HideLogin(base)))
}
