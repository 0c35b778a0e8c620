package rulings

import (
	"context"
	"crypto/rand"
	"maps"
	"sync"

	"golang.org/x/sync/errgroup"

	"usher"
	"usher/queues"
	"usher/queues/message"
)

// concurrentLooks is how many ids are looked for at the same time.
const concurrentLooks = 16

// renameTaken gives other ids to the jobs of an evaluation whose ids are on record already. A
// publisher who knows the id of a run knows those of its jobs, too, and a job with an id that
// is on record with another body does not run.
func (r *Rulings) renameTaken(ctx context.Context, e *usher.Evaluation, jobs []queues.NewJob) error {
	renamed := map[string]string{}
	var mu sync.Mutex
	looks, ctx := errgroup.WithContext(ctx)
	looks.SetLimit(concurrentLooks)
	for _, id := range idsOf(jobs) {
		if message.IsReserved(id) {
			continue
		}
		looks.Go(func() error {
			_, taken, err := r.queue.Reruns().Latest(ctx, id)
			if err != nil || !taken {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			renamed[id] = fitID(id, "."+rand.Text()[:8])
			return nil
		})
	}
	if err := looks.Wait(); err != nil {
		return err
	}
	if len(renamed) > 0 {
		maps.Copy(renamed, e.Renamed)
		e.Renamed = renamed
	}
	return nil
}
