package ledger

import (
	"context"
	"errors"
	"io"
	"sync"

	"usher/hashing"
)

// State is a head with all that changes its generation: the deltas, and the lists of a
// pending job. The caller closes it.
type State struct {
	Head

	store      *Store
	generation *Generation
	sources    []source // in order; those that the pending job may have cleared have opUnknown
	folder     string   // of the files that the sources were merged into
}

// readFolder has the folders of those who read the members of a target.
const readFolder = "r/"

// Load reads what is needed to read the members of a target.
func (s *Store) Load(ctx context.Context, h Head) (*State, error) {
	for {
		st, err := s.load(ctx, h)
		if !errors.As(err, new(*DamagedError)) {
			return st, err
		}
		now, _, failed := s.heads.Head(ctx, h.Target)
		if failed != nil || now.Generation == h.Generation {
			return nil, err
		}
		h = now // a new generation has replaced what was being read
	}
}

func (s *Store) load(ctx context.Context, h Head) (*State, error) {
	generation, err := s.generationOf(ctx, &h)
	if err != nil {
		return nil, err
	}
	st := &State{Head: h, store: s, generation: generation}
	g := s.reading(h.Target)
	st.sources, err = g.sources(ctx, &h)
	if g.written > 0 {
		st.folder = g.folder
	}
	if err != nil {
		return nil, errors.Join(err, st.Close(ctx))
	}
	return st, nil
}

// Close removes the files that Load has written.
func (st *State) Close(ctx context.Context) error {
	if st.folder == "" {
		return nil
	}
	return st.store.removeAll(context.WithoutCancel(ctx), st.folder)
}

// IsChanged reports whether the members differ from those of the generation, or may differ.
func (st *State) IsChanged() bool { return len(st.sources) > 0 || st.Pending != nil }

// Days reports whether the generation has the days of the last uploads.
func (st *State) Days() bool { return st.generation.Days }

// generationOp returns opUnknown if a pending job may have removed the generation's digests.
func (st *State) generationOp() op {
	if st.MayBeCleared() {
		return opUnknown
	}
	return opAdded
}

// folded yields digests of streams, each once. The last stream of a digest decides its op.
type folded struct {
	merger *merger
	ops    []op // of the streams
	item   item // the next one, which was read already
	err    error
}

func fold(streams []stream, ops []op) *folded {
	f := &folded{merger: newMerger(streams), ops: ops}
	f.item, f.err = f.merger.next()
	return f
}

// next returns the next digest and the last day that a stream has of it.
func (f *folded) next() (key, Day, op, error) {
	if f.err != nil {
		return key{}, 0, 0, f.err
	}
	last := f.item
	for f.item, f.err = f.merger.next(); f.err == nil && f.item.key == last.key; f.item, f.err = f.merger.next() {
		f.item.day = max(last.day, f.item.day)
		last = f.item
	}
	if f.err != nil && !errors.Is(f.err, io.EOF) {
		return key{}, 0, 0, f.err
	}
	return last.key, last.day, f.ops[last.rank], nil
}

func (f *folded) close() { f.merger.close() }

// openAll opens the digests of sources whose first byte is in from..to-1. It opens them at the
// same time, because each may take a bucket many milliseconds.
func (s *Store) openAll(ctx context.Context, sources []source, from, to int) (streams []stream, ops []op, err error) {
	readers, failed := make([]*reader, len(sources)), make([]error, len(sources))
	var opening sync.WaitGroup
	for i := range sources {
		opening.Go(func() { readers[i], failed[i] = s.open(ctx, sources[i].File, from, to, bufferOf(len(sources))) })
	}
	opening.Wait()
	for i, r := range readers {
		if err == nil {
			err = failed[i]
		}
		if failed[i] == nil {
			streams, ops = append(streams, r), append(ops, sources[i].Op)
		}
	}
	if err != nil {
		for _, opened := range streams {
			opened.close()
		}
	}
	return streams, ops, err
}

// members yields the members of a target, and the digests that may be members.
type members struct {
	plain  *chain // the generation if nothing has changed it, so that nothing is merged
	folded *folded
}

// members opens the members whose first byte is in from..to-1.
func (s *Store) members(ctx context.Context, st *State, from, to int) (*members, error) {
	generation := &chain{ctx: ctx, store: s, files: st.generation.shardsOf(from, to), from: from, to: to, buffer: bufferOf(len(st.sources) + 1)}
	if len(st.sources) == 0 && st.generationOp() == opAdded {
		return &members{plain: generation}, nil
	}
	streams, ops, err := s.openAll(ctx, st.sources, from, to)
	if err != nil {
		return nil, err
	}
	return &members{folded: fold(append([]stream{generation}, streams...), append([]op{st.generationOp()}, ops...))}, nil
}

func (m *members) close() {
	if m.plain != nil {
		m.plain.close()
		return
	}
	m.folded.close()
}

// next returns the next member. known is false if it is not certain that it is one.
func (m *members) next() (k key, day Day, known bool, err error) {
	if m.plain != nil {
		k, day, err = m.plain.next()
		return k, day, true, err
	}
	for {
		k, day, o, err := m.folded.next()
		if err != nil || o != opRemoved {
			return k, day, o == opAdded, err
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
