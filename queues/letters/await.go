package letters

import (
	"context"
	"time"

	"usher"
)

// minPoll is the shortest time between two counts of ended jobs.
const minPoll = 500 * time.Millisecond

// AwaitReplay blocks until the jobs of a replay have ended and adds to the report
// how they ended. It calls progress, if that is not nil, after each count.
func (ls *Letters) AwaitReplay(ctx context.Context, report *ReplayReport, progress func(ReplayReport)) error {
	for {
		began := time.Now()
		ended, err := ls.queue.Reruns().Count(ctx, report.Name)
		report.Done, report.FailedAgain, report.Cancelled = ended[usher.Done], ended[usher.Failed], ended[usher.Cancelled]
		if err != nil {
			return err
		}
		if report.Done+report.FailedAgain+report.Cancelled >= report.Replayed {
			return nil
		}
		if progress != nil {
			progress(*report)
		}
		// A count reads all records, so it may take a fifth of the time.
		if err := usher.Sleep(ctx, max(minPoll, 4*time.Since(began))); err != nil {
			return err
		}
	}
}
