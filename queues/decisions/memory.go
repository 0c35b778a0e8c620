package decisions

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"usher"
	"usher/queues/audit"
	"usher/queues/store"
)

// Rules remember the changes that they made: who owns a creative or a number, when a rule
// changed it last, how often on one day. One value for each campaign holds the
// changes of all its creatives, so that a run reads one key for each campaign and a
// job writes one. A memory is written after the audit and can be rebuilt from it.

// memory holds the changes of a campaign by creative, and those of its numbers by
// usher.BiddingField.MemoryKey, oldest first. Key memory.<campaign>.
type memory map[string][]usher.Change

// Limits on the changes that are kept of a creative. The last change is always
// kept, because it decides who owns the creative. Older ones only matter for cooldowns, for the
// changes of one day, and for the times in which creatives were paused.
const (
	changeLife = 31 * 24 * time.Hour
	maxChanges = 50 // of all rules; and of each rule in a day
	// maxCooldown is the longest cooldown, document.MaxDuration.
	maxCooldown = 10 * 366 * 24 * time.Hour
	longestDay  = 25 * time.Hour // on which clocks go back
)

// recent returns the latest changes of a creative, without a gap.
func recent(list []usher.Change) []usher.Change {
	list = list[max(0, len(list)-maxChanges):]
	for len(list) > 1 && list[len(list)-1].At.Sub(list[0].At) > changeLife {
		list = list[1:]
	}
	return list
}

// trim drops changes of a creative that are not recent, except what guards of a rule count, however
// often other rules change the creative: the rule's last change, where its cooldown begins, and up to
// maxChanges of the last day, for max_flips_per_day. What is kept grows only with the number of rules.
func trim(list []usher.Change) []usher.Change {
	older := len(list) - len(recent(list))
	if older == 0 {
		return list
	}
	newest := list[len(list)-1].At
	made := map[string]int{} // by rule
	var kept []usher.Change  // newest first
	for i, c := range slices.Backward(list) {
		rule, age := c.File+"/"+c.Rule, newest.Sub(c.At)
		made[rule]++
		isCounted := made[rule] == 1 && age <= maxCooldown || made[rule] <= maxChanges && age <= longestDay
		if i >= older || c.Rule != "" && isCounted {
			kept = append(kept, c)
		}
	}
	slices.Reverse(kept)
	return kept
}

// Valid reports whether usher can have written the memory: it writes no empty one.
func (m *memory) Valid() bool { return len(*m) > 0 }

// add inserts a change in the order of time, unless it is known, and reports
// whether it did. A change that has arrived a second time, because its POST was repeated after a
// lost response, takes the place of the first: the platform shows the time of the last one.
func (m memory) add(creative string, c usher.Change) bool {
	list := m[creative]
	list = slices.DeleteFunc(list, func(known usher.Change) bool { return known.Claimed && known.Job == c.Job && !c.Claimed })
	for i := range list {
		known := &list[i]
		if known.Job != c.Job || known.After != c.After || c.Job == "" && !known.At.Equal(c.At) {
			continue
		}
		again := known.LatestUpdate != c.LatestUpdate && known.Rule == c.Rule // otherwise it restores a status
		if !again || !c.At.After(known.At) {
			return false
		}
		list = slices.Delete(list, i, i+1)
		break
	}
	list = append(list, c)
	slices.SortStableFunc(list, func(a, b usher.Change) int { return a.At.Compare(b.At) })
	m[creative] = trim(list)
	return true
}

// addAll adds all changes of another memory and reports whether any was new.
func (m *memory) addAll(changes memory) bool {
	if *m == nil {
		*m = memory{}
	}
	added := false
	for creative, list := range changes {
		for _, c := range list {
			added = m.add(creative, c) || added
		}
	}
	return added
}

// memories are memories by campaign.
type memories map[string]memory

// add adds the change that an audit entry records, if a rule caused it.
func (all memories) add(a *usher.Audit) {
	c, ok := changeOf(a)
	if !ok {
		return
	}
	if all[a.Campaign] == nil {
		all[a.Campaign] = memory{}
	}
	all[a.Campaign].add(memoryKeyOf(a), c)
}

// claim adds the change that a job is about to make, or may have made.
func (all memories) claim(record *usher.Record, intent *usher.BiddingIntent) {
	var job usher.Job
	if json.Unmarshal(record.Job, &job) != nil || job.Campaign == "" || job.Evaluation == "" {
		return // no job of a rule
	}
	if all[job.Campaign] == nil {
		all[job.Campaign] = memory{}
	}
	at := cmp.Or(intent.Sent, record.Submitted)
	all[job.Campaign].add(intent.Change.Field.MemoryKey(), intent.Claim(record.ID, &job, at))
}

// memoryKeyOf returns the key of what an audit entry is about among the creatives of a
// campaign's memory.
func memoryKeyOf(a *usher.Audit) string {
	if a.Bidding != nil {
		return a.Bidding.Field.MemoryKey()
	}
	return a.Creative
}

// inactive is the platform's status of a paused creative.
const inactive = "INACTIVE"

// changeOf returns the change that an audit entry records. ok is false if no rule
// caused it or nothing changed, except that a job keeps paused what a rule has paused.
func changeOf(a *usher.Audit) (c usher.Change, ok bool) {
	if a.Keeps {
		return usher.Change{At: a.At, AsOf: a.At, Job: a.Job, Before: a.Before, After: a.After, LatestUpdate: a.LatestUpdate, Keeps: true}, true
	}
	if a.Evaluation == "" || a.Before == a.After || a.After != a.Wanted {
		return c, false
	}
	c = usher.Change{
		At: a.At, AsOf: a.AsOf, Approved: a.Approved, Job: a.Job, Evaluation: a.Evaluation,
		Pauses: a.Wanted == inactive, Cause: a.Cause, Before: a.Before, After: a.After, LatestUpdate: a.LatestUpdate,
		Bidding: a.Bidding,
	}
	if file := usher.RuleFileOfActor(a.Actor); file != "" && a.Restores == "" { // restoring a status is no decision of a rule
		c.File, c.Rule = file, a.Rule
	}
	return c, true
}

// Remember adds to the memory what audit entries record of rules' changes. It
// repeats the write until it succeeds or ctx ends.
func (r *Store) Remember(ctx context.Context, audits ...usher.Audit) error {
	all := memories{}
	for i := range audits {
		all.add(&audits[i])
	}
	return store.Retry(ctx, func(ctx context.Context) error {
		if err := r.remember(ctx, all); err != nil {
			return err
		}
		return r.noteTookBack(ctx, audits)
	})
}

func (r *Store) remember(ctx context.Context, all memories) error {
	for _, campaign := range slices.Sorted(maps.Keys(all)) {
		err := store.Change(ctx, r.bucket, memoryKey(campaign), func(m *memory, _ bool) bool { return m.addAll(all[campaign]) })
		if err != nil {
			return err
		}
	}
	return nil
}

// RebuildMemory adds to the memory what the whole audit records, and the claims of jobs that
// may have changed a number without an audit. It returns of how many creatives and numbers
// these are.
func (r *Store) RebuildMemory(ctx context.Context) (int, error) {
	all := memories{}
	err := r.queue.Audit().Each(ctx, audit.Filter{}, func(a usher.Audit) error {
		all.add(&a)
		return nil
	})
	if err == nil {
		err = r.queue.Status().EachIntent(ctx, all.claim)
	}
	if err != nil {
		return 0, err
	}
	creatives := 0
	for _, m := range all {
		creatives += len(m)
	}
	return creatives, r.remember(ctx, all)
}

// fewCampaigns is the largest number of campaigns whose memories are read key by
// key. Reading all memories at once costs about as much as that many reads.
const fewCampaigns = 16

// Memory returns what rules remember of the creatives of campaigns: campaign →
// creative → changes, oldest first. It leaves out campaigns without changes.
func (r *Store) Memory(ctx context.Context, campaigns []string) (map[string]map[string][]usher.Change, error) {
	all := map[string]map[string][]usher.Change{}
	if len(campaigns) <= fewCampaigns {
		for _, campaign := range campaigns {
			m, err := r.memoryOf(ctx, campaign)
			if err != nil {
				return nil, err
			}
			if m != nil {
				all[campaign] = m
			}
		}
		return all, nil
	}
	wanted := map[string]string{}
	for _, campaign := range campaigns {
		wanted[memoryKey(campaign)] = campaign
	}
	var damaged []string
	err := r.bucket.Each(ctx, memoryKey("")+"*", func(e *store.Entry) error {
		campaign, ok := wanted[e.Key]
		if !ok {
			return nil
		}
		var m memory
		if e.Decode(&m) != nil {
			damaged = append(damaged, campaign)
		}
		all[campaign] = m
		return nil
	})
	for _, campaign := range damaged {
		m, rebuilt := r.memoryOf(ctx, campaign)
		all[campaign], err = m, errors.Join(err, rebuilt)
	}
	return all, err
}

// memoryOf returns the memory of a campaign, or nil. If it is damaged, all memories are
// rebuilt from the audit first, because a rule that forgets its pauses would neither
// resume them nor keep its cooldowns.
func (r *Store) memoryOf(ctx context.Context, campaign string) (memory, error) {
	key := memoryKey(campaign)
	for rebuilt := false; ; rebuilt = true {
		var m memory
		e, err := r.bucket.Find(ctx, key)
		if e == nil || err != nil {
			return nil, err
		}
		if e.Decode(&m) == nil {
			return m, nil
		}
		if rebuilt {
			return nil, nil // the audit has no change of the campaign by a rule
		}
		if _, err := r.RebuildMemory(ctx); err != nil {
			return nil, fmt.Errorf("rebuild the damaged memory of campaign %s from the audit: %w", campaign, err)
		}
	}
}

// Claim records in the memory of a campaign that a job is about to change a number. If the
// last change of that number is neither that of the job last nor one of the change's own job,
// rules decided on an older memory: Claim then writes nothing and returns false.
func (r *Store) Claim(ctx context.Context, campaign string, c usher.Change, last string) (bool, error) {
	key := c.Bidding.Field.MemoryKey()
	claimed := false
	err := store.Change(ctx, r.bucket, memoryKey(campaign), func(m *memory, _ bool) bool {
		before := ""
		if changes := (*m)[key]; len(changes) > 0 {
			before = changes[len(changes)-1].Job
		}
		if claimed = before == last || before == c.Job; !claimed {
			return false
		}
		return m.addAll(memory{key: {c}})
	})
	return claimed && err == nil, err
}

// Unclaim removes a change that its job has claimed and not made.
func (r *Store) Unclaim(ctx context.Context, campaign string, c usher.Change) error {
	key := c.Bidding.Field.MemoryKey()
	isClaim := func(known usher.Change) bool { return known.Claimed && known.Job == c.Job }
	return store.Change(ctx, r.bucket, memoryKey(campaign), func(m *memory, _ bool) bool {
		if !slices.ContainsFunc((*m)[key], isClaim) {
			return false
		}
		(*m)[key] = slices.DeleteFunc((*m)[key], isClaim)
		return true
	})
}
