package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync/atomic"

	"github.com/nats-io/nats.go"
	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
)

// progress shows which stream is saved or restored, and how much of all.
type progress struct {
	counter *terminal.Counter
	verb    string
	total   int64 // 0: unknown
	stream  string
	bytes   atomic.Int64
}

func newProgress(w io.Writer, verb string, total int64) *progress {
	return &progress{counter: terminal.NewCounter(w), verb: verb, total: total}
}

func (p *progress) Stream(name string) { p.stream = name; p.Add(0) }

func (p *progress) Add(bytes int) {
	done := readable.Bytes(p.bytes.Add(int64(bytes)))
	if p.total > 0 {
		done += " of " + readable.Bytes(p.total)
	}
	p.counter.Printf("%s %s, %s", p.verb, p.stream, done)
}

// withNATS connects to NATS and calls use. If the login lacks a permission, the error says which
// login has it.
func withNATS(cmd *cobra.Command, use func(ctx context.Context, c config.Config, nc *nats.Conn, logger *slog.Logger) error) error {
	c, err := config.Load(cmd, os.LookupEnv)
	if err != nil {
		return err
	}
	logger, err := connect.NewLogger(c, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	nc, err := connect.DialNATS(c, logger)
	if err != nil {
		return err
	}
	defer connect.Drain(nc)
	err = connect.UnlessRefused(cmd.Context(), nc, logger, func(ctx context.Context) error { return use(ctx, c, nc, logger) })
	if errors.Is(err, nats.ErrPermissionViolation) {
		return fmt.Errorf("%w: use the administrator's login, such as the user admin of deploy/nats.conf", err)
	}
	return err
}
