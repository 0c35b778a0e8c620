package ledger

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// op is what a job did with the digests of a source. Its values are part of the names of
// deltas and sort them: removals come first in an epoch, because the job that removes began
// the epoch and ran alone.
type op byte

const (
	opRemoved op = '0'
	opUnknown op = '1' // may be a member or not
	opAdded   op = '2'
)

// Delta collects the digests that a job has added to a target, or removed from it, until
// they are written. It is needed while the target has a ledger.
type Delta struct {
	*Runs

	target Target
	epoch  int64
	job    string // the beginning of the names of the job's files
	part   int

	intents intents
}

// Written is what earlier attempts have written of a part's delta.
type Written struct {
	Epoch int64 // in which the last of them wrote
	Files int   // of that epoch
}

// NewDelta returns the delta of a part of a job, of which earlier attempts have written some
// files. The target must have a head. If other jobs have begun epochs since, the delta begins
// anew in the current one, after those files are noted in the head.
func (s *Store) NewDelta(ctx context.Context, h *Head, removes bool, job string, run, part int, earlier Written) (*Delta, error) {
	o := opAdded
	if removes {
		o = opRemoved
	}
	in := func(epoch int64, written int) *Delta {
		by := fmt.Sprintf("%012d-%c-%s-%d", epoch, o, job, run)
		return &Delta{Runs: s.newRuns(partName(h.Target, by, part), written, DayOf(s.now())), target: h.Target, epoch: epoch, job: by, part: part}
	}
	if earlier.Files > 0 && earlier.Epoch != h.Epoch {
		if err := in(earlier.Epoch, earlier.Files).note(ctx, earlier.Files); err != nil {
			return nil, err
		}
		earlier.Files = 0
	}
	d := in(h.Epoch, earlier.Files)
	d.intents = intents{store: s, name: partName(h.Target, fmt.Sprintf("%012d-%c-%s-%d", h.Epoch, opUnknown, job, run), part)}
	return d, nil
}

// Epoch returns the epoch in which the delta is written.
func (d *Delta) Epoch() int64 { return d.epoch }

// partName is the beginning of the names of a part's files.
func partName(t Target, job string, part int) string {
	return fmt.Sprintf("%sd/%s-%d", t.folder(), job, part)
}

// maxDeltaJobs limits the number of jobs whose deltas a head names: it is a small value.
const maxDeltaJobs = 1000

// Complete writes what was added, and notes in the head how many files there are, so that
// one that is lost is noticed. It returns their number.
func (d *Delta) Complete(ctx context.Context) (written int, err error) {
	if written, err = d.Flush(ctx); err != nil || written == 0 {
		return written, err
	}
	return written, d.note(ctx, written)
}

// note notes in the head how many files there are.
func (d *Delta) note(ctx context.Context, written int) error {
	for {
		h, revision, err := d.store.heads.Head(ctx, d.target)
		if errors.Is(err, ErrNone) || err == nil && (d.epoch < h.Since || !h.note(d.job, d.part, written)) {
			return nil
		}
		if err == nil {
			_, err = d.store.heads.SetHead(ctx, h, revision)
		}
		if !errors.Is(err, ErrConflict) {
			return err
		}
	}
}

// note notes the number of files of a part, and reports whether that changes the head.
func (h *Head) note(job string, part, files int) bool {
	parts, known := h.Deltas[job]
	if !known && len(h.Deltas) >= maxDeltaJobs || part < len(parts) && parts[part] >= files {
		return false
	}
	parts = append(slices.Clone(parts), make([]int, max(part+1-len(parts), 0))...)
	parts[part] = files
	if h.Deltas = maps.Clone(h.Deltas); h.Deltas == nil {
		h.Deltas = map[string][]int{}
	}
	h.Deltas[job] = parts
	return true
}

// folded forgets the deltas that are in the generation.
func (h *Head) folded() {
	h.Deltas = maps.Clone(h.Deltas)
	maps.DeleteFunc(h.Deltas, func(job string, _ []int) bool {
		d, ok := parseDelta(job)
		return !ok || d.epoch < h.Since
	})
}

// complete returns the names of the files of complete deltas that are not in the generation.
func (h *Head) complete() map[string]bool {
	names := map[string]bool{}
	for job, parts := range h.Deltas {
		if d, ok := parseDelta(job); !ok || d.epoch < h.Since {
			continue
		}
		for part, files := range parts {
			for number := range files {
				names[runName(partName(h.Target, job, part), number)] = true
			}
		}
	}
	return names
}

// delta is a file of a delta.
type delta struct {
	File
	epoch int64
	op    op
}

// eachDelta calls visit with the deltas that are not in the current generation, in order.
func (s *Store) eachDelta(ctx context.Context, h *Head, visit func(delta) error) error {
	missing := h.complete()
	prefix := h.folder() + "d/"
	err := s.list(ctx, prefix, func(o *listed) error {
		d, ok := parseDelta(strings.TrimPrefix(o.Key, prefix))
		if !ok || d.epoch < h.Since {
			return nil
		}
		delete(missing, o.Key)
		d.Name, d.Size = o.Key, o.Size
		return visit(d)
	})
	if err == nil && len(missing) > 0 {
		err = &DamagedError{slices.Min(slices.Collect(maps.Keys(missing))), "is missing"}
	}
	return err
}

// parseDelta reads the name of a delta.
func parseDelta(name string) (d delta, ok bool) {
	epoch, rest, found := strings.Cut(name, "-")
	n, err := strconv.ParseInt(epoch, 10, 64)
	if !found || err != nil || n < 0 || len(epoch) != 12 || len(rest) < 2 || rest[1] != '-' {
		return d, false
	}
	d.epoch, d.op = n, op(rest[0])
	return d, d.op == opAdded || d.op == opUnknown || d.op == opRemoved
}
