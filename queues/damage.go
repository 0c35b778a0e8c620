package queues

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"usher"
	"usher/queues/audit"
	"usher/queues/lanes"
	"usher/queues/limits"
	"usher/queues/records"
	"usher/queues/targets"
)

// Damaged returns the keys of stored values that usher cannot have written. Workers treat
// such values as missing.
func (q *Queue) Damaged(ctx context.Context) ([]string, error) {
	values := records.Values()
	maps.Copy(values, targets.Values())
	values["campaigns"] = func() any { return new(campaignEntry) }
	values["creatives"] = func() any { return new(usher.CreativeEntry) }
	damaged, err := q.state.Damaged(ctx, values)
	if err != nil {
		return nil, err
	}
	settings, err := q.rules.Damaged(ctx, map[string]func() any{
		"lanes":  func() any { return new(lanes.Pause) },
		"limits": func() any { return new(limits.Limit) },
	})
	return append(damaged, settings...), err
}

// Repair removes the damaged value of a key that Damaged returned. A target's register is
// rebuilt from the records; the record of a job that waits or runs is rebuilt when the job, or
// a part of it, is taken.
func (q *Queue) Repair(ctx context.Context, key string, act audit.Act) error {
	kind, _, _ := strings.Cut(key, ".")
	var err error
	switch kind {
	case "targets":
		err = q.targets.Repair(ctx, key)
	case "lanes", "limits":
		err = q.rules.Purge(ctx, key)
	default:
		err = q.state.Purge(ctx, key)
	}
	if err != nil {
		return fmt.Errorf("repair: %w", err)
	}
	return q.Audit().Repaired(ctx, q.now(), key, act)
}
