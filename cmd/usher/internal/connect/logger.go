package connect

import (
	"fmt"
	"io"
	"log/slog"
	"time"

	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/terminal"
)

// NewLogger returns the configured logger, which writes to w.
func NewLogger(c config.Config, w io.Writer) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.String("log.level"))); err != nil {
		return nil, fmt.Errorf("read log.level: %w", err)
	}
	options := &slog.HandlerOptions{Level: level, ReplaceAttr: withUnits}
	if format := c.String("log.format"); format == "json" || format == "auto" && !terminal.IsTerminal(w) {
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
