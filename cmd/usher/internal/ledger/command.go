package ledger

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/ledger"
	"usher/queues"
	"usher/queues/status"
)

// Command returns usher ledger.
func Command() *cobra.Command {
	return command.Group("ledger", "Show, check and mend what usher knows of the ids on the platform",
		list(), show(), diff(), verify(), adopt(), rollback(), drop())
}

// session is what a command works with.
type session struct {
	cmd    *cobra.Command
	config config.Config
	queue  *queues.Queue
	store  *ledger.Store
}

// open connects to NATS and opens the ledger.
func open(cmd *cobra.Command, use func(ctx context.Context, s *session) error) error {
	return connect.WithLedger(cmd, func(ctx context.Context, c config.Config, q *queues.Queue, store *ledger.Store) error {
		return use(ctx, &session{cmd, c, q, store})
	})
}

// openTarget is open for a command on a target.
func openTarget(cmd *cobra.Command, name string, use func(ctx context.Context, s *session, t ledger.Target) error) error {
	if _, err := ledger.ParseTarget("", name); err != nil {
		return command.Usagef("%w", err)
	}
	return open(cmd, func(ctx context.Context, s *session) error {
		t, err := ledger.ParseTarget(s.config.String("platform.advertiser"), name)
		if err != nil {
			return err
		}
		return use(ctx, s, t)
	})
}

// addFlags adds the flags that open reads.
func addFlags(cmd *cobra.Command, more ...string) {
	config.AddFlags(cmd, append(more, "nats", "namespace", "advertiser")...)
}

// head returns the head of a target.
func (s *session) head(ctx context.Context, t ledger.Target) (ledger.Head, error) {
	head, _, err := s.store.Head(ctx, t)
	if errors.Is(err, ledger.ErrNone) {
		return head, fmt.Errorf("read the ledger of %s: %w; a first mirror makes one, or usher ledger adopt %s EXPORT --profile P", t, err, t)
	}
	return head, err
}

// mustBeIdle returns an error if a job waits or runs on a target.
func (s *session) mustBeIdle(ctx context.Context, t ledger.Target) error {
	active, err := s.queue.Status().Records(ctx, status.Filter{States: []usher.State{usher.Queued, usher.Running, usher.Retrying}})
	if err != nil {
		return err
	}
	for i := range active {
		if targetOf(s.config, &active[i]) == t {
			return fmt.Errorf("job %s is %s on %s: wait until it has ended, or cancel it by usher jobs cancel %s", active[i].ID, active[i].State, t, active[i].ID)
		}
	}
	return nil
}

// question is the confirmation of a command that changes a ledger.
type question struct {
	command.Actor
	yes bool
}

func (q *question) addFlags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&q.yes, "yes", false, "do not ask")
	q.AddFlags(cmd)
}

// confirmed reports whether the answer is yes. Without an answer it returns terminal.ErrNoAnswer,
// so that a script does not go on.
func (q *question) confirmed(cmd *cobra.Command, text string) (bool, error) {
	if q.yes {
		return true, nil
	}
	return terminal.Confirm(cmd.InOrStdin(), cmd.ErrOrStderr(), text)
}
