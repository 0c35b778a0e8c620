package queues

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"usher"
	"usher/queues/store"
)

// TickID is the id of a tick's job: the same in every worker.
func TickID(file, rule string, at time.Time) string {
	return fitID("rule-"+file+"-"+rule, "-"+at.UTC().Format("20060102T1504Z"))
}

// PublishTick publishes the job of a tick. However many workers do, it runs
// once.
func (q *Queue) PublishTick(ctx context.Context, file, rule string, at time.Time) error {
	at = at.UTC()
	id := TickID(file, rule, at)
	var e jobEntry
	if _, found, err := q.state.Get(ctx, jobKey(id), &e); err != nil || found {
		return err // the server's memory of message ids is shorter than a night
	}
	data, err := json.Marshal(usher.Job{ID: id, Rules: file, Rule: rule, AsOf: at.Format(time.RFC3339)})
	if err != nil {
		return fmt.Errorf("encode job %s: %w", id, err)
	}
	if _, err := q.js.Publish(ctx, q.names.Job(usher.RulesEvaluate), data, jetstream.WithMsgID(id)); err != nil {
		return fmt.Errorf("publish job %s: %w", id, err)
	}
	return nil
}

// Ticked notes a tick as evaluated, unless a later one was. With no evaluation
// it notes that the rule's schedule begins there, unless it has begun before.
func (q *Queue) Ticked(ctx context.Context, t usher.Tick) error {
	return store.Change(ctx, q.rules, tickKey(t.File, t.Rule), func(v *usher.Tick, found bool) bool {
		if found && (t.Evaluation == "" || !v.At.Before(t.At)) {
			return false
		}
		*v = t
		return true
	})
}

// LastTick is the last tick of a rule that was evaluated; found is false for a
// rule that is new. Key ticks.<file>.<rule>.
func (q *Queue) LastTick(ctx context.Context, file, rule string) (t usher.Tick, found bool, err error) {
	_, found, err = q.rules.Get(ctx, tickKey(file, rule), &t)
	return t, found, err
}
