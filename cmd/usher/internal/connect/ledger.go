package connect

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

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
		folder, err := filepath.Abs(place) // commands have other working directories
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

// FindLedger opens the ledger for a command: that of the configuration, or the one that a
// worker has announced. The caller closes it.
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
