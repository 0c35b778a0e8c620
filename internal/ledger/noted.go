package ledger

import (
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"slices"
)

// maxDeltaJobs limits the number of jobs whose deltas a head names: it is a small value. The
// deltas of further jobs are in lists.
const maxDeltaJobs = 1000

// notedFolder has the lists of deltas.
const notedFolder = "n/"

// note notes in the head how many files there are.
func (d *Delta) note(ctx context.Context, written int) error {
	for {
		h, revision, err := d.store.heads.Head(ctx, d.target)
		if errors.Is(err, ErrNone) || err == nil && (d.epoch < h.Since || h.has(d.job, d.part, written)) {
			return nil
		}
		list := ""
		if _, known := h.Deltas[d.job]; err == nil && !known && len(h.Deltas) >= d.store.maxDeltaJobs {
			list, err = d.store.writeNoted(ctx, &h)
		}
		if err == nil {
			h.note(d.job, d.part, written)
			_, err = d.store.heads.SetHead(ctx, h, revision)
		}
		if !errors.Is(err, ErrConflict) {
			return err
		}
		if list != "" {
			if err := d.store.bucket.Delete(ctx, list); err != nil {
				return storeError("remove ledger file", list, err)
			}
		}
	}
}

// writeNoted moves the deltas of a head to a list, whose name it returns.
func (s *Store) writeNoted(ctx context.Context, h *Head) (name string, err error) {
	f, err := s.writeJSON(ctx, h.folder()+notedFolder+rand.Text(), h.Deltas)
	if err != nil {
		return "", err
	}
	noted := Noted{File: f}
	for job := range h.Deltas {
		if d, ok := parseDelta(job); ok {
			noted.Epoch = max(noted.Epoch, d.epoch)
		}
	}
	h.Noted, h.Deltas = append(slices.Clone(h.Noted), noted), nil
	return f.Name, nil
}

// has reports whether the head names so many files of a part.
func (h *Head) has(job string, part, files int) bool {
	parts := h.Deltas[job]
	return part < len(parts) && parts[part] >= files
}

// note notes the number of files of a part.
func (h *Head) note(job string, part, files int) {
	parts := h.Deltas[job]
	parts = append(slices.Clone(parts), make([]int, max(part+1-len(parts), 0))...)
	parts[part] = files
	if h.Deltas = maps.Clone(h.Deltas); h.Deltas == nil {
		h.Deltas = map[string][]int{}
	}
	h.Deltas[job] = parts
}

// folded forgets the deltas that are in the generation.
func (h *Head) folded() {
	h.Deltas = maps.Clone(h.Deltas)
	maps.DeleteFunc(h.Deltas, func(job string, _ []int) bool {
		d, ok := parseDelta(job)
		return !ok || d.epoch < h.Since
	})
	h.Noted = slices.DeleteFunc(slices.Clone(h.Noted), func(n Noted) bool { return n.Epoch < h.Since })
}

// complete returns the names of the files of complete deltas that are not in the generation.
func (s *Store) complete(ctx context.Context, h *Head) (map[string]bool, error) {
	names := map[string]bool{}
	h.addNames(names, h.Deltas)
	for _, noted := range h.Noted {
		var deltas map[string][]int
		if err := s.readJSON(ctx, noted.File, &deltas); err != nil {
			return nil, err
		}
		h.addNames(names, deltas)
	}
	return names, nil
}

// addNames adds the names of the files of deltas that are not in the generation.
func (h *Head) addNames(names map[string]bool, deltas map[string][]int) {
	for job, parts := range deltas {
		if d, ok := parseDelta(job); !ok || d.epoch < h.Since {
			continue
		}
		for part, files := range parts {
			for number := range files {
				names[runName(partName(h.Target, job, part), number)] = true
			}
		}
	}
}
