package main

import (
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/mattn/go-isatty"
)

// newLogger is the configured logger: JSON for machines, text for people.
func newLogger(c config, w io.Writer) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.String("log.level"))); err != nil {
		return nil, fmt.Errorf("read log.level: %w", err)
	}
	options := &slog.HandlerOptions{Level: level, ReplaceAttr: withUnits}
	if format := c.String("log.format"); format == "json" || format == "auto" && !onTerminal(w) {
		return slog.New(slog.NewJSONHandler(w, options)), nil
	}
	return slog.New(slog.NewTextHandler(w, options)), nil
}

// withUnits writes durations as people do: JSON would have nanoseconds.
func withUnits(_ []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() == slog.KindDuration {
		a.Value = slog.StringValue(a.Value.Duration().Round(time.Microsecond).String())
	}
	return a
}

// onTerminal reports whether w is a terminal: bars and colours are for people.
func onTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// hideLogin is a URL, or several with commas, without the secrets that may
// stand in it.
func hideLogin(raw string) string {
	urls := strings.Split(raw, ",")
	for i, one := range urls {
		urls[i] = hideOneLogin(strings.TrimSpace(one))
	}
	return strings.Join(urls, ",")
}

func hideOneLogin(one string) string {
	const assumed = "nats://" // of what has no scheme
	schemed := strings.Contains(one, "://")
	if !schemed {
		one = assumed + one
	}
	u, err := url.Parse(one)
	if err != nil {
		return "(a URL that cannot be read)"
	}
	if _, has := u.User.Password(); u.User != nil && !has {
		u.User = url.User("xxxxx") // NATS takes a token there
	}
	if !schemed {
		return strings.TrimPrefix(u.Redacted(), assumed)
	}
	return u.Redacted()
}
