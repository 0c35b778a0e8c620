package ledger

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"usher/hashing"
)

// before is what a target held before a job began to add ids to it.
type before struct {
	Run    int      `json:"run"`    // that noted it
	Head   Head     `json:"head"`   // without its deltas, which Deltas has
	Deltas []string `json:"deltas"` // names of those that are not in the generation, below d/
	Many   bool     `json:"many"`   // they are too many to compare with
	Today  Day      `json:"today"`
}

// maxBefore is the number of deltas with which the digests of a job are compared. Each is a file
// to open, and a job may have a single id.
const maxBefore = 1000

// beforeName is the name of the note in the staging of its job, for all runs.
const beforeName = "before"

func (s *Store) beforeOf(t Target, job string) *Staging { return s.Staging(t, job, 0) }

// NoteBefore notes what a target with a ledger holds before a run of a job begins to add ids to it,
// for CountNew.
func (s *Store) NoteBefore(ctx context.Context, h *Head, job string, run int) error {
	b := before{Run: run, Head: *h, Today: DayOf(s.now())}
	b.Head.Deltas, b.Head.Noted = nil, nil
	folder := h.folder() + deltaFolder
	err := s.eachDelta(ctx, h, func(d delta) error {
		name := strings.TrimPrefix(d.Name, folder)
		if of, by := jobOf(name); of == job && by >= run {
			return nil // of an earlier attempt
		}
		if b.Many = len(b.Deltas) == maxBefore; !b.Many {
			b.Deltas = append(b.Deltas, name)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if b.Many {
		b.Deltas = nil
	}
	return s.beforeOf(h.Target, job).Write(ctx, beforeName, &b)
}

// jobOf returns the job and the run that have written a delta, EPOCH-OP-JOB-RUN-PART-NUMBER, or "".
func jobOf(delta string) (job string, run int) {
	fields := strings.Split(delta, "-")
	if len(fields) < 6 {
		return "", 0
	}
	end := len(fields) - 3
	run, err := strconv.Atoi(fields[end])
	if err != nil {
		return "", 0
	}
	return strings.Join(fields[2:end], "-"), run
}

// CountNew returns how many of the digests that a job has added to a target were no members when
// NoteBefore noted what it held; nil: it is not known. Digests that were added more than once count
// once.
func (s *Store) CountNew(ctx context.Context, t Target, job string) (*int64, error) {
	var b before
	if err := s.beforeOf(t, job).Read(ctx, beforeName, &b); errors.As(err, new(*DamagedError)) {
		return nil, nil // it was not noted, or was removed since
	} else if err != nil || b.Many || b.Head.Generation == 0 {
		return nil, err
	}
	own, deltas, err := s.deltasOf(ctx, t, job, &b)
	if err != nil || len(own) == 0 {
		return new(int64(0)), err
	}
	st, err := s.stateBefore(ctx, &b, deltas)
	if err != nil {
		return nil, err
	}
	n, err := s.countOutside(ctx, st, b.Today, own)
	return n, errors.Join(err, st.Close(ctx))
}

// deltasOf returns the files that a job has added to a target, and the deltas that were there before. A
// batch whose outcome was not known then, and is now, was sent while the job ran.
func (s *Store) deltasOf(ctx context.Context, t Target, job string, b *before) (own []File, deltas []delta, err error) {
	folder := t.folder() + deltaFolder
	missing := map[string]bool{}
	for _, name := range b.Deltas {
		missing[name] = true
	}
	err = s.listWhole(ctx, folder, func(o *listed) error {
		name := strings.TrimPrefix(o.Key, folder)
		d, ok := parseDelta(name)
		if !ok {
			return nil
		}
		d.File = File{Name: o.Key, Size: o.Size}
		if of, run := jobOf(name); of == job && run >= b.Run && d.op == opAdded {
			own = append(own, d.File)
		}
		if missing[name] {
			deltas = append(deltas, d)
			delete(missing, name)
		}
		return nil
	})
	for name := range missing {
		if d, _ := parseDelta(name); d.op != opUnknown && err == nil {
			err = &DamagedError{folder + name, "is missing"}
		}
	}
	return own, deltas, err
}

// stateBefore returns the members that a target had. The caller closes it.
func (s *Store) stateBefore(ctx context.Context, b *before, deltas []delta) (*State, error) {
	generation, err := s.generationOf(ctx, &b.Head)
	if err != nil {
		return nil, err
	}
	st := &State{Head: b.Head, store: s, generation: generation}
	g := s.reading(b.Head.Target)
	st.sources, err = g.sourcesOf(ctx, &b.Head, func(visit func(delta) error) error {
		for _, d := range deltas {
			if err := visit(d); err != nil {
				return err
			}
		}
		return nil
	})
	if g.written > 0 {
		st.folder = g.folder
	}
	if err != nil {
		return nil, errors.Join(err, st.Close(ctx))
	}
	return st, nil
}

// countOutside returns how many of the digests of sorted files are no members; nil: of some it is not
// known.
func (s *Store) countOutside(ctx context.Context, st *State, today Day, files []File) (n *int64, err error) {
	g := s.reading(st.Target)
	defer func() {
		if g.written > 0 {
			err = errors.Join(err, s.removeAll(context.WithoutCancel(ctx), g.folder))
		}
	}()
	if err := g.add(ctx, opAdded, files...); err != nil {
		return nil, err
	}
	merged, err := g.finish(ctx)
	if err != nil {
		return nil, err
	}
	opened, digests := make([]opener, len(merged)), int64(0)
	for i := range merged {
		t, err := s.trailerOf(ctx, merged[i].File)
		if err != nil {
			return nil, err
		}
		opened[i], digests = s.opener(merged[i].File), digests+t.count()
	}
	if digests <= chunkDigests {
		return st.seekOutside(ctx, today, opened)
	}
	return st.mergeOutside(ctx, today, opened)
}

// seekOutside is countOutside for few digests.
func (st *State) seekOutside(ctx context.Context, today Day, opened []opener) (*int64, error) {
	var digests []hashing.Digest
	err := eachMerged(ctx, opened, func(k key) error {
		digests = append(digests, k.digest())
		return nil
	})
	if err != nil {
		return nil, err
	}
	found, _, err := st.find(ctx, digests)
	if err != nil {
		return nil, err
	}
	var n int64
	for _, f := range found {
		switch {
		case f.membership == NoMember || st.hasLapsed(f.day, today):
			n++
		case f.membership == Uncertain:
			return nil, nil
		}
	}
	return &n, nil
}

// mergeOutside is countOutside for many digests: it reads all members.
func (st *State) mergeOutside(ctx context.Context, today Day, opened []opener) (*int64, error) {
	m, err := st.store.members(ctx, st, 0, firstBytes)
	if err != nil {
		return nil, err
	}
	defer m.close()
	var n, uncertain int64
	member, day, sure, err := m.next()
	failed := eachMerged(ctx, opened, func(k key) error {
		for err == nil && member.less(k) {
			member, day, sure, err = m.next()
		}
		switch {
		case err != nil && !errors.Is(err, io.EOF):
			return err
		case err != nil || member != k || st.hasLapsed(day, today):
			n++
		case !sure:
			uncertain++
		}
		return nil
	})
	if failed != nil || uncertain > 0 {
		return nil, failed
	}
	return &n, nil
}

// New returns how many of the digests that a mirror has added were no members before; nil: it is not
// known. refused are those that the platform has refused, or that were not sent.
func (s *Store) New(ctx context.Context, c *Comparison, d *Differences, refused []File) (n *int64, err error) {
	if c.Head.Generation == 0 || d.Uncertain > 0 {
		return nil, nil
	}
	added := d.Added + d.Lapsed
	if Digests(refused) == 0 {
		return &added, nil
	}
	st, err := s.compared(ctx, c)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, st.Close(ctx)) }()
	less, err := s.countOutside(ctx, st, c.Today, refused)
	if err != nil || less == nil {
		return nil, err
	}
	return new(added - *less), nil
}

// reading returns a gathering whose merged files are those of a reader.
func (s *Store) reading(t Target) *gathering {
	return &gathering{store: s, folder: fmt.Sprintf("%s%s%s/", t.folder(), readFolder, rand.Text())}
}
