package ledger

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"usher/hashing"
)

// Compare does a group of a comparison and stores its result. suppressed reports whether a
// digest must not be a member; it may be nil.
func (s *Store) Compare(ctx context.Context, c *Comparison, group int, suppressed func(*hashing.Digest) bool) (err error) {
	from, to := c.group(group)
	wanted, err := s.wanted(ctx, c, from, to)
	if err != nil {
		return err
	}
	defer wanted.close()
	state, err := s.compared(ctx, c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, state.Close(ctx)) }()
	held, err := s.members(ctx, state, from, to)
	if err != nil {
		return err
	}
	defer held.close()
	withheld, err := s.withhold(ctx, c, from, to)
	if err != nil {
		return err
	}
	defer withheld.close()
	w := &comparing{c: c, suppressed: suppressed, withheld: withheld}
	if err := w.create(ctx, s, group, from, to); err != nil {
		w.abort()
		return err
	}
	if err := w.compare(ctx, wanted, held); err != nil {
		w.abort()
		return err
	}
	if err := w.close(); err != nil {
		return err
	}
	return c.staging(s).Write(ctx, resultName(group), &w.found)
}

// compared returns the state that a comparison is with.
func (s *Store) compared(ctx context.Context, c *Comparison) (*State, error) {
	switch {
	case c.Adopt: // the ledger may be damaged, and is replaced
		return &State{Head: Head{V: 1, Target: c.Head.Target}, generation: &Generation{}}, nil
	case len(c.Sources) == 0:
		return s.Load(ctx, c.Head)
	}
	generation, err := s.generationOf(ctx, &c.Head)
	return &State{Head: c.Head, generation: generation, sources: c.Sources}, err
}

// wantedKeys yields the wanted digests in blocks, in order and each once, and then io.EOF.
type wantedKeys interface {
	next() ([]key, error)
	close()
}

// WantedHeldOut returns the files with the digests that the wanted generation has held out. They are
// wanted, too, if the holdout keeps them out again: nothing but former members is ever uploaded.
func (c *Comparison) WantedHeldOut() []File {
	if c.Wanted == nil || c.Wanted.Withheld == nil || c.Holdout == nil {
		return nil
	}
	was := c.Wanted.Withheld.Holdout
	if was == nil || was.Key != c.Holdout.Key || was.Percent > c.Holdout.Percent {
		return nil
	}
	return c.Wanted.Withheld.HeldOut
}

// wanted opens the wanted digests whose first byte is in from..to-1.
func (s *Store) wanted(ctx context.Context, c *Comparison, from, to int) (wantedKeys, error) {
	if held := c.WantedHeldOut(); len(held) > 0 {
		return s.openUnion(ctx, append(slices.Clone(held), c.Wanted.shardsOf(from, to)...), from, to)
	}
	if c.Wanted != nil {
		return &chainKeys{chain: chain{ctx: ctx, store: s, files: c.Wanted.shardsOf(from, to), from: from, to: to, buffer: bufferOf(1)}}, nil
	}
	var runs []File
	for part, n := range c.Runs {
		for run := range n {
			runs = append(runs, File{Name: runName(c.staging(s).runs(ReadStep, part), run)})
		}
	}
	return s.openUnion(ctx, runs, from, to)
}

// comparing does a group of a comparison.
type comparing struct {
	c          *Comparison
	suppressed func(*hashing.Digest) bool
	withheld   *withholding // nil: nothing is withheld
	marks      []bool       // the memory of out
	out        []bool       // which of the wanted digests that were read last are withheld; nil: none
	found      Differences

	shards         []*writer
	added, removed *writer
	shift          uint // a digest's shard is its first byte shifted by this, minus first
	first          int  // shard
}

func (w *comparing) create(ctx context.Context, s *Store, group, from, to int) (err error) {
	c := w.c
	width := digestSize
	if c.Duration > 0 {
		width += daySize
	}
	each := firstBytes / c.Shards
	for 1<<w.shift < each {
		w.shift++
	}
	w.first = from / each
	for shard := w.first; shard < to/each; shard++ {
		file, err := s.create(ctx, fmt.Sprintf("%sshard-%03d", c.generationFolder(), shard), width, 0)
		if err != nil {
			return err
		}
		w.shards = append(w.shards, file)
	}
	if c.Holdout != nil {
		if w.withheld.heldOut, err = s.create(ctx, fmt.Sprintf("%sheldout-%02d", c.generationFolder(), group), digestSize, 0); err != nil {
			return err
		}
	}
	if w.added, err = s.create(ctx, fmt.Sprintf("%sadded-%02d", c.staging(s).folder, group), digestSize, 0); err != nil {
		return err
	}
	w.removed, err = s.create(ctx, fmt.Sprintf("%sremoved-%02d", c.staging(s).folder, group), digestSize, 0)
	return err
}

// compare merges the wanted digests with the members.
func (w *comparing) compare(ctx context.Context, wanted wantedKeys, held *members) error {
	var want []key
	var have memberBlock
	var wantEnd, haveEnd bool
	for at := 0; ctx.Err() == nil; {
		var err error
		if len(want) == 0 && !wantEnd {
			want, err = w.nextWanted(wanted)
			wantEnd, err = isEnd(err)
		}
		if err == nil && at == len(have.keys) && !haveEnd {
			at = 0
			haveEnd, err = isEnd(held.block(&have))
		}
		switch {
		case err != nil:
			return err
		case wantEnd && haveEnd:
			return nil
		case haveEnd:
			w.addAll(want)
			want, w.out = nil, nil
		case wantEnd:
			w.removeAll(have.keys[at:])
			at = len(have.keys)
		default:
			wants, members := w.merge(want, &have, at)
			want, at = want[wants:], at+members
			if w.out != nil {
				w.out = w.out[wants:]
			}
		}
	}
	return context.Cause(ctx)
}

// isEnd reports whether an error is io.EOF, and returns any other.
func isEnd(err error) (bool, error) {
	if errors.Is(err, io.EOF) {
		return true, nil
	}
	return false, err
}

func (w *comparing) addAll(keys []key) {
	for i, k := range keys {
		if !w.isOut(i) {
			w.add(k, w.c.Today)
		}
	}
}

// isOut reports whether one of the wanted digests that were read last is withheld.
func (w *comparing) isOut(i int) bool { return w.out != nil && w.out[i] }

func (w *comparing) removeAll(keys []key) {
	for _, k := range keys {
		w.remove(k)
	}
}

// merge merges wanted digests with the members from at on, until one list has ended. It returns
// how many of each it has used.
func (w *comparing) merge(want []key, have *memberBlock, at int) (wants, members int) {
	i, m := 0, at
	for i < len(want) && m < len(have.keys) {
		k, member := want[i], have.keys[m]
		switch {
		case k == member && w.isOut(i):
			w.remove(member)
			w.found.Leaving++
			i++
			m++
		case k == member:
			w.keep(k, have.days[m], len(have.uncertain) == 0 || !have.uncertain[m])
			i++
			m++
		case k.less(member):
			if !w.isOut(i) {
				w.add(k, w.c.Today)
			}
			i++
		default:
			w.remove(member)
			m++
		}
	}
	return i, m - at
}

// nextWanted returns the next wanted digests that are not suppressed. They may be none.
func (w *comparing) nextWanted(wanted wantedKeys) ([]key, error) {
	keys, err := wanted.next()
	if err != nil {
		return nil, err
	}
	if w.suppressed != nil {
		kept := keys[:0]
		for _, k := range keys {
			d := k.digest()
			if w.suppressed(&d) {
				w.found.Suppressed++
				continue
			}
			kept = append(kept, k)
		}
		keys = kept
	}
	w.found.Wanted += int64(len(keys))
	if w.withheld == nil {
		return keys, nil
	}
	if w.marks, err = w.withheld.mark(keys, w.marks); err != nil {
		return nil, err
	}
	w.out = w.marks
	for _, out := range w.out {
		if out {
			w.found.Wanted--
		}
	}
	return keys, nil
}

// shard returns the file that a digest belongs to; nil if only the numbers are wanted.
func (w *comparing) shard(k key) *writer {
	if len(w.shards) == 0 {
		return nil
	}
	return w.shards[int(k.high>>56)>>w.shift-w.first]
}

func (w *comparing) add(k key, day Day) {
	if w.c.Adopt {
		w.found.Unchanged++
		w.shard(k).add(k, day)
		return
	}
	w.found.Added++
	w.added.add(k, 0)
	w.shard(k).add(k, day)
}

func (w *comparing) remove(k key) {
	w.found.Members++
	w.found.Removed++
	w.removed.add(k, 0)
}

// keep handles a digest that is wanted, and is a member or may be one.
func (w *comparing) keep(k key, day Day, known bool) {
	w.found.Members++
	if !known {
		w.found.Uncertain++
		w.add(k, w.c.Today)
		return
	}
	if w.c.lapses(k, day) {
		w.found.Refreshed++
		if hasLapsed(day, w.c.Duration, w.c.Today) {
			w.found.Lapsed++
		}
		w.added.add(k, 0)
		w.shard(k).add(k, w.c.Today)
		return
	}
	w.found.Unchanged++
	w.shard(k).add(k, day)
}

// lapses reports whether a member is due for a refresh. Members are due up to an eighth of
// the duration early, each at another time, so that not all are due on one day.
func (c *Comparison) lapses(k key, day Day) bool {
	if c.Duration <= 0 || int(day)+c.Duration-c.Duration/8 >= int(c.Today)+c.Refresh {
		return false
	}
	early := int(k.low % uint64(1+c.Duration/8))
	return int(day)+c.Duration-early < int(c.Today)+c.Refresh
}

func (w *comparing) close() (err error) {
	for _, shard := range w.shards {
		file, failed := shard.close()
		w.found.Shards, err = append(w.found.Shards, file), errors.Join(err, failed)
	}
	for _, list := range []struct {
		of *writer
		to *[]File
	}{{w.added, &w.found.Adds}, {w.removed, &w.found.Removes}} {
		file, failed := list.of.close()
		*list.to, err = append(*list.to, file), errors.Join(err, failed)
	}
	w.found.Withheld = w.withheld.tally()
	if w.withheld != nil && w.withheld.heldOut != nil {
		file, failed := w.withheld.heldOut.close()
		w.found.HeldOut, err = append(w.found.HeldOut, file), errors.Join(err, failed)
	}
	return err
}

func (w *comparing) abort() {
	files := slices.Concat(w.shards, []*writer{w.added, w.removed})
	if w.withheld != nil {
		files = append(files, w.withheld.heldOut)
	}
	for _, file := range files {
		if file != nil {
			file.abort()
		}
	}
}
