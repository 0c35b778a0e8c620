package decisions

import (
	"context"
	"slices"

	"usher"
	"usher/queues/store"
)

// Claim records in the memory of a campaign that a job is about to change a number. If the
// last change of that number is neither that of the job last nor one of the change's own job,
// rules decided on an older memory: Claim then writes nothing and returns false.
func (r *Store) Claim(ctx context.Context, campaign string, c usher.Change, last string) (bool, error) {
	key := c.Bidding.Field.MemoryKey()
	claimed := false
	err := store.Change(ctx, r.bucket, memoryKey(campaign), func(m *memory, _ bool) bool {
		before := ""
		if changes := (*m)[key]; len(changes) > 0 {
			before = changes[len(changes)-1].Job
		}
		if claimed = before == last || before == c.Job; !claimed {
			return false
		}
		return m.addAll(memory{key: {c}})
	})
	return claimed && err == nil, err
}

// Unclaim removes a change that its job has claimed and not made.
func (r *Store) Unclaim(ctx context.Context, campaign string, c usher.Change) error {
	key := c.Bidding.Field.MemoryKey()
	isClaim := func(known usher.Change) bool { return known.Claimed && known.Job == c.Job }
	return store.Change(ctx, r.bucket, memoryKey(campaign), func(m *memory, _ bool) bool {
		if !slices.ContainsFunc((*m)[key], isClaim) {
			return false
		}
		(*m)[key] = slices.DeleteFunc((*m)[key], isClaim)
		return true
	})
}
