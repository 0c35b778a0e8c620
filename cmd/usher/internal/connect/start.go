package connect

import (
	"log/slog"

	"github.com/nats-io/nats.go"

	"usher/cmd/usher/internal/config"
)

// LogStart logs this worker's name and version, its connections, its slots and the
// locations from which it may read.
func LogStart(c config.Config, nc *nats.Conn, version, consoleURL string, logger *slog.Logger) {
	places := make([]string, 0, len(c.Strings("sources.allow")))
	for _, place := range c.Strings("sources.allow") {
		places = append(places, config.HideLogin(place))
	}
	logger.Info("the worker runs", "version", version, "worker", WorkerName(c),
		"nats", nc.ConnectedUrlRedacted(), "natsVersion", nc.ConnectedServerVersion(),
		"redis", config.HideLogin(c.String("redis.url")), "platform", config.HideLogin(c.String("platform.url")), "advertiser", c.String("platform.advertiser"),
		slog.Group("lanes", "audience", c.Int("lanes.audience"), "bulk", c.Int("lanes.bulk"), "campaign", c.Int("lanes.campaign"), "rules", c.Int("lanes.rules")),
		"sources", places, "rules", c.Strings("rules.files"), "console", consoleURL)
}
