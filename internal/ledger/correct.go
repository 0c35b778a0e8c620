package ledger

import (
	"context"
	"errors"
	"fmt"
	"io"

	"usher/hashing"
)

// Correction is what a mirror could not do.
type Correction struct {
	Head    Head   // as the mirror has begun it
	Shards  []File // the generation without the correction
	Refused []File // sorted digests that the platform has refused to add, or that were not sent
	Kept    []File // sorted digests that the platform did not let go

	// Cleared means that the target was cleared first, so that none of its former members is left.
	Cleared bool
}

// Correct writes the shards of a generation again without the refused digests, and with those that
// were kept. A refused digest that was a member, and should only be refreshed, stays one as of the
// day of its last upload; and if it was not known whether it was one, it still is not.
func (s *Store) Correct(ctx context.Context, c *Comparison, of *Correction) ([]File, error) {
	if Digests(of.Refused)+Digests(of.Kept) == 0 {
		return of.Shards, nil
	}
	g := &gathering{store: s, folder: c.staging(s).folder + "corrections/"}
	if err := errors.Join(g.add(ctx, opRemoved, of.Refused...), g.add(ctx, opAdded, of.Kept...)); err != nil {
		return nil, err
	}
	corrections, err := g.finish(ctx)
	if err != nil {
		return nil, err
	}
	var stayed []File
	if !of.Cleared && Digests(of.Refused) > 0 {
		if stayed, err = s.stayed(ctx, c, of, corrections); err != nil {
			return nil, err
		}
	}
	corrected := make([]File, len(of.Shards))
	each := firstBytes / len(of.Shards)
	for i, shard := range of.Shards {
		sources := append([]source{{shard, opAdded}}, corrections...)
		if corrected[i], err = s.correctShard(ctx, c, sources, stayed, i, i*each, (i+1)*each); err != nil {
			return nil, err
		}
	}
	return corrected, nil
}

// stayed returns the refused digests that are members as before. Those of which it was not known are
// written to a delta, which says so of the new generation.
func (s *Store) stayed(ctx context.Context, c *Comparison, of *Correction, corrections []source) (_ []File, err error) {
	st, err := s.compared(ctx, c)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, st.Close(ctx)) }()
	m, err := s.members(ctx, st, 0, firstBytes)
	if err != nil {
		return nil, err
	}
	defer m.close()
	by := fmt.Sprintf("%012d-%c-%s-%d", of.Head.begunBy(c.Job, c.Run), opUnknown, c.Job, c.Run)
	unknown := s.newRuns(partName(c.Head.Target, by, 0), 0, 0)
	defer unknown.Release()
	w, err := s.create(ctx, c.staging(s).folder+"corrections/stayed", digestSize+daySize, 0)
	if err != nil {
		return nil, err
	}
	var refused []File
	for _, correction := range corrections {
		if correction.Op == opRemoved {
			refused = append(refused, correction.File)
		}
	}
	member, day, sure, end := m.next()
	err = eachMerged(ctx, s.openers(refused), func(k key) error {
		for end == nil && member.less(k) {
			member, day, sure, end = m.next()
		}
		if end != nil && !errors.Is(end, io.EOF) {
			return end
		}
		switch wasMember := end == nil && member == k && !hasLapsed(day, c.Duration, c.Today); {
		case wasMember && sure:
			w.add(k, day)
		case wasMember:
			return unknown.Add(ctx, []hashing.Digest{k.digest()})
		}
		return nil
	})
	if err == nil {
		_, err = unknown.Flush(ctx)
	}
	if err != nil {
		w.abort()
		return nil, err
	}
	f, err := w.close()
	return []File{f}, err
}

func (s *Store) correctShard(ctx context.Context, c *Comparison, sources []source, stayed []File, number, from, to int) (File, error) {
	streams, ops, err := s.openAll(ctx, sources, from, to)
	if err != nil {
		return File{}, err
	}
	m := &members{folded: fold(streams, ops)}
	defer m.close()
	more := &chain{ctx: ctx, store: s, files: stayed, from: from, to: to, buffer: bufferOf(len(sources) + 1)}
	defer more.close()
	width := digestSize
	if c.Duration > 0 {
		width += daySize
	}
	w, err := s.create(ctx, fmt.Sprintf("%scorrected-%03d", c.generationFolder(), number), width, 0)
	if err != nil {
		return File{}, err
	}
	k, day, _, end := m.next()
	another, old, moreEnd := more.next()
	for end == nil || moreEnd == nil {
		if end != nil || moreEnd == nil && another.less(k) {
			w.add(another, old)
			another, old, moreEnd = more.next()
			continue
		}
		w.add(k, day)
		k, day, _, end = m.next()
	}
	for _, err := range []error{end, moreEnd} {
		if !errors.Is(err, io.EOF) {
			w.abort()
			return File{}, err
		}
	}
	return w.close()
}
