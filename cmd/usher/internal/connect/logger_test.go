package connect_test

import (
	"errors"
	"strings"
	"testing"

	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
)

// Texts of strangers cannot change the order of what people read in a log.
func TestBidirectionalControlsInLogs(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"json", "text"} {
		c, err := config.Defaults()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Set("log.format", format); err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		logger, err := connect.NewLogger(c, &out)
		if err != nil {
			t.Fatal(err)
		}
		logger.Warn("ends", "job", "gpj.\u202exe", "error", errors.New("a\u2066b"))
		if strings.ContainsAny(out.String(), "\u202e\u2066") || !strings.Contains(out.String(), `gpj.\u202exe`) || !strings.Contains(out.String(), `a\u2066b`) {
			t.Errorf("%s: %s", format, out.String())
		}
	}
}
