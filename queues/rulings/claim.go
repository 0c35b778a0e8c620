package rulings

import (
	"context"
	"slices"

	"usher"
	"usher/queues/store"
)

// Claim adds a change of a number that is about to be made to the memory of a campaign. It
// writes nothing, and returns false, if the last change of that number is neither that of
// the job last nor one of the change's own job: rules have decided on another memory.
func (r *Rulings) Claim(ctx context.Context, campaign string, c usher.Change, last string) (bool, error) {
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
func (r *Rulings) Unclaim(ctx context.Context, campaign string, c usher.Change) error {
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
