package rulings

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/queues/store"
)

// Rule files are on the workers' disks. Workers announce their contents, so that
// everybody who reaches NATS can see by which rules they act.

// AnnounceEvery is how often a worker repeats the announcement of its rule files.
// After three times as long without one, a file counts as gone.
const AnnounceEvery = time.Hour

// Announce records that this worker acts by a rule file. Key files.<name>.
func (r *Rulings) Announce(ctx context.Context, f usher.RuleFile) error {
	f.Worker, f.At = r.queue.Worker(), r.queue.Now().UTC()
	if err := r.bucket.Put(ctx, fileKey(f.Name), f); err != nil {
		return fmt.Errorf("announce rule file %s: %w", f.Name, err)
	}
	return nil
}

// Withdraw records that a rule file is gone.
func (r *Rulings) Withdraw(ctx context.Context, name string) error {
	if err := r.bucket.Delete(ctx, fileKey(name)); err != nil {
		return fmt.Errorf("withdraw rule file %s: %w", name, err)
	}
	return nil
}

// Announced returns the rule files by which workers act, by name.
func (r *Rulings) Announced(ctx context.Context) ([]usher.RuleFile, error) {
	all := []usher.RuleFile{}
	err := store.EachValue(ctx, r.bucket, fileKey("*"), func(_ *store.Entry, f *usher.RuleFile) {
		if r.queue.Now().Sub(f.At) < 3*AnnounceEvery {
			all = append(all, *f)
		}
	})
	slices.SortFunc(all, func(a, b usher.RuleFile) int { return strings.Compare(a.Name, b.Name) })
	return all, err
}
