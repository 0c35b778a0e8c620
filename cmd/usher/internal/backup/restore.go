package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/queues/backups"
	"usher/queues/heads"
	"usher/queues/lanes"
	"usher/queues/presence"
)

// restored is what usher restore prints with --json.
type restored struct {
	Folder   string       `json:"folder"`
	Saved    time.Time    `json:"saved"` // until when jobs are in the backup
	Messages uint64       `json:"messages"`
	Bytes    int64        `json:"bytes"`
	Removed  []string     `json:"removed"` // ids of jobs that were published while the backup ran
	Paused   []lanes.Lane `json:"paused"`  // lanes that are paused, as they were
	Ledgers  []string     `json:"ledgers"` // targets whose ledgers may be older than what the platform has
}

// RestoreCommand returns usher restore.
func RestoreCommand() *cobra.Command {
	replace := false
	return command.Task[*session]{
		About: command.About{
			Use:   "restore FOLDER",
			Short: "Restore what usher backup has saved",
			Long: `Restore the streams and buckets that 'usher backup' has saved, after it has checked
their checksums. Consumers are declared as 'usher migrate' does, so the command need not
run afterwards. Stop all workers before, because with empty streams their feeds would publish
all exports again. While a worker runs, restore changes nothing.

Streams without messages are replaced. If streams hold messages, restore changes
nothing, unless --replace is given: then their messages are lost.

Jobs that were published after the backup are lost; publish them again, device.forget
first, and mirrors of the same target in their order. Jobs that ended after it run again,
which does no harm to segments. A job older than retry.age becomes a dead letter, which can
be replayed. What the ledgers say of their targets may be out of date, so the next mirror of
each sends all ids of its export again.

The login to NATS must be the administrator's.`,
			Example: `  usher restore /backups/usher-2026-11-26
  usher restore --replace --json /backups/today`,
			Args: command.ExactArgs("FOLDER"),
			Flags: func(cmd *cobra.Command) {
				cmd.Flags().BoolVar(&replace, "replace", false, "delete streams that hold messages")
			},
			JSON: "what was restored as JSON",
		},
		On: opened(),
		Run: func(ctx context.Context, c *command.Call, s *session) error {
			r, err := restore(ctx, s, c.Args[0], replace, c.Errs())
			if err != nil {
				return err
			}
			if c.JSON {
				return terminal.WriteJSON(c.Out(), r)
			}
			r.print(c.Out())
			return nil
		},
	}.Command()
}

func restore(ctx context.Context, s *session, folder string, replace bool, errs io.Writer) (*restored, error) {
	place, closed, err := openPlace(ctx, folder)
	if err != nil {
		return nil, err
	}
	defer closed()
	m, err := backups.Read(ctx, place)
	if err != nil {
		return nil, err
	}
	if m.Namespace != s.config.String("namespace") {
		return nil, fmt.Errorf("%s is a backup of the namespace %q: set namespace to it", place, m.Namespace)
	}
	if err := checkStopped(ctx, s, m.Namespace); err != nil {
		return nil, err
	}
	shown := newProgress(errs, "restoring", m.Bytes(), false)
	err = backups.Restore(ctx, s.nc, m, place, s.config.Int("nats.replicas"), replace, shown)
	shown.counter.Clear()
	if errors.Is(err, backups.ErrHolds) {
		return nil, fmt.Errorf("restore to NATS at %s: %w; --replace deletes them", s.server(), err)
	}
	if err != nil {
		return nil, err
	}
	return finish(ctx, s, m, place.String())
}

// checkStopped returns an error if a worker runs.
func checkStopped(ctx context.Context, s *session, namespace string) error {
	const advice = "; nothing was restored: stop all workers, then run usher restore again"
	workers, err := presence.Ask(ctx, s.nc, namespace)
	if errors.Is(err, presence.ErrNoAnswer) {
		return fmt.Errorf("restore to NATS at %s: a worker is connected there, but %w%s", s.server(), err, advice)
	}
	if err != nil || len(workers) == 0 {
		return err
	}
	var names []string
	for i := range workers[:min(len(workers), listed)] {
		names = append(names, readable.Printable(workers[i].Worker))
	}
	return fmt.Errorf("restore to NATS at %s: workers run there: %s%s", s.server(), strings.Join(names, ", "), advice)
}

// finish makes what was restored consistent, and declares the consumers, so that workers take
// jobs.
func finish(ctx context.Context, s *session, m *backups.Manifest, folder string) (*restored, error) {
	queue, err := connect.OpenQueue(ctx, s.nc, s.config, s.logger, nil)
	if err != nil {
		return nil, err
	}
	r := &restored{Folder: folder, Saved: m.Began, Bytes: m.Bytes(), Removed: []string{}, Paused: []lanes.Lane{}, Ledgers: []string{}}
	for _, stream := range m.Streams {
		r.Messages += stream.Messages
	}
	removed, err := queue.Reconcile(ctx, m.Through)
	if err != nil {
		return nil, err
	}
	r.Removed = append(r.Removed, removed...)
	if err := backups.Note(ctx, queue.Store(), m); err != nil {
		return nil, err
	}
	doubted, err := heads.In(queue.Store()).DoubtAll(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range doubted {
		r.Ledgers = append(r.Ledgers, t.String())
	}
	if err := connect.Declare(ctx, s.config, s.logger); err != nil {
		return nil, err
	}
	paused, err := queue.Lanes().PauseAgain(ctx)
	r.Paused = append(r.Paused, paused...)
	return r, err
}

// listed is how many ids of jobs, targets or names of workers are printed.
const listed = 20

func (r *restored) print(out io.Writer) {
	fmt.Fprintf(out, "restored %s, %s, from %s\n", readable.Count(int64(r.Messages), "message"), readable.Bytes(r.Bytes), r.Folder)
	fmt.Fprintf(out, "Publish jobs again that were published after %s: device.forget first, mirrors in their order.\n", r.Saved.Format(time.RFC3339))
	if n := len(r.Removed); n > 0 {
		fmt.Fprintf(out, "Of %s only the record was saved, which is removed: %s\n", readable.Count(int64(n), "such job"), strings.Join(r.Removed[:min(n, listed)], ", "))
	}
	for _, lane := range r.Paused {
		fmt.Fprintf(out, "Lane %s is paused, as it was.\n", lane)
	}
	if n := len(r.Ledgers); n > 0 {
		fmt.Fprintf(out, "The next mirror of each of %s sends all ids of its export again: %s\n", readable.Count(int64(n), "target"), strings.Join(r.Ledgers[:min(n, listed)], ", "))
	}
	fmt.Fprintln(out, "Run `usher doctor`; restore the ledger from a copy that was made after the backup, if you have lost it.")
}
