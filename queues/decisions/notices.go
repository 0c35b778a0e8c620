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

// findings are the reported findings on a campaign that have not ended, by creative. Key
// findings.<campaign>.
type findings map[string][]usher.Finding

// apply adds the findings that began and removes those that ended. A rule has one finding
// on a creative at most.
func (all findings) apply(changes []usher.FindingChange) {
	for _, c := range changes {
		left := slices.DeleteFunc(all[c.Creative], func(f usher.Finding) bool { return f.File == c.Finding.File && f.Rule == c.Finding.Rule })
		if !c.Ended {
			left = append(left, c.Finding)
		}
		if all[c.Creative] = left; len(left) == 0 {
			delete(all, c.Creative)
		}
	}
}

// ChangeFindings stores which findings of a campaign began or ended.
func (r *Store) ChangeFindings(ctx context.Context, campaign string, changes []usher.FindingChange) error {
	return store.Change(ctx, r.bucket, findingsKey(campaign), func(all *findings, _ bool) bool {
		if *all == nil {
			*all = findings{}
		}
		all.apply(changes)
		return true
	})
}

// Findings returns the reported findings on campaigns that have not ended: campaign → creative
// → its findings. It leaves out campaigns without findings, and those whose value is damaged:
// their findings are reported again.
func (r *Store) Findings(ctx context.Context, campaigns []string) (map[string]map[string][]usher.Finding, error) {
	all := map[string]map[string][]usher.Finding{}
	if len(campaigns) <= fewCampaigns {
		for _, campaign := range campaigns {
			var found findings
			if _, _, err := r.bucket.Get(ctx, findingsKey(campaign), &found); err != nil {
				return nil, err
			}
			if len(found) > 0 {
				all[campaign] = found
			}
		}
		return all, nil
	}
	wanted := map[string]string{}
	for _, campaign := range campaigns {
		wanted[findingsKey(campaign)] = campaign
	}
	err := store.EachValue(ctx, r.bucket, findingsKey("")+"*", func(e *store.Entry, found *findings) {
		if campaign, ok := wanted[e.Key]; ok && len(*found) > 0 {
			all[campaign] = *found
		}
	})
	return all, err
}
