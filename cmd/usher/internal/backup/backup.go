package backup

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/cmd/usher/internal/terminal"
	"usher/internal/readable"
	"usher/queues/backups"
	"usher/queues/heads"
)

// saved is what usher backup prints with --json.
type saved struct {
	*backups.Manifest
	Folder string `json:"folder"`
	Ledger string `json:"ledger,omitempty"` // where the ledger lies, which is not saved
}

// Command returns usher backup. version is usher's.
func Command(version string) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "backup FOLDER",
		Short: "Save all jobs, records, letters and audits to a folder or bucket",
		Long: `Save usher's streams and buckets on NATS to a new folder, while workers run, or to a path
of a bucket as in ledger.url, such as s3://backups/usher/monday. The folder gets a file for
each stream, and manifest.json with their checksums, which is written last. 'usher restore'
restores them.

Jobs that are published while backup runs may be missing in it; all that were published
before are in it. The ledger and the configuration are not: save them, too. Redis holds
nothing that must be saved.

The login to NATS must be the administrator's.`,
		Example: `  usher backup /backups/usher-$(date +%F)
  usher backup 's3://backups/usher/monday?region=eu-central-1'
  USHER_NATS_URL_FILE=/root/usher-admin-nats-url usher backup --json /backups/today`,
		Args: command.ExactArgs("FOLDER"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withNATS(cmd, func(ctx context.Context, c config.Config, nc *nats.Conn, logger *slog.Logger) error {
				place, closed, err := openPlace(ctx, args[0])
				if err != nil {
					return err
				}
				defer closed()
				size, err := backups.Size(ctx, nc, c.String("namespace"))
				if err != nil {
					return err
				}
				shown := newProgress(cmd.ErrOrStderr(), "saving", size, true)
				m, err := backups.Save(ctx, nc, c.String("namespace"), version, place, shown)
				shown.counter.Clear()
				if err != nil {
					return err
				}
				s := saved{Manifest: m, Folder: place.String(), Ledger: ledgerPlace(ctx, c, nc, logger)}
				if asJSON {
					return terminal.WriteJSON(cmd.OutOrStdout(), s)
				}
				s.print(cmd)
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the manifest, the folder and the place of the ledger")
	config.AddFlags(cmd, "nats", "namespace", "log-level", "log-format")
	return cmd
}

func (s *saved) print(cmd *cobra.Command) {
	var messages uint64
	for _, stream := range s.Streams {
		messages += stream.Messages
	}
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "saved %s in %d streams and buckets to %s: %s, in %s\n", readable.Count(int64(messages), "message"), len(s.Streams), s.Folder,
		readable.Bytes(s.Bytes()), readable.Duration(s.Ended.Sub(s.Began)))
	fmt.Fprintf(out, "All jobs that were published until %s are in it.\n", s.Began.Format(time.RFC3339))
	if s.Replayed > 0 {
		fmt.Fprintf(out, "%s left the dead letters meanwhile: jobs that were replayed then may be missing. Run the backup again while nobody replays.\n", readable.Count(int64(s.Replayed), "letter"))
	}
	if s.Ledger != "" {
		fmt.Fprintf(out, "The ledger is not in it: now copy %s, too.\n", s.Ledger)
	}
}

// ledgerPlace returns where the ledger lies: as configured, or as a worker has announced.
func ledgerPlace(ctx context.Context, c config.Config, nc *nats.Conn, logger *slog.Logger) string {
	place := c.String("ledger.url")
	if place == "" {
		if queue, err := connect.OpenQueue(ctx, nc, c, logger, nil); err == nil {
			place, _ = heads.In(queue.Store()).Place(ctx) // only a reminder
		}
	}
	if place == "" {
		return ""
	}
	return config.HideLogin(place)
}
