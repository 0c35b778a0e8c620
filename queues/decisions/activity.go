package decisions

import (
	"context"
	"time"

	"usher"
	"usher/queues/audit"
)

// Activity is what rules have done since a time, as the audit has it.
type Activity struct {
	Since time.Time
	Rules map[string]Changes // by <rule file>/<rule>
	// Paused are the times in which creatives were paused: by whomever, newest first, from activityMargin
	// before Since on; then those by rules that began earlier and lasted until then, and the rules' pauses
	// of the same creatives before them, as rules remember them.
	Paused []usher.PausedTime
}

// Earlier counts the pauses of each rule that began before Since and lasted longer.
func (f *Activity) Earlier() map[string]int {
	n := map[string]int{}
	for i := range f.Paused {
		if p := &f.Paused[i]; p.Rule != "" && p.From.Before(f.Since) && p.LastsBeyond(f.Since) {
			n[p.Rule]++
		}
	}
	return n
}

// Changes counts the changes that a rule has made.
type Changes struct {
	Pauses  int `json:"pauses"`
	Resumes int `json:"resumes"`
	Numbers int `json:"numbers"` // of budgets and bids
}

// activityMargin is how long before the time of an Activity pauses are known: what a creative was on
// the whole day before a pause.
const activityMargin = 48 * time.Hour

// active is the platform's status of a creative that serves.
const active = "ACTIVE"

// Activity returns what rules have done since a time.
func (r *Store) Activity(ctx context.Context, since time.Time) (Activity, error) {
	found := Activity{Since: since, Rules: map[string]Changes{}}
	next := map[string]usher.Audit{} // the oldest entry about a creative so far
	err := r.queue.Audit().Newest(ctx, audit.Filter{}, func(a usher.Audit) bool {
		if a.At.Before(since.Add(-activityMargin)) {
			return false
		}
		rule := changingRule(&a)
		if rule != "" && !a.At.Before(since) {
			found.Rules[rule] = found.Rules[rule].with(&a)
		}
		if a.Bidding == nil && a.Creative != "" && (a.After == active || a.After == inactive) {
			found.add(&a, rule, next)
		}
		return true
	})
	if err != nil {
		return found, err
	}
	earlier, err := r.earlier(ctx, since, next)
	for _, a := range next {
		if a.Before == inactive {
			found.Paused = append(found.Paused, usher.PausedTime{Campaign: a.Campaign, Creative: a.Creative, To: a.At})
		}
	}
	found.Paused = append(found.Paused, earlier...)
	return found, err
}

// creativeID identifies a creative of a campaign.
func creativeID(campaign, creative string) string { return campaign + " " + creative }

// changingRule returns the key of the rule that has made the change of an entry, or "".
func changingRule(a *usher.Audit) string {
	file := usher.RuleFileOfActor(a.Actor)
	if file == "" || a.Restores != "" || a.Before == a.After || a.After != a.Wanted {
		return ""
	}
	return file + "/" + a.Rule
}

// with returns the counts with a change.
func (c Changes) with(a *usher.Audit) Changes {
	switch {
	case a.Bidding != nil:
		c.Numbers++
	case a.After == inactive:
		c.Pauses++
	case a.After == active:
		c.Resumes++
	}
	return c
}

// add adds the pause that an entry about a creative records. next has the entry after it.
func (f *Activity) add(a *usher.Audit, rule string, next map[string]usher.Audit) {
	if a.Before == inactive && a.After == inactive {
		return // a pause goes on
	}
	key := creativeID(a.Campaign, a.Creative)
	after, changed := next[key]
	next[key] = *a
	if a.After != inactive {
		return
	}
	p := usher.PausedTime{Rule: rule, Campaign: a.Campaign, Creative: a.Creative, From: a.At}
	if changed {
		p.To, p.Elsewhere = after.At, after.Before != inactive
	}
	f.Paused = append(f.Paused, p)
}
