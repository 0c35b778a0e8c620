package ledger

import (
	"context"
	"errors"
	"fmt"
	"io"

	"usher"
	"usher/hashing"
)

// Diff counts what a mirror would change. The runs of the comparison are in another store.
func (s *Store) Diff(ctx context.Context, c *Comparison, runs *Store, suppressed func(*hashing.Digest) bool) (_ *Differences, err error) {
	wanted, err := runs.wanted(ctx, c, 0, firstBytes)
	if err != nil {
		return nil, err
	}
	defer wanted.close()
	state, err := s.Load(ctx, c.Head)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, state.Close(ctx)) }()
	held, err := s.members(ctx, state, 0, firstBytes)
	if err != nil {
		return nil, err
	}
	defer held.close()
	staging := c.staging(s)
	defer func() { err = errors.Join(err, s.removeAll(context.WithoutCancel(ctx), staging.folder)) }()
	if err := staging.pin(ctx, c.Except); err != nil {
		return nil, err
	}
	withheld, err := s.withhold(ctx, c, 0, firstBytes)
	if err != nil {
		return nil, err
	}
	defer withheld.close()
	w := &comparing{c: c, suppressed: suppressed, withheld: withheld}
	err = w.compare(ctx, wanted, held)
	w.found.Withheld = withheld.tally()
	return &w.found, err
}

// Adopt takes the digests of the comparison's runs as what the target holds: they become its
// current generation, whatever the state of the ledger is. No job may run on the target. If the
// head has another revision than the comparison, Adopt returns ErrConflict: what changed it would
// be forgotten.
func (s *Store) Adopt(ctx context.Context, c *Comparison, digests int64, profile usher.Profile) (Head, error) {
	t := c.Head.Target
	head, revision, err := s.heads.Head(ctx, t)
	if errors.Is(err, ErrNone) || errors.As(err, new(*DamagedError)) {
		head, err = Head{V: 1, Target: t}, nil
	}
	if err == nil && revision != c.Revision {
		err = fmt.Errorf("adopt the ledger of %s: %w", t, ErrConflict)
	}
	if err != nil {
		return head, err
	}
	if err := s.supersede(ctx, &head); err != nil {
		return head, err
	}
	c.Head, c.Adopt = head, true
	c.Cut(digests)
	for group := range c.Groups {
		if err := s.Compare(ctx, c, group, nil); err != nil {
			return head, err
		}
	}
	found, err := s.Differences(ctx, c)
	if err != nil {
		return head, err
	}
	head, err = s.Commit(ctx, &Commit{
		Head: head, Revision: revision, Job: c.Job, Run: c.Run, Profile: profile, Duration: c.Duration, Shards: found.Shards,
	})
	if err != nil {
		return head, fmt.Errorf("adopt the ledger of %s: %w", t, err)
	}
	return head, s.Collect(ctx, &head)
}

// supersede makes a head newer than all files of the target, which may be there although
// the head knows nothing of them.
func (s *Store) supersede(ctx context.Context, h *Head) error {
	all := *h
	all.Since, all.Deltas, all.Noted, h.Deltas, h.Noted = 0, nil, nil, nil, nil
	err := s.eachDelta(ctx, &all, func(d delta) error {
		h.Epoch = max(h.Epoch, d.epoch)
		return nil
	})
	if err != nil {
		return err
	}
	h.Epoch, h.Pending = h.Epoch+1, nil
	generations, err := s.Generations(ctx, h.Target)
	if err != nil {
		return err
	}
	for i := range generations {
		h.Generation = max(h.Generation, generations[i].Generation)
	}
	return nil
}

// Former calls visit with the digests that were members in the generation before the current
// one and are none now.
func (st *State) Former(ctx context.Context, visit func(hashing.Digest)) error {
	generations, err := st.store.Generations(ctx, st.Target)
	if err != nil {
		return err
	}
	var before *Generation
	for i := range generations {
		if generations[i].Generation < st.Generation {
			before = &generations[i]
		}
	}
	if before == nil {
		return nil
	}
	former := &chain{ctx: ctx, store: st.store, files: before.Shards, to: firstBytes, buffer: bufferOf(2)}
	defer former.close()
	held, err := st.store.members(ctx, st, 0, firstBytes)
	if err != nil {
		return err
	}
	defer held.close()
	member, _, _, heldErr := held.next()
	for {
		k, _, err := former.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		for heldErr == nil && member.less(k) {
			member, _, _, heldErr = held.next()
		}
		if heldErr != nil && !errors.Is(heldErr, io.EOF) {
			return heldErr
		}
		if heldErr != nil || member != k {
			visit(k.digest())
		}
	}
}

// Heads calls visit with the heads of all targets; damaged is the key of one that cannot be
// read.
func (s *Store) Heads(ctx context.Context, visit func(h Head, damaged string)) error {
	return s.heads.EachHead(ctx, visit)
}
