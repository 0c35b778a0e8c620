package decisions

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/queues"
	"usher/queues/store"
)

// FileRegistry records the rule files by which workers act. The files are on the workers'
// disks; workers announce their contents, so that everybody who reaches NATS can see them.
type FileRegistry struct{ queue *queues.Queue }

// NewFileRegistry returns the registry of the rule files of a queue's workers.
func NewFileRegistry(q *queues.Queue) *FileRegistry { return &FileRegistry{q} }

func (r *FileRegistry) bucket() *store.Bucket { return r.queue.Store().Rules }

// AnnounceEvery is how often a worker repeats the announcement of its rule files.
// After three times as long without one, a file counts as gone.
const AnnounceEvery = time.Hour

// Announce records that this worker acts by a rule file. Key files.<name>.
func (r *FileRegistry) Announce(ctx context.Context, f usher.RuleFile) error {
	f.Worker, f.At = r.queue.Worker(), r.queue.Now().UTC()
	if err := r.bucket().Put(ctx, fileKey(f.Name), f); err != nil {
		return fmt.Errorf("announce rule file %s: %w", f.Name, err)
	}
	return nil
}

// Withdraw records that a rule file is gone.
func (r *FileRegistry) Withdraw(ctx context.Context, name string) error {
	if err := r.bucket().Delete(ctx, fileKey(name)); err != nil {
		return fmt.Errorf("withdraw rule file %s: %w", name, err)
	}
	return nil
}

// List returns the rule files by which workers act, by name.
func (r *FileRegistry) List(ctx context.Context) ([]usher.RuleFile, error) {
	all := []usher.RuleFile{}
	err := store.EachValue(ctx, r.bucket(), fileKey("*"), func(_ *store.Entry, f *usher.RuleFile) {
		if r.queue.Now().Sub(f.At) < 3*AnnounceEvery {
			all = append(all, *f)
		}
	})
	slices.SortFunc(all, func(a, b usher.RuleFile) int { return strings.Compare(a.Name, b.Name) })
	return all, err
}
