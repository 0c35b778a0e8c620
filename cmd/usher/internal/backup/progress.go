package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/ledger"
	"usher/internal/readable"
	"usher/queues/backups"
)

// progress shows which stream is saved or restored, how much of all, the rate and the time left.
type progress struct {
	counter *terminal.Counter
	verb    string
	total   int64 // 0: unknown
	atMost  bool  // total is that before compression
	now     func() time.Time

	stream, first string
	began         time.Time
	bytes         int64
}

func newProgress(w io.Writer, verb string, total int64, atMost bool) *progress {
	return &progress{counter: terminal.NewCounter(w), verb: verb, total: total, atMost: atMost, now: time.Now}
}

// Stream begins a stream. If a backup begins with the first one again, all is saved again.
func (p *progress) Stream(name string) {
	if p.stream = name; p.first == "" {
		p.first = name
	} else if p.atMost && p.first == name {
		p.bytes = 0
	}
	p.Add(0)
}

func (p *progress) Add(bytes int) {
	if p.bytes == 0 {
		p.began = p.now() // a restore has checked all files before
	}
	p.bytes += int64(bytes)
	p.counter.Printf("%s", p.text())
}

func (p *progress) text() string {
	text := fmt.Sprintf("%s %s, %s", p.verb, p.stream, readable.Bytes(p.bytes))
	atMost := ""
	if p.atMost {
		atMost = "at most "
	}
	if p.total > 0 {
		text += " of " + atMost + readable.Bytes(p.total)
	}
	took := p.now().Sub(p.began)
	if rate := float64(p.bytes) / took.Seconds(); took >= time.Second && rate >= 1 {
		text += ", " + readable.Bytes(int64(rate)) + "/s"
		if left := time.Duration(float64(p.total-p.bytes) / rate * float64(time.Second)); p.total > p.bytes {
			text += ", " + atMost + readable.Duration(left) + " left"
		}
	}
	return text
}

// session is what the commands work with.
type session struct {
	config config.Config
	nc     *nats.Conn
	logger *slog.Logger
}

// server returns the address of the NATS server to which the session is connected.
func (s *session) server() string { return config.HideLogin(s.nc.ConnectedUrl()) }

// opened is the session of both commands. If the login to NATS lacks a permission, the error says
// which login has it.
func opened() command.Session[*session] {
	return command.Session[*session]{
		Flags: func(cmd *cobra.Command) { config.AddFlags(cmd, "nats", "namespace", "log-level", "log-format") },
		Open: func(cmd *cobra.Command, use func(ctx context.Context, s *session) error) (err error) {
			s := &session{}
			if s.config, err = config.Load(cmd, os.LookupEnv); err != nil {
				return err
			}
			if s.logger, err = connect.NewLogger(s.config, cmd.ErrOrStderr()); err != nil {
				return err
			}
			if s.nc, err = connect.DialNATS(s.config, s.logger); err != nil {
				return err
			}
			defer connect.Drain(s.nc)
			err = connect.UnlessRefused(cmd.Context(), s.nc, s.logger, func(ctx context.Context) error { return use(ctx, s) })
			if errors.Is(err, nats.ErrPermissionViolation) {
				return fmt.Errorf("%w: use the administrator's login, such as the user admin of deploy/nats.conf", err)
			}
			return err
		},
	}
}

// openPlace opens a folder, or a bucket with a path such as s3://backups/usher/monday. The caller
// must call closed.
func openPlace(ctx context.Context, name string) (place backups.Place, closed func(), err error) {
	if !strings.Contains(name, "://") {
		return backups.Folder(name), func() {}, nil
	}
	bucket, err := ledger.OpenBucket(ctx, name)
	if err != nil {
		return nil, nil, fmt.Errorf("open %s: %w", config.HideLogin(name), err)
	}
	url, _, _ := strings.Cut(name, "?") // options may be long
	return backups.Bucket{URL: url, Bucket: bucket}, func() { _ = bucket.Close() }, nil
}
