package ledger

import (
	"context"
	"fmt"
	"sync"

	"usher/hashing"
)

// intents are the batches of a delta whose outcome is not in it yet. Each is a file that is
// written before the batch is sent: as long as it is there, it is not known whether its
// digests are members.
type intents struct {
	store *Store
	name  string // of the files, up to the number of the batch

	mu      sync.Mutex
	batches map[int64]string // names of the files that this process has written
}

// Intend notes that a batch of digests is about to be sent.
func (d *Delta) Intend(ctx context.Context, batch int64, digests [][]hashing.Digest) error {
	i := &d.intents
	i.mu.Lock()
	defer i.mu.Unlock()
	runs := i.store.newRuns(fmt.Sprintf("%s-%s%08d", i.name, intentMark, batch), 0, 0)
	defer runs.Release()
	for _, some := range digests {
		if err := runs.Add(ctx, some); err != nil {
			return err
		}
	}
	if _, err := runs.Flush(ctx); err != nil {
		return err
	}
	if i.batches == nil {
		i.batches = map[int64]string{}
	}
	i.batches[batch] = runs.name
	return nil
}

// intentMark begins the number of a batch.
const intentMark = "batch-"

// Settle notes that the outcome of the batches up to last is in the delta.
func (d *Delta) Settle(ctx context.Context, last int64) error {
	i := &d.intents
	i.mu.Lock()
	defer i.mu.Unlock()
	for batch, name := range i.batches {
		if batch > last {
			continue
		}
		if err := i.store.removeAll(ctx, name); err != nil {
			return err
		}
		delete(i.batches, batch)
	}
	return nil
}

// SettleAll notes that the outcome of all batches is in the delta, also of those that an
// earlier attempt has begun.
func (d *Delta) SettleAll(ctx context.Context) error {
	if d.written == 0 && len(d.intents.batches) == 0 {
		return nil // nothing was ever sent
	}
	return d.intents.store.removeAll(ctx, d.intents.name+"-"+intentMark)
}
