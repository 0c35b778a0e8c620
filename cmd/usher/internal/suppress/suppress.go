package suppress

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/terminal"
	"usher/hashing"
	"usher/internal/ledger"
	"usher/internal/readable"
	"usher/queues"
)

// Command returns usher suppress.
func Command() *cobra.Command {
	return command.Group("suppress", "List and change the ids that no job uploads", list(), add(), remove())
}

// session is what a command works with.
type session struct {
	queue *queues.Queue
	store *ledger.Store
}

// list returns the managed suppression list.
func (s session) list() ledger.Suppression { return s.store.Suppression() }

// opened connects to NATS and opens the ledger, in which the list is kept.
func opened() command.Session[session] {
	return command.Session[session]{
		Flags: connect.AddQueueFlags,
		Open: func(cmd *cobra.Command, use func(ctx context.Context, s session) error) error {
			return connect.WithLedger(cmd, func(ctx context.Context, _ config.Config, q *queues.Queue, store *ledger.Store) error {
				return use(ctx, session{q, store})
			})
		},
	}
}

// entry is a suppressed digest.
type entry struct {
	Digest string `json:"digest"`
}

func list() *cobra.Command {
	return command.List[session, entry]{
		About: command.About{
			Use: "ls", Aliases: []string{"list"},
			Short: "List the suppressed digests",
			Long: `List the digests of the managed suppression list, which 'device.forget' jobs and 'usher
suppress add' have put there. The file of upload.suppression is not listed.`,
			Example: "  usher suppress ls --json",
			JSON:    "an array of objects with a digest each",
		},
		On: opened(),
		Each: func(ctx context.Context, _ *command.Call, s session, visit func(entry) error) error {
			return s.list().Each(ctx, func(d hashing.Digest) error { return visit(entry{d.String()}) })
		},
		Columns: []command.Column{{}},
		Row:     func(e *entry, _ terminal.Times) []string { return []string{e.Digest} },
		None:    "the suppression list is empty",
		Lines:   true,
	}.Command()
}

// RepairCommand returns usher repair suppression.
func RepairCommand() *cobra.Command {
	return command.Act[session, string]{
		About: command.About{
			Use:   "suppression",
			Short: "Rebuild a damaged suppression list",
			Long: `Rebuild a suppression list that is damaged: of what can be read of its files, and of the
digests of all device.forget jobs whose receipts are kept (100 days). Ids that were added by
hand or forgotten before, and were in a file that is lost, must be added again. Ids of these
jobs that were taken off the list by hand are on it again. A list from a backup is better.`,
			Example: "  usher repair suppression",
		},
		On: opened(),
		Plan: func(_ context.Context, c *command.Call, s session) (command.Plan[string], error) {
			return command.Plan[string]{
				Question: "Replace the suppression list by what can be read of it?",
				Do:       func(ctx context.Context) (string, error) { return s.rebuild(ctx, c) },
			}, nil
		},
		Verb: "rebuild", Done: "rebuilt",
		Print: (*command.Call).Println,
	}.Command()
}

func (s session) rebuild(ctx context.Context, c *command.Call) (string, error) {
	r, err := s.list().Rebuild(ctx, newID())
	if errors.Is(err, ledger.ErrWhole) {
		return "", fmt.Errorf("rebuild: %w: nothing was changed", err)
	}
	if err != nil {
		return "", err
	}
	text := fmt.Sprintf("%s on the list; lost, at least in part: %s", readable.Count(r.Digests, "digest"), strings.Join(r.Lost, ", "))
	return text, s.queue.Audit().Setting(ctx, s.queue.Now(), "suppression list", "damaged", text, c.By())
}
