package decisions

import (
	"context"
	"crypto/rand"
	"maps"
	"slices"

	"usher"
	"usher/queues"
)

// renameTaken renames those jobs of an evaluation whose ids are on record. A publisher who knows
// the id of a run knows those of its jobs, too, and a job with an id that is on record with another
// body does not run. A job that waits without a record does no harm, because those of an evaluation
// are recorded when they are published.
func (r *Store) renameTaken(ctx context.Context, e *usher.Evaluation, jobs []queues.NewJob) error {
	open := slices.DeleteFunc(idsOf(jobs), usher.ReservedID)
	taken, err := r.queue.Reruns().OnRecord(ctx, open)
	if err != nil || len(taken) == 0 {
		return err
	}
	e.Renamed = maps.Clone(e.Renamed)
	if e.Renamed == nil {
		e.Renamed = map[string]string{}
	}
	for _, id := range taken {
		e.Renamed[id] = fitID(id, "."+rand.Text()[:8])
	}
	return nil
}
