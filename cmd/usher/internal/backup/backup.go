package backup

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"usher/cmd/usher/internal/command"
	"usher/cmd/usher/internal/config"
	"usher/cmd/usher/internal/connect"
	"usher/internal/readable"
	"usher/queues"
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
	return command.View[*session, *saved]{
		About: command.About{
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
			JSON: "the manifest, the folder and the place of the ledger",
		},
		On: opened(),
		Load: func(ctx context.Context, c *command.Call, s *session) (*saved, error) {
			return save(ctx, s, version, c.Args[0], c.Errs())
		},
		Print: func(c *command.Call, s *saved) error {
			s.print(c.Out())
			return nil
		},
	}.Command()
}

// save saves all streams and buckets to a folder or bucket, and shows the progress on errs.
func save(ctx context.Context, s *session, version, folder string, errs io.Writer) (*saved, error) {
	place, closed, err := openPlace(ctx, folder)
	if err != nil {
		return nil, err
	}
	defer closed()
	namespace := s.config.String("namespace")
	size, err := backups.Size(ctx, s.nc, namespace)
	if err != nil {
		return nil, err
	}
	shown := newProgress(errs, "saving", size, true)
	m, err := backups.Save(ctx, s.nc, namespace, version, place, shown)
	shown.counter.Clear()
	if err != nil {
		return nil, err
	}
	r := &saved{Manifest: m, Folder: place.String()}
	queue, err := connect.OpenQueue(ctx, s.nc, s.config, s.logger, nil)
	if err == nil {
		err = backups.Note(ctx, queue.Store(), m)
	}
	if err != nil {
		return nil, fmt.Errorf("the backup in %s is complete, but its time could not be noted, so that usher_backup_age_seconds goes on: %w", place, err)
	}
	r.Ledger = ledgerPlace(ctx, s.config, queue)
	return r, nil
}

func (s *saved) print(out io.Writer) {
	var messages uint64
	for _, stream := range s.Streams {
		messages += stream.Messages
	}
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
func ledgerPlace(ctx context.Context, c config.Config, queue *queues.Queue) string {
	place := c.String("ledger.url")
	if place == "" {
		place, _ = heads.In(queue.Store()).Place(ctx) // only a reminder
	}
	if place == "" {
		return ""
	}
	return config.HideLogin(place)
}
