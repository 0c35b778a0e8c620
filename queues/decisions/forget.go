package decisions

import (
	"context"
	"fmt"
	"strings"
	"time"

	"usher"
	"usher/queues"
)

// idleLife is how long evaluations without jobs are kept. Others are kept as long
// as records of jobs.
const idleLife = 2 * 24 * time.Hour

// ForgetEvaluations deletes old evaluations with their decisions and returns how many it
// deleted. It keeps those that wait for approval, whatever their age.
func (r *Store) ForgetEvaluations(ctx context.Context) (int, error) {
	var old []string
	err := r.eachEntry(ctx, func(key string, e *evaluationEntry) {
		age := r.queue.Now().Sub(e.At)
		idle := len(e.Jobs) == 0 && e.Notices == 0 && e.State == usher.EvaluationDone
		if e.State != usher.EvaluationHeld && (age > queues.RecordLife || idle && age > idleLife) {
			old = append(old, strings.TrimPrefix(key, evaluationKey("")))
		}
	})
	if err != nil {
		return 0, err
	}
	for i, token := range old {
		for _, pattern := range []string{"evaluations." + token, "notices." + token, setKey{token, "*", "*"}.String()} {
			if err := r.bucket.Purge(ctx, pattern); err != nil {
				return i, fmt.Errorf("forget evaluation %s: %w", token, err)
			}
		}
	}
	return len(old), nil
}
