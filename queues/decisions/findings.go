package decisions

import (
	"context"
	"slices"

	"usher"
	"usher/queues/store"
)

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
