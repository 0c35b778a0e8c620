package rulings

import (
	"context"
	"fmt"
	"slices"
	"time"

	"usher"
	"usher/queues/store"
)

// findings are the findings on a campaign by creative that were told and have not ended.
// Key findings.<campaign>.
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

// Find stores which findings of a campaign began or ended.
func (r *Rulings) Find(ctx context.Context, campaign string, changes []usher.FindingChange) error {
	return store.Change(ctx, r.bucket, findingsKey(campaign), func(all *findings, _ bool) bool {
		if *all == nil {
			*all = findings{}
		}
		all.apply(changes)
		return true
	})
}

// Findings returns the findings on campaigns that were told and have not ended: campaign →
// creative → its findings. It leaves out campaigns without findings, and those whose value
// is damaged: their findings are told again.
func (r *Rulings) Findings(ctx context.Context, campaigns []string) (map[string]map[string][]usher.Finding, error) {
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

// Notice is a run with decisions to tell that nobody has been told of. Key
// notices.<evaluation>.
type Notice struct {
	Run string    `json:"run"`
	At  time.Time `json:"at"`
	// Each is true if a decision of the run is told by itself.
	Each bool `json:"each,omitempty"`
}

// Valid reports whether the notice is one that usher writes.
func (n *Notice) Valid() bool { return n.Run != "" }

// announceNotice stores the notice of an evaluation with decisions to tell.
func (r *Rulings) announceNotice(ctx context.Context, e *usher.Evaluation, decisions []usher.Ruling) error {
	if e.Notices == 0 {
		return nil
	}
	each := slices.ContainsFunc(decisions, func(d usher.Ruling) bool { return d.Notice == usher.NoticeEach })
	if err := r.bucket.Put(ctx, noticeKey(e.ID), Notice{Run: e.ID, At: e.At, Each: each}); err != nil {
		return fmt.Errorf("keep notice of evaluation %s: %w", e.ID, err)
	}
	return nil
}

// Notices returns the notices of runs that nobody has been told of, oldest first.
func (r *Rulings) Notices(ctx context.Context) ([]Notice, error) {
	var all []Notice
	err := store.EachValue(ctx, r.bucket, noticeKey("")+"*", func(_ *store.Entry, n *Notice) { all = append(all, *n) })
	slices.SortFunc(all, func(a, b Notice) int { return a.At.Compare(b.At) })
	return all, err
}

// Told removes the notice of a run.
func (r *Rulings) Told(ctx context.Context, run string) error {
	return r.bucket.Purge(ctx, noticeKey(run))
}
