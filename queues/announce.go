package queues

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/queues/store"
)

// Workers say which rule files they act by, so that everybody can see it who
// reaches NATS: the files themselves lie with the workers. Key files.<name>.

// AnnounceEvery is how often a worker says again what it acts by; a file that
// nobody spoke of for three times as long is no worker's any more.
const AnnounceEvery = time.Hour

// Announce says that this worker acts by a rule file.
func (q *Queue) Announce(ctx context.Context, f usher.RuleFile) error {
	f.Worker, f.At = q.options.Worker, q.now().UTC()
	if err := q.rules.Put(ctx, fileKey(f.Name), f); err != nil {
		return fmt.Errorf("announce rule file %s: %w", f.Name, err)
	}
	return nil
}

// Withdraw says that a rule file is gone.
func (q *Queue) Withdraw(ctx context.Context, name string) error {
	if err := q.rules.Delete(ctx, fileKey(name)); err != nil {
		return fmt.Errorf("withdraw rule file %s: %w", name, err)
	}
	return nil
}

// Announced are the rule files that workers act by, by name.
func (q *Queue) Announced(ctx context.Context) ([]usher.RuleFile, error) {
	all := []usher.RuleFile{}
	err := q.rules.Each(ctx, fileKey("*"), func(entry *store.Entry) error {
		var f usher.RuleFile
		if err := entry.Decode(&f); err != nil {
			return err
		}
		if q.now().Sub(f.At) < 3*AnnounceEvery {
			all = append(all, f)
		}
		return nil
	})
	slices.SortFunc(all, func(a, b usher.RuleFile) int { return strings.Compare(a.Name, b.Name) })
	return all, err
}
