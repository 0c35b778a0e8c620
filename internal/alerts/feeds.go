package alerts

import (
	"context"
	"slices"
	"time"

	"usher/internal/feeds"
)

// FeedAlert is what is wrong with a feed: an export has not come in time, or is held.
type FeedAlert struct {
	Feed string
	By   time.Time // by which an export was expected; zero: one is held
	Rule string    // the key of the rule that holds it
	Why  string
}

// feedState is what alerts have reported about a feed.
type feedState struct {
	Late time.Time `json:"late,omitzero"`
	Held []string  `json:"held,omitempty"` // versions
}

// findFeeds finds feeds that have become late, and exports that have been held.
func (d *detector) findFeeds(ctx context.Context, after *alertState, alert *Alert) error {
	all, err := feeds.NewStates(d.queue).List(ctx)
	if err != nil {
		return err
	}
	before := after.Feeds
	after.Feeds = map[string]feedState{}
	for i := range all {
		s := &all[i]
		known, is := before[s.Name], feedState{}
		if by, late := s.Late(d.queue.Now()); late {
			if is.Late = by; !by.Equal(known.Late) {
				alert.Feeds = append(alert.Feeds, FeedAlert{Feed: s.Name, By: by})
			}
		}
		for _, version := range s.HeldVersions() {
			is.Held = append(is.Held, version)
			if !slices.Contains(known.Held, version) {
				v := s.Versions[version]
				alert.Feeds = append(alert.Feeds, FeedAlert{Feed: s.Name, Rule: v.Held, Why: v.Reason})
			}
		}
		if !is.Late.IsZero() || len(is.Held) > 0 {
			after.Feeds[s.Name] = is
		}
	}
	return nil
}
