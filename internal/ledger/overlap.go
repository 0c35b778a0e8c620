package ledger

import (
	"context"
	"errors"
	"fmt"
	"io"

	"usher"
)

// MaxOverlap is the largest number of targets of an Overlap.
const MaxOverlap = 10

// Overlap says how many digests are members of which targets.
type Overlap struct {
	Targets []OverlapTarget

	counts []int64 // by the set of targets that have a digest: bit i stands for Targets[i]
}

// OverlapTarget is a target of an Overlap.
type OverlapTarget struct {
	Head

	Profile   usher.Profile
	Uncertain int64 // digests that may be members, which are counted nowhere else
	Lapsed    int64 // digests that have left the segment because of its duration, which are counted nowhere else
}

// Overlap reads the members of targets, each once, and counts those that they have in common. It
// refuses targets of different profiles, because their digests are of different ids.
func (s *Store) Overlap(ctx context.Context, targets []Target) (_ *Overlap, err error) {
	if len(targets) > MaxOverlap {
		return nil, fmt.Errorf("compare %d targets: at most %d are compared at once", len(targets), MaxOverlap)
	}
	o := &Overlap{counts: make([]int64, 1<<len(targets))}
	var open []*current
	defer func() {
		for _, c := range open {
			err = errors.Join(err, c.close(ctx))
		}
	}()
	for _, t := range targets {
		c, err := s.openCurrent(ctx, t)
		if err != nil {
			return nil, err
		}
		open = append(open, c)
		o.Targets = append(o.Targets, OverlapTarget{Head: c.state.Head, Profile: c.state.Profile()})
		if err := sameProfile(&open[0].state.Head, &c.state.Head, o.Targets[0].Profile, c.state.Profile()); err != nil {
			return nil, err
		}
	}
	if err := o.count(ctx, open); err != nil {
		return nil, err
	}
	for i, c := range open {
		o.Targets[i].Lapsed, o.Targets[i].Uncertain = c.size.Lapsed, c.size.Uncertain
	}
	return o, nil
}

// sameProfile returns an error if the digests of two targets are of different ids.
func sameProfile(a, b *Head, of, other usher.Profile) error {
	if of.Type != "" && other.Type != "" && of.IsSame(other) {
		return nil
	}
	for _, unknown := range []struct {
		*Head
		usher.Profile
	}{{a, of}, {b, other}} {
		if unknown.Type == "" {
			return usher.Refuse(usher.InvalidJob, fmt.Sprintf("mirror %s once more", unknown.Name), "compare %s with %s: the profile of %s is not known", a.Name, b.Name, unknown.Name)
		}
	}
	return usher.Refuse(usher.InvalidJob, "compare targets of one profile: the same device has another digest under another one",
		"compare %s with %s: the ids of %s are hashed as %s, and those of %s as %s", a.Name, b.Name, a.Name, of, b.Name, other)
}

// count merges the members of all targets.
func (o *Overlap) count(ctx context.Context, open []*current) error {
	m := &overlapping{open: open, next: make([]key, len(open)), left: 1<<len(open) - 1}
	set := m.left
	for n := 0; ; n++ {
		if err := m.advance(set); err != nil || m.left == 0 {
			return err
		}
		if n%blockKeys == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		set = m.least()
		o.counts[set]++
	}
}

// overlapping has the next member of each target.
type overlapping struct {
	open []*current
	next []key
	left int // the set of the targets that have not ended
}

// advance reads the next members of a set of targets.
func (m *overlapping) advance(set int) (err error) {
	for i := range m.open {
		if set&(1<<i) == 0 {
			continue
		}
		if m.next[i], err = m.open[i].next(); errors.Is(err, io.EOF) {
			m.left &^= 1 << i
		} else if err != nil {
			return err
		}
	}
	return nil
}

// least returns the set of the targets whose next member is the least one.
func (m *overlapping) least() (set int) {
	least := greatest
	for i, k := range m.next {
		switch {
		case m.left&(1<<i) == 0:
		case k == least:
			set |= 1 << i
		case k.less(least):
			least, set = k, 1<<i
		}
	}
	return set
}

// sum returns the number of digests whose set of targets is taken.
func (o *Overlap) sum(take func(set int) bool) (n int64) {
	for set, count := range o.counts {
		if take(set) {
			n += count
		}
	}
	return n
}

// Members returns the number of members of a target.
func (o *Overlap) Members(i int) int64 { return o.sum(func(set int) bool { return set&(1<<i) != 0 }) }

// Both returns the number of digests that are members of two targets.
func (o *Overlap) Both(i, j int) int64 {
	both := 1<<i | 1<<j
	return o.sum(func(set int) bool { return set&both == both })
}

// Union returns the number of digests that are members of any target.
func (o *Overlap) Union() int64 { return o.sum(func(set int) bool { return set != 0 }) }

// All returns the number of digests that are members of all targets.
func (o *Overlap) All() int64 { return o.counts[len(o.counts)-1] }

// Only returns the number of members of a target that are members of no other one.
func (o *Overlap) Only(i int) int64 { return o.counts[1<<i] }
