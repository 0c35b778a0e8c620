package feeds

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"usher/queues"
	"usher/queues/audit"
	"usher/queues/store"
)

// Errors of States.
var (
	ErrUnknown = errors.New("no worker has such a feed")
	ErrNotHeld = errors.New("no export of the feed is held")
)

// States are the states of all feeds, in a bucket. It is safe for concurrent use.
type States struct {
	queue  *queues.Queue
	bucket *store.Bucket
}

// NewStates returns the states of the feeds of a queue's workers.
func NewStates(q *queues.Queue) *States { return &States{q, q.Store().Rules} }

const prefix = "feeds."

func key(feed string) string { return prefix + store.Token(feed) }

// announceEvery is how often a worker repeats that it has a feed. After three times as long,
// a feed is no longer listed.
const announceEvery = time.Hour

// List returns the states of the feeds that workers have, by name.
func (ss *States) List(ctx context.Context) ([]State, error) {
	all := []State{}
	err := store.EachValue(ctx, ss.bucket, prefix+"*", func(_ *store.Entry, s *State) {
		if ss.queue.Now().Sub(s.Announced) < 3*announceEvery {
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
	return ss.set(ctx, feed, "runs", "paused", act, func(s *State, by *Decision) bool {
		if s.Paused != nil {
			return false
		}
		s.Paused = by
		return true
	})
}

// Resume lets a paused feed look again.
func (ss *States) Resume(ctx context.Context, feed string, act audit.Act) error {
	return ss.set(ctx, feed, "paused", "runs", act, func(s *State, by *Decision) bool {
		if s.Paused == nil {
			return false
		}
		s.Paused, s.Next = nil, by.At
		return true
	})
}

// Ask makes a worker look now, and returns the time of the request: a look that ended later has
// answered it.
func (ss *States) Ask(ctx context.Context, feed string, act audit.Act) (time.Time, error) {
	var asked time.Time
	err := ss.set(ctx, feed, "waits", "asked to look now", act, func(s *State, by *Decision) bool {
		asked = by.At
		s.Asked, s.Next = asked, asked
		return true
	})
	return asked, err
}

// Decide approves or rejects the exports of a feed that are held, and returns their number.
func (ss *States) Decide(ctx context.Context, feed string, approve bool, act audit.Act) (int, error) {
	after := "rejected"
	if approve {
		after = "approved"
	}
	decided := 0
	err := ss.set(ctx, feed, "held", after, act, func(s *State, by *Decision) bool {
		held := s.Held()
		for _, v := range held {
			decision := *by
			decision.Approved = approve
			v.Decision = &decision
			v.Held, v.Reason = "", ""
		}
		decided = len(held)
		s.Next = by.At
		return decided > 0
	})
	if err == nil && decided == 0 {
		err = fmt.Errorf("feed %q: %w", feed, ErrNotHeld)
	}
	return decided, err
}

// set changes a state as a person asks for, and records that in the audit unless nothing was to
// be changed.
func (ss *States) set(ctx context.Context, feed, before, after string, act audit.Act, alter func(s *State, by *Decision) bool) error {
	act = act.Masked()
	now := ss.queue.Now().UTC()
	changed := false
	err := ss.change(ctx, feed, func(s *State) bool {
		changed = alter(s, decisionOf(act, now))
		return changed
	})
	if err != nil || !changed {
		return err
	}
	return ss.queue.Audit().Setting(ctx, now, "feed "+feed, before, after, act)
}
