package queues

import (
	"context"
	"fmt"
	"strings"
	"time"

	"usher"
	"usher/queues/store"
)

// How long evaluations are kept: as records are, and those that had nothing to
// do only for as long as somebody may wonder.
const idleLive = 2 * 24 * time.Hour

// ForgetEvaluations removes evaluations that are old, with their decisions, and
// returns how many. What waits for approval stays; it is as old as it is.
func (q *Queue) ForgetEvaluations(ctx context.Context) (int, error) {
	var old []string
	err := q.rules.Each(ctx, "evaluations.*", func(entry *store.Entry) error {
		var e evaluationEntry
		if err := entry.Decode(&e); err != nil {
			return err
		}
		age := q.now().Sub(e.At)
		if e.State != usher.EvaluationHeld && (age > recordsLive || len(e.Jobs) == 0 && e.State == usher.EvaluationDone && age > idleLive) {
			old = append(old, strings.TrimPrefix(entry.Key, evaluationKey("")))
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	for i, token := range old {
		for _, key := range []string{"evaluations." + token, pattern{token, "*", "*"}.String()} {
			if err := q.rules.Purge(ctx, key); err != nil {
				return i, fmt.Errorf("forget evaluation %s: %w", token, err)
			}
		}
	}
	return len(old), nil
}
