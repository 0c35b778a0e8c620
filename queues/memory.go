package queues

import (
	"context"
	"maps"
	"slices"
	"time"

	"usher"
	"usher/queues/store"
)

// What rules remember is the changes they made: who owns a creative, when a
// rule touched it last, how often a day. A value per campaign holds those of
// all its creatives, so that a run reads one key a campaign and a job writes
// one; creatives that no rule ever changed take no room. It is written after
// the audit and can be made anew from it (RebuildMemory).

// memory is a campaign's: creative → its changes, oldest first.
// Key memory.<campaign>.
type memory map[string][]usher.Change

// Beyond its last change, which says whose a creative is, a creative's changes
// are kept as long as cooldowns and counts of a day reach, and no more of them
// than anybody would allow.
const (
	changesLive = 31 * 24 * time.Hour
	changesMost = 50
)

// add puts a change where it belongs in time, once a job.
func (m memory) add(creative string, c usher.Change) bool {
	list := m[creative]
	for _, known := range list {
		if known.Job == c.Job && known.After == c.After {
			return false
		}
	}
	list = append(list, c)
	slices.SortStableFunc(list, func(a, b usher.Change) int { return a.At.Compare(b.At) })
	for len(list) > 1 && (len(list) > changesMost || list[len(list)-1].At.Sub(list[0].At) > changesLive) {
		list = list[1:]
	}
	m[creative] = list
	return true
}

// addAll adds lists of changes and reports whether any was news.
func (m *memory) addAll(changes memory) bool {
	if *m == nil {
		*m = memory{}
	}
	news := false
	for creative, list := range changes {
		for _, c := range list {
			news = m.add(creative, c) || news
		}
	}
	return news
}

// Remember keeps what the audit says of a campaign's creatives, as far as rules
// changed them.
func (q *Queue) Remember(ctx context.Context, audits ...usher.Audit) error {
	changes := map[string]memory{}
	for i := range audits {
		remember(changes, &audits[i])
	}
	return insist(ctx, func(ctx context.Context) error { return q.remember(ctx, changes) })
}

func remember(all map[string]memory, a *usher.Audit) {
	c, ok := changeOf(a)
	if !ok {
		return
	}
	if all[a.Campaign] == nil {
		all[a.Campaign] = memory{}
	}
	all[a.Campaign].add(a.Creative, c)
}

func (q *Queue) remember(ctx context.Context, all map[string]memory) error {
	for _, campaign := range slices.Sorted(maps.Keys(all)) {
		err := store.Change(ctx, q.rules, memoryKey(campaign), func(m *memory, _ bool) bool { return m.addAll(all[campaign]) })
		if err != nil {
			return err
		}
	}
	return nil
}

// fewCampaigns is up to how many campaigns' memories are read key by key: a
// reader of all costs about as much as so many questions.
const fewCampaigns = 16

// Memory is what rules remember of the creatives of campaigns: campaign →
// creative → its changes, oldest first. Campaigns without any are not in it.
func (q *Queue) Memory(ctx context.Context, campaigns []string) (map[string]map[string][]usher.Change, error) {
	all := map[string]map[string][]usher.Change{}
	if len(campaigns) <= fewCampaigns {
		for _, campaign := range campaigns {
			var m memory
			_, found, err := q.rules.Get(ctx, memoryKey(campaign), &m)
			if err != nil {
				return nil, err
			}
			if found {
				all[campaign] = m
			}
		}
		return all, nil
	}
	wanted := map[string]string{}
	for _, campaign := range campaigns {
		wanted[memoryKey(campaign)] = campaign
	}
	err := q.rules.Each(ctx, memoryKey("")+"*", func(e *store.Entry) error {
		campaign, is := wanted[e.Key]
		if !is {
			return nil
		}
		var m memory
		if err := e.Decode(&m); err != nil {
			return err
		}
		all[campaign] = m
		return nil
	})
	return all, err
}

// changeOf is the change that an audit tells of; ok is false where no rule had
// to do with it, or it changed nothing.
func changeOf(a *usher.Audit) (c usher.Change, ok bool) {
	if a.Evaluation == "" || a.Before == a.After || a.After != a.Wanted {
		return c, false
	}
	c = usher.Change{
		At: a.At, AsOf: a.AsOf, Job: a.Job, Evaluation: a.Evaluation,
		Pauses: a.Wanted == inactive, Before: a.Before, After: a.After, LatestUpdate: a.LatestUpdate,
	}
	if file := usher.FileOfActor(a.Actor); file != "" && a.Restores == "" { // what was put back is no rule's doing
		c.File, c.Rule = file, a.Rule
	}
	return c, true
}

// RebuildMemory makes what rules remember anew from the audit, beside what they
// remember still, and returns of how many creatives it has found changes.
func (q *Queue) RebuildMemory(ctx context.Context) (int, error) {
	found := map[string]memory{}
	err := q.Audit().Each(ctx, AuditFilter{}, func(a usher.Audit) error {
		remember(found, &a)
		return nil
	})
	if err != nil {
		return 0, err
	}
	creatives := 0
	for _, m := range found {
		creatives += len(m)
	}
	return creatives, q.remember(ctx, found)
}
