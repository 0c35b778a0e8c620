package ledger

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"math/bits"
	"slices"
	"time"

	"usher"
	"usher/hashing"
)

// Withheld is what a mirror has left out of a generation although its export has it. Jobs other
// than mirrors leave it as it is, but device.forget takes digests out of HeldOut by a delta.
//
// Before a mirror compares, it copies what has changed the excepted targets since their
// generations, and the generation before the current one is kept, so that the next mirrors of
// these targets remove nothing that it reads.
type Withheld struct {
	Except  []Excepted     `json:"except,omitempty"`
	Holdout *usher.Holdout `json:"holdout,omitempty"`
	HeldOut []File         `json:"heldOut,omitempty"` // the digests that Holdout has kept out, in order
}

// Excepted says as of which generation the members of a target were left out.
type Excepted struct {
	Target     string    `json:"target"`
	Generation int64     `json:"generation"`
	At         time.Time `json:"at"`
	Count      int64     `json:"count"` // ids of the export that were left out
}

// Names returns the names of the targets that were excepted.
func (w *Withheld) Names() (names []string) {
	if w != nil {
		for _, e := range w.Except {
			names = append(names, e.Target)
		}
	}
	return names
}

// Exception is a target whose members a comparison leaves out, as they were when it began.
type Exception struct {
	Head    Head     `json:"head"`
	Sources []source `json:"sources,omitempty"`
}

// Reason is the key of the exception in a tally.
func (e *Exception) Reason() string { return usher.ExceptReason(e.Head.Name) }

// checkExcept returns an error if a mirror of a target that is to leave out the members of others
// would wait for itself: the last mirrors of those others may leave out its members.
func (s *Store) checkExcept(ctx context.Context, t Target, except []string) error {
	seen := map[string]bool{}
	var visit func(names []string, way string) error
	visit = func(names []string, way string) error {
		for _, name := range names {
			if name == t.Name {
				return usher.Refuse(usher.InvalidJob, "leave out one of these exceptions",
					"mirror %s: %s excepts %s, and targets must not except each other", t, way, name)
			}
			if seen[name] {
				continue
			}
			seen[name] = true
			w, err := s.withheldOf(ctx, Target{t.Advertiser, name})
			if err != nil {
				continue // Except says what is wrong with it
			}
			if err := visit(w.Names(), way+" excepts "+name); err != nil {
				return err
			}
		}
		return nil
	}
	return visit(except, t.Name)
}

// withheldOf returns what the last mirror of a target has left out, or nil.
func (s *Store) withheldOf(ctx context.Context, t Target) (*Withheld, error) {
	h, _, err := s.heads.Head(ctx, t)
	if err != nil {
		return nil, err
	}
	return s.Withheld(ctx, &h)
}

// Withheld returns what the last mirror of a target has left out, or nil if that was nothing.
func (s *Store) Withheld(ctx context.Context, h *Head) (*Withheld, error) {
	g, err := s.generationOf(ctx, h)
	if err != nil {
		return nil, err
	}
	return g.Withheld, nil
}

// Except looks up targets whose members a mirror of a target leaves out. It refuses one that has no
// ledger, whose ids are hashed in another way, or whose last mirror leaves out the members of t.
func (s *Store) Except(ctx context.Context, t Target, profile usher.Profile, names []string) (list []Exception, err error) {
	if err := s.checkExcept(ctx, t, names); err != nil {
		return nil, err
	}
	for _, name := range names {
		other := Target{t.Advertiser, name}
		h, err := s.currentHead(ctx, other)
		if err != nil {
			return nil, err
		}
		g, err := s.generationOf(ctx, &h)
		if err != nil {
			return nil, fmt.Errorf("read the members of %s: %w", other, err)
		}
		if err := sameProfile(&Head{Target: t}, &h, profile, g.Profile); err != nil {
			return nil, err
		}
		list = append(list, Exception{Head: h})
	}
	return list, nil
}

// pin copies what has changed the generations of the exceptions: the next mirrors of their targets
// remove it.
func (s *Staging) pin(ctx context.Context, list []Exception) error {
	for i := range list {
		e := &list[i]
		for {
			sources, err := s.changes(ctx, i, &e.Head)
			if err == nil {
				e.Sources = sources
				break
			}
			now, _, failed := s.store.heads.Head(ctx, e.Head.Target)
			if !errors.As(err, new(*DamagedError)) || failed != nil || now.Generation == e.Head.Generation {
				return fmt.Errorf("read the members of %s: %w", e.Head.Target, err)
			}
			e.Head = now // a new generation has replaced what was being read
		}
	}
	return nil
}

// changes merges what has changed a generation into files of the staging.
func (s *Staging) changes(ctx context.Context, number int, h *Head) ([]source, error) {
	g := &gathering{store: s.store, folder: fmt.Sprintf("%sexcept-%02d/", s.folder, number)}
	sources, err := g.sources(ctx, h)
	if err != nil {
		return nil, err
	}
	return g.merge(ctx, sources)
}

// withholding decides which wanted digests a group of a comparison leaves out.
type withholding struct {
	except  []*excepting
	holdout *holdout // nil: there is none
	heldOut *writer
}

// excepting has the members of an exception.
type excepting struct {
	*current
	reason string
	ended  bool
	count  int64
}

// withhold opens what a comparison leaves out; nil: nothing.
func (s *Store) withhold(ctx context.Context, c *Comparison, from, to int) (*withholding, error) {
	if len(c.Except) == 0 && c.Holdout == nil {
		return nil, nil
	}
	w := &withholding{}
	for i := range c.Except {
		e, err := s.openException(ctx, &c.Except[i], c.Today, from, to)
		if err != nil {
			w.close()
			return nil, err
		}
		w.except = append(w.except, e)
	}
	if c.Holdout != nil {
		w.holdout = newHoldout(c.Holdout)
	}
	return w, nil
}

func (s *Store) openException(ctx context.Context, of *Exception, today Day, from, to int) (*excepting, error) {
	g, err := s.generationOf(ctx, &of.Head)
	if err != nil {
		return nil, fmt.Errorf("read the members of %s: %w", of.Head.Target, err)
	}
	c, err := s.currentOf(ctx, &State{Head: of.Head, store: s, generation: g, sources: of.Sources}, from, to)
	if err != nil {
		return nil, err
	}
	c.today, c.maybe = today, true // who may be a customer must not be taken for a prospect
	return &excepting{current: c, reason: of.Reason()}, nil
}

// mark says which of sorted digests are members. Digests come in ascending order.
func (e *excepting) mark(keys []key, out []bool) error {
	for len(keys) > 0 && !e.ended {
		if e.at == len(e.block.keys) {
			if err := e.fill(); errors.Is(err, io.EOF) {
				e.ended = true
				return nil
			} else if err != nil {
				return err
			}
		}
		used, members := e.merge(keys, e.block.keys[e.at:], out)
		keys, out, e.at = keys[used:], out[used:], e.at+members
	}
	return nil
}

// merge marks the digests that two sorted lists have in common, until one has ended, and returns how
// many of each it has used. Which list is ahead is a matter of chance, which no processor can predict,
// so that both places move by numbers instead of branches.
func (e *excepting) merge(keys, members []key, out []bool) (used, passed int) {
	i, m := 0, 0
	for i < len(keys) && m < len(members) {
		a, b := &keys[i], &members[m]
		_, less := bits.Sub64(a.high, b.high, 0)
		_, more := bits.Sub64(b.high, a.high, 0)
		if less == more { // the high halves are equal, which is rare unless the digests are
			_, less = bits.Sub64(a.low, b.low, 0)
			_, more = bits.Sub64(b.low, a.low, 0)
			if less == more && !out[i] {
				out[i] = true
				e.count++
			}
		}
		i += int(1 - more)
		m += int(1 - less)
	}
	return i, m
}

// mark says for each of sorted digests whether it is left out. An id that several exceptions have
// counts for the first.
func (w *withholding) mark(keys []key, out []bool) ([]bool, error) {
	out = slices.Grow(out[:0], len(keys))[:len(keys)]
	clear(out)
	for _, e := range w.except {
		if err := e.mark(keys, out); err != nil {
			return out, err
		}
	}
	if w.holdout == nil {
		return out, nil
	}
	for i, k := range keys {
		if !out[i] && w.holdout.has(k) {
			out[i] = true
			w.holdout.count++
			w.heldOut.add(k, 0)
		}
	}
	return out, nil
}

// tally returns how many digests were left out, by reason.
func (w *withholding) tally() usher.Counts {
	if w == nil {
		return nil
	}
	counts := usher.Counts{}
	for _, e := range w.except {
		counts[e.reason] = e.count
	}
	if w.holdout != nil {
		counts[usher.HoldoutReason(w.holdout.of)] = w.holdout.count
	}
	return counts
}

func (w *withholding) close() {
	if w != nil {
		for _, e := range w.except {
			e.members.close()
		}
	}
}

// holdout tells which digests a share is made of.
type holdout struct {
	of    *usher.Holdout
	limit uint64
	mac   hash.Hash
	hex   []byte
	sum   []byte
	count int64
}

func newHoldout(of *usher.Holdout) *holdout {
	limit := of.Percent / 100 * (1 << 32) * (1 << 32)
	h := &holdout{of: of, limit: math.MaxUint64, mac: hmac.New(sha256.New, []byte(of.Key))}
	if limit < math.MaxUint64 {
		h.limit = uint64(limit)
	}
	return h
}

// has reports whether a digest is held out: the first 8 bytes of the HMAC-SHA-256 of its 32 hex
// digits are, as a number, below the share of all such numbers. It depends on nothing else, so that
// it is the same on every machine, in every target and on every day.
func (h *holdout) has(k key) bool {
	d := k.digest()
	h.hex = d.AppendHex(h.hex[:0])
	h.mac.Reset()
	_, _ = h.mac.Write(h.hex) // never fails
	h.sum = h.mac.Sum(h.sum[:0])
	return binary.BigEndian.Uint64(h.sum) < h.limit
}

// heldOut opens the digests that the last mirror has held out.
func (st *State) heldOut(ctx context.Context) *chain {
	c := &chain{ctx: ctx, store: st.store, to: firstBytes, buffer: bufferOf(2)}
	if st.generation.Withheld != nil {
		c.files = st.generation.Withheld.HeldOut
	}
	return c
}

// EachHeldOut calls visit with the digests that the last mirror has held out, in order, but not with
// those that other jobs have removed since.
func (st *State) EachHeldOut(ctx context.Context, visit func(hashing.Digest) error) error {
	held := st.heldOut(ctx)
	defer held.close()
	var changed *folded
	if len(held.files) > 0 && len(st.sources) > 0 {
		streams, ops, err := st.store.openAll(ctx, st.sources, 0, firstBytes)
		if err != nil {
			return err
		}
		changed = fold(streams, ops)
		defer changed.close()
	}
	removed := &removals{of: changed}
	for {
		k, _, err := held.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		gone, err := removed.has(k)
		if err != nil {
			return err
		}
		if !gone {
			if err := visit(k.digest()); err != nil {
				return err
			}
		}
	}
}

// removals finds digests that jobs have removed, in ascending order.
type removals struct {
	of    *folded // nil: none
	key   key
	op    op
	begun bool
}

func (r *removals) has(k key) (bool, error) {
	for r.of != nil && (!r.begun || r.key.less(k)) {
		var err error
		r.key, _, r.op, err = r.of.next()
		if r.begun = true; errors.Is(err, io.EOF) {
			r.of = nil
		} else if err != nil {
			return false, err
		}
	}
	return r.of != nil && r.key == k && r.op == opRemoved, nil
}

// Export calls visit with the members of a target that have not lapsed, or with the digests that its
// last mirror has held out, in order, but with none on the suppression list: a forgotten id is in no
// export.
func (s *Store) Export(ctx context.Context, t Target, heldOut bool, visit func(hashing.Digest) error) (err error) {
	c, err := s.openCurrent(ctx, t)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.close(ctx)) }()
	list, err := s.Suppression().open(ctx)
	if err != nil {
		return err
	}
	if list != nil {
		defer list.close()
	}
	screened := func(d hashing.Digest) error {
		if list == nil {
			return visit(d)
		}
		is, err := list.has(keyOf(&d))
		if err != nil || is {
			return err
		}
		return visit(d)
	}
	if heldOut {
		return c.state.EachHeldOut(ctx, screened)
	}
	for {
		k, err := c.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := screened(k.digest()); err != nil {
			return err
		}
	}
}

// keepWithheld takes over what the generation before has withheld: its files are copied, because
// they are removed with it.
func (s *Store) keepWithheld(ctx context.Context, before, g *Generation) error {
	if g.Withheld = before.Withheld; g.Withheld == nil || len(g.Withheld.HeldOut) == 0 {
		return nil
	}
	kept := *before.Withheld
	f, err := s.merge(ctx, generationFolder(g.Target, g.Generation, g.Job, g.Run)+"heldout", s.openers(slices.Clone(kept.HeldOut)), nil)
	if errors.As(err, new(*DamagedError)) {
		kept.HeldOut, err = nil, nil // it is no reason not to know what the target holds
	} else if err == nil {
		kept.HeldOut = []File{f}
	}
	g.Withheld = &kept
	return err
}

// RecordForgotten takes the digests of a file out of those that the last mirror of a target has held
// out, in the way in which the removal of members is recorded.
func (f *Forgotten) RecordForgotten(ctx context.Context, t Target, fitting File) error {
	h, _, err := f.store.heads.Head(ctx, t)
	if errors.Is(err, ErrNone) {
		return nil
	}
	if err != nil {
		return err
	}
	w, err := f.store.Withheld(ctx, &h)
	if err != nil || w == nil || len(w.HeldOut) == 0 {
		return err
	}
	found := []hashing.Digest{}
	err = f.EachChunk(ctx, fitting, 0, func(_ int64, digests []hashing.Digest) error {
		for _, file := range w.HeldOut {
			if _, err := f.store.seek(ctx, file, digests, func(i int, _ Day) { found = append(found, digests[i]) }); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil || len(found) == 0 {
		return err
	}
	const part = 1 // 0 has the members that were removed
	return f.recordRemovals(ctx, t, part, func(add func(...hashing.Digest) error) error { return add(found...) })
}
