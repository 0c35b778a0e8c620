package queues

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"usher"
	"usher/queues/records"
	"usher/queues/store"
)

// Split cuts the job into the parts of the plan: it stores the plan and p in the record,
// publishes all parts or none, and deletes the job's message. A redelivery that
// calls Split again publishes nothing new; the first plan holds.
func (l *Lease) Split(plan usher.Plan, p usher.Progress) (err error) {
	defer func() { l.settled(err) }()
	ctx, cancel := l.settling()
	defer cancel()
	if l.held.Err() != nil {
		return l.removeFromRecord()
	}
	ended, err := l.writePlan(ctx, plan, p)
	if err != nil {
		return err
	}
	plan.Parts = l.job.Ranges
	if err := store.Retry(ctx, func(ctx context.Context) error { return l.q.targets.Join(ctx, l.job) }); err != nil {
		return err
	}
	whole := cut{id: l.job.Cut, plan: &plan, parts: len(plan.Parts)}
	if err := l.publishParts(ctx, whole, ended); err != nil {
		return err
	}
	// The job has no holder while its parts run; the bits say when it ends.
	err = store.Retry(ctx, func(ctx context.Context) error {
		return l.write(ctx, func() { l.job.Holder, l.job.Ranges = "", nil })
	})
	if err != nil && !errors.Is(err, usher.ErrLeaseLost) { // lost: the last part has already ended the job
		return err
	}
	if l.repaired {
		// The lease knows nothing of the parts that had ended before.
		if err := store.Retry(ctx, func(ctx context.Context) error { return l.q.markGone(ctx, l.job) }); err != nil {
			return err
		}
	}
	if err := store.Retry(ctx, func(ctx context.Context) error { return l.q.settleIfAllEnded(ctx, l.job) }); err != nil {
		return err
	}
	return store.Retry(ctx, l.d.done)
}

// writePlan stores the plan in the record and returns which parts have ended in an
// earlier run.
func (l *Lease) writePlan(ctx context.Context, plan usher.Plan, p usher.Progress) (ended []int, err error) {
	id, err := cutOf(plan, l.job.Restarted)
	if err != nil {
		return nil, err
	}
	p.Plan = &plan
	err = store.Retry(ctx, func(ctx context.Context) error {
		ended, err = l.endedParts(ctx, id)
		return err
	})
	if err != nil {
		return nil, err
	}
	return ended, store.Retry(ctx, func(ctx context.Context) error {
		return l.write(ctx, func() {
			e := l.job
			e.Advance(p)
			e.Kept = l.message.Kept
			if e.IsCut() {
				return
			}
			e.Cut, e.Ranges = id, plan.Parts
			e.Bits = make([]byte, (len(plan.Parts)+7)/8)
			e.Record.Parts.Total = len(plan.Parts)
			for _, part := range ended {
				e.SetPartEnded(part)
			}
		})
	})
}

// cutOf identifies how an export is read and cut. restarted is the last run that started from the
// beginning. The checkpoint of a part is valid only for the same cut.
func cutOf(plan usher.Plan, restarted int) (string, error) {
	data, err := json.Marshal(struct {
		usher.Plan
		Parts     []usher.Part `json:"parts"`
		Restarted int          `json:"anew"`
	}{plan, plan.Parts, restarted})
	if err != nil {
		return "", fmt.Errorf("encode plan: %w", err)
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16]), nil
}

// endedParts returns the parts of the same body with the same cut that need not run: those
// that an earlier run has done and, if the job's record was damaged and is being rebuilt,
// those that have ended in this run.
func (l *Lease) endedParts(ctx context.Context, cut string) ([]int, error) {
	var ended []int
	err := l.q.records.EachPart(ctx, l.id(), func(part int, e *records.Part) {
		if e.Sum == l.job.Sum && e.Cut == cut && e.HasEndedFor(l.job.Run) {
			ended = append(ended, part)
		}
	})
	return ended, err
}

// endCut ends a job that fails while it is cut. Parts that are already published must
// not run.
func (l *Lease) endCut(ctx context.Context, e usher.Ending) error {
	id, run := l.id(), l.job.Run
	err := store.Retry(ctx, func(ctx context.Context) error {
		return l.q.records.PutEnding(ctx, id, records.Ending{Run: run, State: e.State, Error: e.Error})
	})
	if err != nil {
		return err
	}
	l.q.dropParts(ctx, id)
	if err := store.Retry(ctx, func(ctx context.Context) error { return l.q.settle(ctx, id, run, measured{}) }); err != nil {
		return err
	}
	return store.Retry(ctx, l.d.done)
}
