package connect

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/config"
	"usher/internal/ledger"
	"usher/queues"
	"usher/queues/heads"
)

// OpenLedger opens the ledger of a worker, and announces its place to the commands. It waits
// while JetStream does not respond. The caller closes the ledger.
func OpenLedger(ctx context.Context, c config.Config, q *queues.Queue, logger *slog.Logger) (*ledger.Store, error) {
	place := c.String("ledger.url")
	if place != "" && !strings.Contains(place, "://") {
		folder, err := filepath.Abs(place) // commands may have other working directories
		if err != nil {
			return nil, fmt.Errorf("read ledger.url: %w", err)
		}
		place = folder
	}
	if place != "" {
		err := awaitJetStream(ctx, q.Store().Conn, logger, func(ctx context.Context) error { return heads.In(q.Store()).Announce(ctx, place) })
		if err != nil {
			return nil, err
		}
	}
	return openLedger(ctx, c, place, q)
}

// WithLedger connects to NATS, opens the ledger and calls use with them. It adds a hint to an
// error of use, if there is one.
func WithLedger(cmd *cobra.Command, use func(ctx context.Context, c config.Config, q *queues.Queue, store *ledger.Store) error) error {
	c, err := config.Load(cmd, os.LookupEnv)
	if err != nil {
		return err
	}
	return WithQueue(cmd, func(ctx context.Context, q *queues.Queue) error {
		place, err := findPlace(ctx, c, q)
		if err != nil {
			return err
		}
		if err := CheckLedgerOwner(place, os.Geteuid()); err != nil {
			return err
		}
		store, err := openLedger(ctx, c, place, q)
		if err != nil {
			return err
		}
		defer func() { _ = store.Close() }()
		return explain(use(ctx, c, q, store))
	})
}

// explain adds what to do about an error of the ledger.
func explain(err error) error {
	var permanent *usher.Permanent
	if errors.As(ledger.JobError(err), &permanent) && permanent.Hint != "" {
		return fmt.Errorf("%w\nhint: %s", err, permanent.Hint)
	}
	return err
}

// FindLedger opens the ledger for a command: the configured one, or the one that a worker has
// announced. The caller closes it.
func FindLedger(ctx context.Context, c config.Config, q *queues.Queue) (*ledger.Store, error) {
	place, err := findPlace(ctx, c, q)
	if err != nil {
		return nil, err
	}
	return openLedger(ctx, c, place, q)
}

func findPlace(ctx context.Context, c config.Config, q *queues.Queue) (string, error) {
	place := c.String("ledger.url")
	if place == "" {
		var err error
		if place, err = heads.In(q.Store()).Place(ctx); err != nil {
			return "", err
		}
	}
	if place == "" {
		return "", errors.New("find the ledger: no worker has one; set ledger.url")
	}
	return place, nil
}

// CheckLedgerOwner returns an error if user, a process's, is root and the folder of a ledger
// belongs to somebody else: workers could not change what root writes there.
func CheckLedgerOwner(place string, user int) error {
	folder, local := LocalPath(place)
	if user != 0 || !local {
		return nil
	}
	var owner syscall.Stat_t // stays zero if there is no folder: opening it says what is wrong
	_ = syscall.Stat(folder, &owner)
	if owner.Uid == 0 {
		return nil
	}
	return fmt.Errorf("open the ledger: %s belongs to the user %d, and this command runs as root: workers could not change the files that it writes. Run it as that user, such as by `runuser -u usher --`", folder, owner.Uid)
}

func openLedger(ctx context.Context, c config.Config, place string, q *queues.Queue) (*ledger.Store, error) {
	return ledger.Open(ctx, ledger.Options{URL: place, Heads: heads.In(q.Store()), Keep: c.Duration("ledger.keep"), Now: q.Now})
}
