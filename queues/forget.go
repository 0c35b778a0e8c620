package queues

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"usher"
)

// How long evaluations are kept: as records are, and those that had nothing to
// do only for as long as somebody may wonder.
const idleLive = 2 * 24 * time.Hour

// ForgetEvaluations removes evaluations that are old, with their decisions, and
// returns how many. What waits for approval stays; it is as old as it is.
func (q *Queue) ForgetEvaluations(ctx context.Context) (int, error) {
	bucket := q.names.rulesBucket()
	stream, err := q.js.Stream(ctx, "KV_"+bucket)
	if err != nil {
		return 0, fmt.Errorf("forget old evaluations: %w", err)
	}
	var old []string
	err = eachEntry(ctx, q.rules, "evaluations.*", func(entry jetstream.KeyValueEntry) error {
		var e evaluationEntry
		if err := unpack(entry.Value(), &e); err != nil {
			return fmt.Errorf("decode %s: %w", entry.Key(), err)
		}
		age := q.Now().Sub(e.At)
		if e.State != usher.EvaluationHeld && (age > recordsLive || len(e.Jobs) == 0 && e.State == usher.EvaluationDone && age > idleLive) {
			old = append(old, strings.TrimPrefix(entry.Key(), evaluationKey("")))
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	for i, token := range old {
		// Purged by subject, no marker of a deletion stays behind.
		for _, key := range []string{"evaluations." + token, pattern{token, "*", "*"}.String()} {
			if err := stream.Purge(ctx, jetstream.WithPurgeSubject("$KV."+bucket+"."+key)); err != nil {
				return i, fmt.Errorf("forget evaluation %s: %w", token, err)
			}
		}
	}
	return len(old), nil
}
