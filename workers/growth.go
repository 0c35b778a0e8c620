package workers

import (
	"context"
	"sync"

	"usher"
)

// growthCheck detects a platform that keeps only the last upload instead of adding to
// the list; its documentation does not say which. After the second batch the list must
// hold more ids than the larger of the two batches. The check does not compare the sizes
// before and after a batch, because a list that already holds all of the ids does not
// grow.
type growthCheck struct {
	mu      sync.Mutex
	batches int
	largest int
}

// newGrowthCheck returns the check for an upload that resumes at a checkpoint.
// If the platform adds, the batches before the checkpoint are in the list.
func newGrowthCheck(c usher.Checkpoint) *growthCheck {
	if c.Tally.Accepted == 0 {
		return &growthCheck{}
	}
	return &growthCheck{batches: int(min(c.Batches, 2))}
}

// accepted counts a batch that the platform accepted. After the second one it reads the
// number of ids and, if the list holds too few, calls stop.
func (g *growthCheck) accepted(ctx context.Context, ids int, numberOfIDs func(context.Context) (int64, error), stop context.CancelCauseFunc) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.batches++; g.batches > 2 {
		return nil
	}
	g.largest = max(g.largest, ids)
	if g.batches < 2 {
		return nil
	}
	n, err := numberOfIDs(ctx)
	if err != nil {
		g.batches--
		return err
	}
	if n <= int64(g.largest) {
		// The error is the cause of the context, because a batch that fails with a
		// refusal would be halved and sent again.
		stop(usher.Refuse(usher.Refused, "this platform keeps only the last upload: put all ids into one batch (upload.batch_ids), or use a segment",
			"campaign targets %d ids after two batches, of which one alone had %d", n, g.largest))
		return context.Canceled
	}
	return nil
}
