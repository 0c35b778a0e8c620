package feeds

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"usher"
	"usher/queues"
	"usher/queues/audit"
	"usher/queues/settings"
	"usher/queues/store"
)

// Errors of States.
var (
	ErrUnknown = errors.New("no worker has such a feed")
	ErrNotHeld = errors.New("no export of the feed is held")
	// ErrOtherHeld means that another export is held than the one to be decided.
	ErrOtherHeld = errors.New("look at what is held before you decide")
	// ErrFails means that an export was to be approved whose job would fail.
	ErrFails = errors.New("its job would fail at once, so it cannot be approved")
)

// States are the states of all feeds, in a bucket. The pauses of feeds are among the settings.
// It is safe for concurrent use.
type States struct {
	queue    *queues.Queue
	bucket   *store.Bucket
	settings *settings.Settings
}

// NewStates returns the states of the feeds of a queue's workers.
func NewStates(q *queues.Queue) *States { return &States{q, q.Store().Rules, q.Settings()} }

const prefix = "feeds."

func key(feed string) string { return prefix + store.Token(feed) }

// announceEvery is how often a worker repeats that it has a feed. After three times as long,
// a feed is no longer listed.
const announceEvery = time.Hour

// List returns the states of the feeds that workers have, by name.
func (ss *States) List(ctx context.Context) ([]State, error) {
	pauses, err := ss.settings.List(ctx, usher.FeedPause)
	if err != nil {
		return nil, err
	}
	all := []State{}
	err = store.EachValue(ctx, ss.bucket, prefix+"*", func(_ *store.Entry, s *State) {
		if ss.queue.Now().Sub(s.Announced) < 3*announceEvery {
			if pause, paused := pauses[s.Name]; paused {
				s.Paused = &pause
			}
			all = append(all, *s)
		}
	})
	slices.SortFunc(all, func(a, b State) int { return strings.Compare(a.Name, b.Name) })
	return all, err
}

// Get returns the state of a feed, or ErrUnknown.
func (ss *States) Get(ctx context.Context, feed string) (*State, error) {
	var s State
	_, found, err := ss.bucket.Get(ctx, key(feed), &s)
	if err == nil && !found {
		err = fmt.Errorf("read feed %q: %w", feed, ErrUnknown)
	}
	if err == nil {
		s.Paused, err = ss.paused(ctx, feed)
	}
	return &s, err
}

// change changes the state of a feed that exists.
func (ss *States) change(ctx context.Context, feed string, alter func(*State) bool) error {
	known := false
	err := store.Change(ctx, ss.bucket, key(feed), func(s *State, found bool) bool {
		known = found
		return found && alter(s)
	})
	if err == nil && !known {
		err = fmt.Errorf("change feed %q: %w", feed, ErrUnknown)
	}
	return err
}

// Pause stops a feed: it looks for no exports until it is resumed.
func (ss *States) Pause(ctx context.Context, feed string, act audit.Act) error {
	if _, err := ss.Get(ctx, feed); err != nil {
		return err
	}
	return ss.settings.Set(ctx, usher.Setting{Kind: usher.FeedPause, Name: feed}, act)
}

// Resume lets a paused feed look again, at once.
func (ss *States) Resume(ctx context.Context, feed string, act audit.Act) error {
	if _, err := ss.Get(ctx, feed); err != nil {
		return err
	}
	if err := ss.settings.TakeBack(ctx, usher.FeedPause, feed, act); err != nil {
		return err
	}
	return ss.change(ctx, feed, func(s *State) bool {
		s.Next = ss.queue.Now().UTC()
		return true
	})
}

// paused returns who paused a feed, when and why, or nil.
func (ss *States) paused(ctx context.Context, feed string) (*usher.Setting, error) {
	return ss.settings.Get(ctx, usher.FeedPause, feed)
}

// Ask makes a worker look now, and returns the time of the request: a look that ended later has
// answered it.
func (ss *States) Ask(ctx context.Context, feed string, act audit.Act) (time.Time, error) {
	var asked time.Time
	err := ss.set(ctx, feed, "waits", "asked to look now", act, func(s *State, by *Resolution) bool {
		asked = by.At
		s.Asked, s.Next = asked, asked
		return true
	})
	return asked, err
}

// Decide approves or rejects versions of the export of a feed that are held, or all that are held
// if none is named, and returns which. If one of those named is not held, it decides nothing: an
// export that has come meanwhile is not the one that a person has seen. It approves nothing either if one
// of their jobs would fail at once.
func (ss *States) Decide(ctx context.Context, feed string, versions []string, approve bool, act audit.Act) ([]string, error) {
	after := "rejected"
	if approve {
		after = "approved"
	}
	var decided []string
	var refused error
	err := ss.set(ctx, feed, "held", after, act, func(s *State, by *Resolution) bool {
		if decided, refused = s.toDecide(versions); refused == nil && approve {
			refused = s.failing(decided)
		}
		if refused != nil {
			return false
		}
		for _, version := range decided {
			resolution := *by
			resolution.Approved = approve
			v := s.Versions[version]
			v.Resolution = &resolution
			v.Held, v.Reason = "", ""
		}
		s.Next = by.At
		return true
	})
	if err != nil {
		return nil, err
	}
	return decided, refused
}

// toDecide returns the versions that are to be decided, or an ErrNotHeld.
func (s *State) toDecide(versions []string) ([]string, error) {
	held := s.HeldVersions()
	if len(held) == 0 {
		return nil, fmt.Errorf("feed %q: %w", s.Name, ErrNotHeld)
	}
	if len(versions) == 0 {
		return held, nil
	}
	for _, version := range versions {
		if !slices.Contains(held, version) {
			return nil, fmt.Errorf("feed %q: version %s is not held any more, but %s: %w", s.Name, version, s.describeHeld(), ErrOtherHeld)
		}
	}
	return versions, nil
}

// failing returns an ErrFails if the job of one of the versions would fail, with what to do instead.
func (s *State) failing(versions []string) error {
	for _, version := range versions {
		if v := s.Versions[version]; v.Fails() {
			return fmt.Errorf("feed %q: version %s: %s; %w: have the export written again, or correct job.source in the feed file; usher feeds run %s reads it again, and usher feeds reject %s %s lets it go",
				s.Name, version, v.Reason, ErrFails, s.Name, s.Name, version)
		}
	}
	return nil
}

// set changes a state as a person asks for, and records that in the audit unless nothing was to
// be changed.
func (ss *States) set(ctx context.Context, feed, before, after string, act audit.Act, alter func(s *State, by *Resolution) bool) error {
	act = act.Masked()
	now := ss.queue.Now().UTC()
	changed := false
	err := ss.change(ctx, feed, func(s *State) bool {
		changed = alter(s, resolutionOf(act, now))
		return changed
	})
	if err != nil || !changed {
		return err
	}
	return ss.queue.Audit().Setting(ctx, now, "feed "+feed, before, after, act)
}
