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
	"usher/cmd/usher/internal/jobs"
	"usher/internal/ledger"
	"usher/queues"
	"usher/queues/status"
)

// Command returns usher ledger.
func Command() *cobra.Command {
	return command.Group("ledger", "Show, check and mend what usher knows of the ids on the platform",
		list(), show(), exportCommand(), diff(), verify(), adopt(), rollback(), drop())
}

// session is what a command works with.
type session struct {
	config config.Config
	queue  *queues.Queue
	store  *ledger.Store
	target ledger.Target // that the first argument names; zero: the command takes none
}

// all opens the ledger. more are flags of the configuration that a command takes in addition.
func all(more ...string) command.Session[*session] {
	return command.Session[*session]{
		Flags: func(cmd *cobra.Command) { config.AddFlags(cmd, append(more, "nats", "namespace", "advertiser")...) },
		Open: func(cmd *cobra.Command, use func(ctx context.Context, s *session) error) error {
			return connect.WithLedger(cmd, func(ctx context.Context, c config.Config, q *queues.Queue, store *ledger.Store) error {
				return use(ctx, &session{config: c, queue: q, store: store})
			})
		},
	}
}

// one is all for commands whose first argument is a target.
func one(more ...string) command.Session[*session] {
	s := all(more...).Completing(connect.Complete(jobs.TargetNames))
	open := s.Open
	s.Open = func(cmd *cobra.Command, use func(ctx context.Context, s *session) error) error {
		name := cmd.Flags().Arg(0)
		if _, err := ledger.ParseTarget("", name); err != nil {
			return command.Usagef("%w", err)
		}
		return open(cmd, func(ctx context.Context, s *session) (err error) {
			if s.target, err = ledger.ParseTarget(s.config.String("platform.advertiser"), name); err != nil {
				return err
			}
			return use(ctx, s)
		})
	}
	return s
}

// head returns the head of the target.
func (s *session) head(ctx context.Context) (ledger.Head, error) {
	t := s.target
	head, _, err := s.store.Head(ctx, t)
	if errors.Is(err, ledger.ErrNone) {
		return head, fmt.Errorf("read the ledger of %s: %w; a first mirror makes one, or usher ledger adopt %s EXPORT --profile P", t, err, t)
	}
	return head, err
}

// mustBeIdle returns an error if a job waits or runs on the target.
func (s *session) mustBeIdle(ctx context.Context) error {
	active, err := s.queue.Status().Records(ctx, status.Filter{States: []usher.State{usher.Queued, usher.Running, usher.Retrying}})
	if err != nil {
		return err
	}
	for i := range active {
		if t := s.target; targetOf(s.config, &active[i]) == t {
			return fmt.Errorf("job %s is %s on %s: wait until it has ended, or cancel it by usher jobs cancel %s", active[i].ID, active[i].State, t, active[i].ID)
		}
	}
	return nil
}
