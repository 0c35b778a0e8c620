package decisions

import (
	"context"
	"fmt"
	"strings"

	"usher"
	"usher/queues/audit"
	"usher/queues/store"
)

// Damaged returns the keys of stored values that usher cannot have written.
func (r *Store) Damaged(ctx context.Context) ([]string, error) {
	return r.bucket.Damaged(ctx, ">", store.ByKind(map[string]func() any{
		"evaluations": func() any { return new(evaluationEntry) },
		"decisions":   func() any { return new(decisionSet) },
		"memory":      func() any { return new(memory) },
		"findings":    func() any { return new(findings) },
		"blind":       func() any { return new(blindness) },
		"notices":     func() any { return new(Notice) },
		"ticks":       func() any { return new(usher.Tick) },
		"files":       func() any { return new(usher.RuleFile) },
	}))
}

// Repair removes the damaged value of a key that Damaged returned, and rebuilds the memory of
// a campaign from the audit.
func (r *Store) Repair(ctx context.Context, key string, act audit.Act) error {
	if err := r.bucket.Purge(ctx, key); err != nil {
		return fmt.Errorf("repair: %w", err)
	}
	if strings.HasPrefix(key, memoryKey("")) {
		if _, err := r.RebuildMemory(ctx); err != nil {
			return fmt.Errorf("repair %s: %w", key, err)
		}
	}
	return r.queue.Audit().Repaired(ctx, r.queue.Now(), key, act)
}
