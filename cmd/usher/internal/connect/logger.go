package connect

import (
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go"

	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
)

// NewLogger returns the configured logger, which writes to w.
func NewLogger(c config.Config, w io.Writer) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.String("log.level"))); err != nil {
		return nil, fmt.Errorf("read log.level: %w", err)
	}
	onTerminal := terminal.IsTerminal(w)
	w = readable.Escaped(w) // a handler writes a line with each write
	options := &slog.HandlerOptions{Level: level, ReplaceAttr: withUnits}
	if format := c.String("log.format"); format == "json" || format == "auto" && !onTerminal {
		return slog.New(slog.NewJSONHandler(w, options)), nil
	}
	return slog.New(slog.NewTextHandler(w, options)), nil
}

// withUnits writes durations with a unit: in JSON they would be nanoseconds.
func withUnits(_ []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() == slog.KindDuration {
		a.Value = slog.StringValue(a.Value.Duration().Round(time.Microsecond).String())
	}
	return a
}

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
