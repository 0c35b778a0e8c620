package ledger

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"usher"
)

// current yields the members of a target that have not lapsed, in order.
type current struct {
	state   *State
	members *members
	today   Day

	block memberBlock
	at    int // of the next member in block

	// maybe also yields the digests that may be members.
	maybe bool
	size  Size // but for Members
}

// Size is how many members a target has.
type Size struct {
	Members   int64 // that have not lapsed
	Uncertain int64 // digests that may be members, which are not among them
	Lapsed    int64
	Lapsing   int64 // members that lapse by the end of tomorrow
	First     Day   // on which the first of the members lapse; 0: never
}

// openCurrent opens the members of the newest generation of a target, with its deltas. A target that
// has no ledger is an error that names it.
func (s *Store) openCurrent(ctx context.Context, t Target) (*current, error) {
	h, err := s.currentHead(ctx, t)
	if err != nil {
		return nil, err
	}
	state, err := s.Load(ctx, h)
	if err != nil {
		return nil, fmt.Errorf("read the members of %s: %w", t, err)
	}
	c, err := s.currentOf(ctx, state, 0, firstBytes)
	if err != nil {
		return nil, errors.Join(err, state.Close(ctx))
	}
	return c, nil
}

// currentHead returns the head of a target that has a generation.
func (s *Store) currentHead(ctx context.Context, t Target) (Head, error) {
	h, _, err := s.heads.Head(ctx, t)
	switch {
	case errors.Is(err, ErrNone) || err == nil && h.Generation == 0:
		return h, usher.Refuse(usher.LedgerBroken, fmt.Sprintf("mirror %s first, or run usher ledger adopt %s EXPORT --profile P with an export of what it holds", t, t),
			"read the members of %s: it has no ledger", t)
	case err != nil:
		return h, fmt.Errorf("read the members of %s: %w", t, err)
	}
	return h, nil
}

// currentOf opens the members of a state whose first byte is in from..to-1.
func (s *Store) currentOf(ctx context.Context, state *State, from, to int) (*current, error) {
	m, err := s.members(ctx, state, from, to)
	if err != nil {
		return nil, fmt.Errorf("read the members of %s: %w", state.Name, err)
	}
	return &current{state: state, members: m, today: DayOf(s.now())}, nil
}

// next returns the next member.
func (c *current) next() (key, error) {
	if c.at == len(c.block.keys) {
		if err := c.fill(); err != nil {
			return key{}, err
		}
	}
	c.at++
	return c.block.keys[c.at-1], nil
}

// fill reads the next members, of at least one, or returns io.EOF.
func (c *current) fill() error {
	for c.at = len(c.block.keys); c.at == len(c.block.keys); {
		c.at = 0
		if err := c.members.block(&c.block); errors.Is(err, io.EOF) {
			c.block.keys = c.block.keys[:0]
			return io.EOF
		} else if err != nil {
			return fmt.Errorf("read the members of %s: %w", c.state.Name, err)
		}
		c.filter()
	}
	return nil
}

// filter takes the digests out of the block that are no members any more, or that may be none.
func (c *current) filter() {
	b := &c.block
	screens := len(b.uncertain) > 0 && !c.maybe
	if c.state.Duration() == 0 && !screens {
		return
	}
	kept := b.keys[:0]
	for i, k := range b.keys {
		switch {
		case c.state.hasLapsed(b.days[i], c.today):
			c.size.Lapsed++
		case screens && b.uncertain[i]:
			c.size.Uncertain++
		default:
			kept = append(kept, k)
			c.noteLapse(b.days, i)
		}
	}
	b.keys = kept
}

// noteLapse notes when a member lapses.
func (c *current) noteLapse(days []Day, i int) {
	duration := c.state.Duration()
	if duration == 0 || days[i] == 0 {
		return
	}
	first := Day(min(int(days[i])+duration+1, math.MaxUint16))
	if c.size.First == 0 || first < c.size.First {
		c.size.First = first
	}
	if first <= c.today+1 {
		c.size.Lapsing++
	}
}

// close closes the members and their state.
func (c *current) close(ctx context.Context) error {
	c.members.close()
	return c.state.Close(ctx)
}

// Profile returns of which ids the members are digests; without a Type it is not known.
func (st *State) Profile() usher.Profile { return st.generation.Profile }

// Duration returns the number of days after which a member lapses, as the last mirror has read it
// from the platform, or 0 if members stay.
func (st *State) Duration() int { return st.generation.Duration }

// hasLapsed reports whether a member that was last uploaded on a day has left the segment since.
func (st *State) hasLapsed(day, today Day) bool {
	return hasLapsed(day, st.generation.Duration, today)
}

// hasLapsed reports whether a member that was last uploaded on a day has left a segment with a duration
// in days.
func hasLapsed(day Day, duration int, today Day) bool {
	return duration > 0 && day > 0 && int(day)+duration < int(today)
}

// Count returns how many members a target has. It reads them only if it must.
func (s *Store) Count(ctx context.Context, st *State) (Size, error) {
	if !st.IsChanged() && st.Duration() == 0 {
		return Size{Members: st.Fingerprint.Count}, nil
	}
	c, err := s.currentOf(ctx, st, 0, firstBytes)
	if err != nil {
		return Size{}, err
	}
	defer c.members.close()
	for ; ; c.size.Members++ {
		if _, err := c.next(); errors.Is(err, io.EOF) {
			return c.size, nil
		} else if err != nil {
			return c.size, err
		}
	}
}
