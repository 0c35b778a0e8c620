package ledger

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"usher"
)

// Begin records that a job that runs alone is about to change a target, and returns the head
// and its revision. It may be called again by the same run. pending may be nil: the job then
// writes deltas. It gets the lists of a job that was pending: the target may hold these digests
// until the new job has ended as it should.
func (s *Store) Begin(ctx context.Context, t Target, job string, run int, pending *Pending) (Head, uint64, error) {
	h, revision, err := s.heads.Head(ctx, t)
	if err != nil {
		return h, revision, err
	}
	if pending != nil && h.Pending != nil {
		for _, list := range h.Pending.Lists {
			if !slices.ContainsFunc(pending.Lists, func(f File) bool { return f.Name == list.Name }) {
				pending.Lists = append(pending.Lists, list)
			}
		}
	}
	return s.begin(ctx, h, revision, job, run, pending)
}

// BeginMirror is Begin for a mirror that has compared, so that the lists of pending have all
// digests that the target may hold. It returns ErrConflict if the head has changed since.
func (s *Store) BeginMirror(ctx context.Context, c *Comparison, pending *Pending) (Head, uint64, error) {
	h, revision, err := s.heads.Head(ctx, c.Head.Target)
	switch {
	case errors.Is(err, ErrNone):
		h = Head{V: 1, Target: c.Head.Target}
	case err != nil && !c.Adopt:
		return h, revision, err
	case err != nil: // a damaged head is replaced
		h = Head{V: 1, Target: c.Head.Target, Epoch: c.Head.Epoch}
	}
	if p := h.Pending; p != nil && p.Job == c.Job && p.Run == c.Run {
		return h, revision, nil
	}
	if revision != c.Revision {
		return h, revision, ErrConflict
	}
	return s.begin(ctx, h, revision, c.Job, c.Run, pending)
}

func (s *Store) begin(ctx context.Context, h Head, revision uint64, job string, run int, pending *Pending) (Head, uint64, error) {
	by := fmt.Sprintf("%s/%d", job, run)
	if h.EpochBy != by {
		h.Epoch, h.EpochBy = h.Epoch+1, by
	}
	if pending != nil {
		pending.Job, pending.Run, pending.Epoch = job, run, h.Epoch
		h.Pending = pending
	}
	revision, err := s.heads.SetHead(ctx, h, revision)
	return h, revision, err
}

// begunBy returns the epoch that a run of a job has begun.
func (h *Head) begunBy(job string, run int) int64 {
	if p := h.Pending; p != nil && p.Job == job && p.Run == run {
		return p.Epoch
	}
	return h.Epoch
}

// Commit makes the shards the current generation of a target.
type Commit struct {
	Head     Head // as it was begun
	Revision uint64
	Job      string
	Run      int
	Order    uint64        // 0: the order of the last mirror stays
	Profile  usher.Profile // without a Type: that of the current generation stays
	Duration int           // days after which a member of the segment lapses; 0: never
	Shards   []File

	// Withheld is what a mirror has left out; nil: what the current generation has left out stays.
	Withheld *Withheld

	// Memory is how the export was read; nil: the memory of the current generation stays. Without
	// a Job it is forgotten.
	Memory *usher.Memory
}

// Commit writes the manifest of a new generation and makes it the current one, and forgets
// what is no longer needed.
func (s *Store) Commit(ctx context.Context, c *Commit) (Head, error) {
	h := c.Head
	g := Generation{
		V: 1, Target: h.Target, Generation: h.Generation + 1, Job: c.Job, Run: c.Run, At: s.now().UTC().Truncate(time.Millisecond),
		Profile: c.Profile, Days: c.Duration > 0, Duration: c.Duration, Shards: c.Shards, Memory: c.Memory, Withheld: c.Withheld,
	}
	if err := s.inherit(ctx, &h, &g); err != nil {
		return h, err
	}
	for _, f := range c.Shards {
		g.Fingerprint.Merge(f.Fingerprint)
	}
	manifest, err := s.writeJSON(ctx, generationFolder(h.Target, g.Generation, c.Job, c.Run)+manifestName, &g)
	if err != nil {
		return h, err
	}
	h.Generation, h.Manifest, h.Fingerprint = g.Generation, manifest, g.Fingerprint
	h.At, h.Job, h.Run = g.At, c.Job, c.Run
	// The shards do not know what was removed since the job began, nor what its run corrects later: the deltas since
	// then still apply.
	h.Since, h.Pending, h.EpochBy = h.begunBy(c.Job, c.Run), nil, ""
	h.folded()
	if c.Order > 0 {
		h.Order = c.Order
	}
	_, err = s.heads.SetHead(ctx, h, c.Revision)
	return h, err
}

// inherit takes over from the current generation what a new one does not say.
func (s *Store) inherit(ctx context.Context, h *Head, g *Generation) error {
	if g.Memory != nil && g.Withheld != nil && g.Profile.Type != "" {
		return nil
	}
	before, err := s.generationOf(ctx, h)
	if errors.As(err, new(*DamagedError)) { // adopt makes a new generation of a damaged one
		return nil
	}
	if err != nil {
		return err
	}
	if g.Profile.Type == "" {
		g.Profile = before.Profile
	}
	if g.Memory == nil && before.Memory != nil && before.Memory.Job != "" {
		g.Memory = before.Memory
	}
	if g.Withheld == nil {
		return s.keepWithheld(ctx, before, g)
	}
	return nil
}

// longestRead is the age at which the files of a reader are stale.
const longestRead = 24 * time.Hour

// Collect removes the files of a target that nobody needs any more: old generations, deltas
// that are in the current one, and what jobs have left behind. Only the job that runs alone on
// the target may call it.
func (s *Store) Collect(ctx context.Context, h *Head) error {
	folder := h.folder()
	current := ""
	if i := strings.LastIndexByte(h.Manifest.Name, '/'); i >= 0 {
		current = h.Manifest.Name[:i+1]
	}
	kept, err := s.keptFolders(ctx, h, current)
	if err != nil {
		return err
	}
	var failed error
	remove := func(name string) {
		if err := s.bucket.Delete(ctx, name); err != nil && ctx.Err() == nil {
			failed = errors.Join(failed, storeError("remove ledger file", name, err))
		}
	}
	err = s.list(ctx, folder, func(o *listed) error {
		rest := strings.TrimPrefix(o.Key, folder)
		switch {
		case strings.HasPrefix(rest, "g/"):
			if of := o.Key[:strings.LastIndexByte(o.Key, '/')+1]; of != current && !kept[of] {
				remove(o.Key)
			}
		case strings.HasPrefix(rest, deltaFolder):
			if d, ok := parseDelta(strings.TrimPrefix(rest, deltaFolder)); ok && d.epoch < h.Since {
				remove(o.Key)
			}
		case strings.HasPrefix(rest, notedFolder) && !slices.ContainsFunc(h.Noted, func(n Noted) bool { return n.Name == o.Key }),
			strings.HasPrefix(rest, "s/"), strings.HasPrefix(rest, readFolder) && s.now().Sub(o.ModTime) > longestRead:
			remove(o.Key)
		}
		return nil
	})
	return errors.Join(err, failed)
}

// keptFolders returns the folders of the older generations that are kept. The one before the current
// one always is, because a mirror that leaves out its members may be reading it.
func (s *Store) keptFolders(ctx context.Context, h *Head, current string) (map[string]bool, error) {
	kept, before := map[string]bool{}, ""
	err := s.list(ctx, h.folder()+"g/", func(o *listed) error {
		if !strings.HasSuffix(o.Key, "/"+manifestName) {
			return nil
		}
		of := strings.TrimSuffix(o.Key, manifestName)
		if s.now().Sub(o.ModTime) < s.keep {
			kept[of] = true
		}
		if of < current { // the numbers of generations sort
			before = of
		}
		return nil
	})
	kept[before] = true
	return kept, err
}

// Discard removes the files of a comparison that is not carried out.
func (s *Store) Discard(ctx context.Context, c *Comparison) error {
	for _, folder := range []string{c.staging(s).folder, c.generationFolder()} {
		if err := s.removeAll(ctx, folder); err != nil {
			return err
		}
	}
	return nil
}

// removeAll removes the files below a prefix.
func (s *Store) removeAll(ctx context.Context, prefix string) error {
	return s.list(ctx, prefix, func(o *listed) error {
		if err := s.bucket.Delete(ctx, o.Key); err != nil {
			return storeError("remove ledger file", o.Key, err)
		}
		return nil
	})
}

// Drop forgets the ledger of a target. It returns ErrConflict if the head has another revision.
func (s *Store) Drop(ctx context.Context, t Target, revision uint64) error {
	if err := s.heads.DropHead(ctx, t, revision); err != nil {
		return err
	}
	return s.removeAll(ctx, t.folder())
}
