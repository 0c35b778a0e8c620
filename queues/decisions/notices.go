package decisions

import (
	"context"
	"fmt"
	"slices"
	"time"

	"usher"
	"usher/queues"
	"usher/queues/store"
)

// Notice says that a run has decisions of rules with notify that no alert has reported
// yet. Key notices.<evaluation>.
type Notice struct {
	Run string    `json:"run"`
	At  time.Time `json:"at"`
	// Each is true if a rule with notify: each made one of the decisions, so that the run is
	// reported without waiting for the digest.
	Each bool `json:"each,omitempty"`
}

// Valid reports whether usher can have written the notice.
func (n *Notice) Valid() bool { return n.Run != "" }

// Notices are the notices of runs that no alert has reported yet.
type Notices struct{ bucket *store.Bucket }

// NewNotices returns the notices that are kept beside a queue's jobs.
func NewNotices(q *queues.Queue) *Notices { return &Notices{q.Store().Rules} }

// List returns the notices, oldest first.
func (ns *Notices) List(ctx context.Context) ([]Notice, error) {
	var all []Notice
	err := store.EachValue(ctx, ns.bucket, noticeKey("")+"*", func(_ *store.Entry, n *Notice) { all = append(all, *n) })
	slices.SortFunc(all, func(a, b Notice) int { return a.At.Compare(b.At) })
	return all, err
}

// Remove removes the notice of a run.
func (ns *Notices) Remove(ctx context.Context, run string) error {
	return ns.bucket.Purge(ctx, noticeKey(run))
}

// storeNotice stores the notice of an evaluation if it has decisions to report.
func (r *Store) storeNotice(ctx context.Context, e *usher.Evaluation, decisions []usher.StoredDecision) error {
	if e.Notices == 0 {
		return nil
	}
	each := slices.ContainsFunc(decisions, func(d usher.StoredDecision) bool { return d.Notice == usher.NoticeEach })
	if err := r.bucket.Put(ctx, noticeKey(e.ID), Notice{Run: e.ID, At: e.At, Each: each}); err != nil {
		return fmt.Errorf("store notice of evaluation %s: %w", e.ID, err)
	}
	return nil
}
