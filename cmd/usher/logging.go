package main

import (
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"os"

	"github.com/mattn/go-isatty"
)

// newLogger is the configured logger: JSON for machines, text for people.
func newLogger(c config, w io.Writer) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.String("log.level"))); err != nil {
		return nil, fmt.Errorf("key log.level takes debug, info, warn or error, not %q", c.String("log.level"))
	}
	options := &slog.HandlerOptions{Level: level}
	switch format := c.String("log.format"); {
	case format == "json", format == "auto" && !onTerminal(w):
		return slog.New(slog.NewJSONHandler(w, options)), nil
	case format == "text", format == "auto":
		return slog.New(slog.NewTextHandler(w, options)), nil
	default:
		return nil, fmt.Errorf("key log.format takes json, text or auto, not %q", format)
	}
}

// onTerminal reports whether w is a terminal: bars and colours are for people.
func onTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// hideLogin is a URL without the secrets that may stand in it.
func hideLogin(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return "(a URL that cannot be read)"
	}
	return u.Redacted()
}
