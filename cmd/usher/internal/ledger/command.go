package ledger

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

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
	head, _, err := s.headAndRevision(ctx)
	return head, err
}

// headAndRevision returns the head of the target and its revision.
func (s *session) headAndRevision(ctx context.Context) (ledger.Head, uint64, error) {
	t := s.target
	head, revision, err := s.store.Head(ctx, t)
	if errors.Is(err, ledger.ErrNone) {
		return head, revision, fmt.Errorf("read the ledger of %s: %w; a first mirror makes one, or usher ledger adopt %s EXPORT --profile P", t, err, t)
	}
	return head, revision, err
}

// mustBeIdle returns an error if a job waits or runs on the target, and otherwise the last runs of the
// jobs that have run on it.
func (s *session) mustBeIdle(ctx context.Context) (runs map[string]int, err error) {
	runs = map[string]int{}
	active, err := s.queue.Status().Records(ctx, status.Filter{Match: func(r *usher.Record) bool {
		if targetOf(s.config, r) != s.target {
			return false
		}
		if !r.IsDryRun() {
			runs[r.ID] = r.Run
		}
		return !r.State.Ended()
	}})
	if err != nil {
		return nil, err
	}
	if len(active) > 0 {
		return nil, fmt.Errorf("job %s is %s on %s: wait until it has ended, or cancel it by usher jobs cancel %s", active[0].ID, active[0].State, s.target, active[0].ID)
	}
	return runs, nil
}

// mustBeAsBefore returns an error if a job waits or runs on the target, or has run since mustBeIdle
// returned runs. Without a ledger, its head does not show that.
func (s *session) mustBeAsBefore(ctx context.Context, runs map[string]int) error {
	now, err := s.mustBeIdle(ctx)
	if err != nil {
		return err
	}
	for _, job := range slices.Sorted(maps.Keys(now)) {
		if runs[job] != now[job] {
			return fmt.Errorf("%s was changed meanwhile by job %s: run the command again", s.target, job)
		}
	}
	return nil
}

// overtaken says what to do if an error is that the head was changed since the plan was made.
func (s *session) overtaken(err error) error {
	if errors.Is(err, ledger.ErrConflict) {
		return fmt.Errorf("%s was changed meanwhile by another command or job: run the command again", s.target)
	}
	return err
}
