package connect

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"usher"
	"usher/cmd/usher/internal/config"
	"usher/internal/ledger"
	"usher/queues"
	"usher/queues/heads"
)

// OpenLedger opens the ledger of a worker, and announces its place to the commands. The
// caller closes it.
func OpenLedger(ctx context.Context, c config.Config, q *queues.Queue) (*ledger.Store, error) {
	place := c.String("ledger.url")
	if place != "" && !strings.Contains(place, "://") {
		folder, err := filepath.Abs(place) // commands may have other working directories
		if err != nil {
			return nil, fmt.Errorf("read ledger.url: %w", err)
		}
		place = folder
	}
	in := heads.In(q.Store())
	if place != "" {
		if err := in.Announce(ctx, place); err != nil {
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
		store, err := FindLedger(ctx, c, q)
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
	if errors.As(ledger.Judge(err), &permanent) && permanent.Hint != "" {
		return fmt.Errorf("%w\nhint: %s", err, permanent.Hint)
	}
	return err
}

// FindLedger opens the ledger for a command: the configured one, or the one that a worker has
// announced. The caller closes it.
func FindLedger(ctx context.Context, c config.Config, q *queues.Queue) (*ledger.Store, error) {
	place := c.String("ledger.url")
	if place == "" {
		var err error
		if place, err = heads.In(q.Store()).Place(ctx); err != nil {
			return nil, err
		}
	}
	if place == "" {
		return nil, errors.New("find the ledger: no worker has one; set ledger.url")
	}
	return openLedger(ctx, c, place, q)
}

func openLedger(ctx context.Context, c config.Config, place string, q *queues.Queue) (*ledger.Store, error) {
	return ledger.Open(ctx, ledger.Options{URL: place, Heads: heads.In(q.Store()), Keep: c.Duration("ledger.keep"), Now: q.Now})
}
