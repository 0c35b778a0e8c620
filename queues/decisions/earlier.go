package decisions

import (
	"context"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"usher"
	"usher/queues/store"
)

// maxEntryReads is the number of concurrent reads of creatives' entries.
const maxEntryReads = 16

// earlier returns the pauses by rules that began up to changeLife before a time, and before the audited
// changes that an Activity since that time has, and that lasted longer, as memories have them; and the
// rules' pauses of these creatives before them. next has the first of those changes of each creative, by
// creativeID; earlier removes those that end what it returns.
func (r *Store) earlier(ctx context.Context, since time.Time, next map[string]usher.Audit) ([]usher.PausedTime, error) {
	before, oldest := since.Add(-activityMargin), since.Add(-changeLife)
	var found []usher.PausedTime
	var unchanged []lastingPause
	err := store.EachValue(ctx, r.bucket, memoryKey("")+"*", func(e *store.Entry, m *memory) {
		campaign := store.OfToken(strings.TrimPrefix(e.Key, memoryKey("")))
		for creative, changes := range *m {
			changes = slices.DeleteFunc(slices.Clone(recent(changes)), func(c usher.Change) bool { return c.Keeps || !c.At.Before(before) })
			if len(changes) == 0 {
				continue
			}
			last := &changes[len(changes)-1]
			if !last.Pauses || last.Rule == "" || last.At.Before(oldest) {
				continue
			}
			p := usher.PausedTime{Rule: last.File + "/" + last.Rule, Campaign: campaign, Creative: creative, From: last.At}
			a, changed := next[creativeID(campaign, creative)]
			if !changed {
				unchanged = append(unchanged, lastingPause{p, usher.CreativeState{Status: last.After, LatestUpdate: last.LatestUpdate}, changes})
				continue
			}
			delete(next, creativeID(campaign, creative))
			p.To, p.Elsewhere = a.At, a.Before != inactive
			// A rule resumes only what nobody has changed since its pause.
			p.Unsure = !p.Elsewhere && changingRule(&a) != p.Rule
			found = append(found, p)
			found = append(found, pausesIn(campaign, creative, changes)...)
		}
	})
	if err != nil {
		return nil, err
	}
	var reads errgroup.Group
	reads.SetLimit(maxEntryReads)
	lasts := make([]bool, len(unchanged))
	for i := range unchanged {
		reads.Go(func() error {
			entry, err := r.queue.Creatives().Entry(ctx, unchanged[i].Creative)
			lasts[i] = entry.Left == unchanged[i].left // otherwise another job has changed it since
			return err
		})
	}
	err = reads.Wait()
	for i := range unchanged {
		if p := &unchanged[i]; lasts[i] {
			found = append(found, p.PausedTime)
			found = append(found, pausesIn(p.Campaign, p.Creative, p.changes)...)
		}
	}
	return found, err
}

// lastingPause is a pause that is the last change in a memory, with the state in which it left the creative.
type lastingPause struct {
	usher.PausedTime
	left    usher.CreativeState
	changes []usher.Change
}

// pausesIn returns the pauses by rules among changes of a creative, without the last change.
func pausesIn(campaign, creative string, changes []usher.Change) (list []usher.PausedTime) {
	for i := range changes[:len(changes)-1] {
		if c := &changes[i]; c.Pauses && c.Rule != "" && !changes[i+1].Pauses {
			list = append(list, usher.PausedTime{Rule: c.File + "/" + c.Rule, Campaign: campaign, Creative: creative, From: c.At, To: changes[i+1].At})
		}
	}
	return list
}
