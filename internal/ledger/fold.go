package ledger

import (
	"context"
	"errors"
	"io"
	"slices"

	"usher/hashing"
)

// State is a head with all that changes its generation: the deltas, and the lists of a
// pending job.
type State struct {
	Head

	store      *Store
	generation *Generation
	sources    []delta // in order; those of the pending job have opUnknown
}

// Load reads what is needed to read the members of a target.
func (s *Store) Load(ctx context.Context, h Head) (*State, error) {
	st := &State{Head: h, store: s}
	var err error
	if st.generation, err = s.generationOf(ctx, &h); err != nil {
		return nil, err
	}
	if st.sources, err = s.deltasOf(ctx, &h); err != nil || h.Pending == nil {
		return st, err
	}
	at := slices.IndexFunc(st.sources, func(d delta) bool {
		return d.epoch > h.Pending.Epoch || d.epoch == h.Pending.Epoch && d.op > opUnknown
	})
	if at < 0 {
		at = len(st.sources)
	}
	var lists []delta
	for _, f := range h.Pending.Lists {
		lists = append(lists, delta{File: f, epoch: h.Pending.Epoch, op: opUnknown})
	}
	st.sources = slices.Insert(st.sources, at, lists...)
	return st, nil
}

// IsChanged reports whether the members differ from those of the generation, or may differ.
func (st *State) IsChanged() bool { return len(st.sources) > 0 || st.Pending != nil }

// Days reports whether the generation has the days of the last uploads.
func (st *State) Days() bool { return st.generation.Days }

// members yields the members of a target, and the digests that may be members.
type members struct {
	plain   *chain // the generation if nothing has changed it, so that nothing is merged
	merger  *merger
	ops     []op // of the streams
	cleared int  // the members of streams below this rank may be gone
	item    item // the next one, which was read already
	err     error
}

// members opens the members whose first byte is in from..to-1.
func (s *Store) members(ctx context.Context, st *State, from, to int) (_ *members, err error) {
	m := &members{ops: []op{opAdded}}
	buffer := bufferOf(len(st.sources) + 1)
	generation := &chain{ctx: ctx, store: s, files: st.generation.shardsOf(from, to), from: from, to: to, buffer: buffer}
	streams := []stream{generation}
	defer func() {
		if err != nil {
			for _, opened := range streams {
				opened.close()
			}
		}
	}()
	for _, d := range st.sources {
		if st.Pending != nil && st.Pending.Cleared && (d.epoch < st.Pending.Epoch || d.epoch == st.Pending.Epoch && d.op <= opUnknown) {
			m.cleared = len(streams) + 1
		}
		r, err := s.open(ctx, d.File, from, to, buffer)
		if err != nil {
			return nil, err
		}
		streams, m.ops = append(streams, r), append(m.ops, d.op)
	}
	if st.Pending != nil && st.Pending.Cleared {
		m.cleared = max(m.cleared, 1)
	}
	if len(st.sources) == 0 && m.cleared == 0 {
		m.plain = generation
		return m, nil
	}
	m.merger = newMerger(streams)
	m.item, m.err = m.merger.next()
	return m, nil
}

func (m *members) close() {
	if m.plain != nil {
		m.plain.close()
		return
	}
	m.merger.close()
}

// next returns the next member. known is false if it is not certain that it is one.
func (m *members) next() (k key, day Day, known bool, err error) {
	if m.plain != nil {
		k, day, err = m.plain.next()
		return k, day, true, err
	}
	for {
		if m.err != nil {
			return key{}, 0, false, m.err
		}
		last := m.item // the last source of a digest decides
		m.item, m.err = m.merger.next()
		for m.err == nil && m.item.key == last.key {
			last, m.item.day = m.item, max(last.day, m.item.day)
			last.day = m.item.day
			m.item, m.err = m.merger.next()
		}
		if m.err != nil && !errors.Is(m.err, io.EOF) {
			continue
		}
		switch m.ops[last.rank] {
		case opRemoved:
		case opUnknown:
			return last.key, last.day, false, nil
		default:
			return last.key, last.day, last.rank >= m.cleared, nil
		}
	}
}

// Fingerprint reads all members and returns their fingerprint. uncertain is the number of
// digests that may be members, which are not in the fingerprint.
func (s *Store) Fingerprint(ctx context.Context, st *State) (f hashing.Fingerprint, uncertain int64, err error) {
	if !st.IsChanged() {
		return st.Fingerprint, 0, nil
	}
	err = st.EachMember(ctx, func(d hashing.Digest, known bool) error {
		if !known {
			uncertain++
			return nil
		}
		f.Add(d)
		return nil
	})
	return f, uncertain, err
}

// EachMember calls visit with the members of a target in order. known is false if the
// digest may be none.
func (st *State) EachMember(ctx context.Context, visit func(d hashing.Digest, known bool) error) error {
	m, err := st.store.members(ctx, st, 0, firstBytes)
	if err != nil {
		return err
	}
	defer m.close()
	for {
		k, _, known, err := m.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = visit(k.digest(), known)
		}
		if err != nil {
			return err
		}
	}
}
