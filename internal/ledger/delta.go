package ledger

import (
	"context"
	"crypto/rand"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"usher/hashing"
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

// deltaFolder has the deltas of a target.
const deltaFolder = "d/"

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

	// Changed means that the export may have changed since. The notes of the batches that earlier attempts may
	// have sent are then kept, because this attempt may send other digests.
	Changed bool
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
	if earlier.Changed {
		d.intents.name += "-" + rand.Text()
	}
	return d, nil
}

// Epoch returns the epoch in which the delta is written.
func (d *Delta) Epoch() int64 { return d.epoch }

// partName is the beginning of the names of a part's files.
func partName(t Target, job string, part int) string {
	return fmt.Sprintf("%s%s%s-%d", t.folder(), deltaFolder, job, part)
}

// Complete writes what was added, and notes in the head how many files there are, so that
// one that is lost is noticed. It returns their number.
func (d *Delta) Complete(ctx context.Context) (written int, err error) {
	if written, err = d.Flush(ctx); err != nil || written == 0 {
		return written, err
	}
	return written, d.note(ctx, written)
}

// delta is a file of a delta.
type delta struct {
	File
	epoch int64
	op    op
}

// eachDelta calls visit with the deltas that are not in the current generation, in order.
func (s *Store) eachDelta(ctx context.Context, h *Head, visit func(delta) error) error {
	missing, err := s.complete(ctx, h)
	if err != nil {
		return err
	}
	prefix := h.folder() + deltaFolder
	err = s.listWhole(ctx, prefix, func(o *listed) error {
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

// intents are the batches of a delta whose outcome is not in it yet. Each is a file that is
// written before the batch is sent: as long as it is there, it is not known whether its
// digests are members.
type intents struct {
	store *Store
	name  string // of the files, up to the number of the batch

	mu      sync.Mutex
	batches map[int64]string // names of the files that this process has written
}

// Intend notes that a batch of digests is about to be sent.
func (d *Delta) Intend(ctx context.Context, batch int64, digests [][]hashing.Digest) error {
	i := &d.intents
	i.mu.Lock()
	defer i.mu.Unlock()
	runs := i.store.newRuns(fmt.Sprintf("%s-%s%08d", i.name, intentMark, batch), 0, 0)
	defer runs.Release()
	for _, some := range digests {
		if err := runs.Add(ctx, some); err != nil {
			return err
		}
	}
	if _, err := runs.Flush(ctx); err != nil {
		return err
	}
	if i.batches == nil {
		i.batches = map[int64]string{}
	}
	i.batches[batch] = runs.name
	return nil
}

// intentMark begins the number of a batch.
const intentMark = "batch-"

// Resolve notes that the outcome of the batches up to last is in the delta.
func (d *Delta) Resolve(ctx context.Context, last int64) error {
	i := &d.intents
	i.mu.Lock()
	defer i.mu.Unlock()
	for batch, name := range i.batches {
		if batch > last {
			continue
		}
		if err := i.store.removeAll(ctx, name); err != nil {
			return err
		}
		delete(i.batches, batch)
	}
	return nil
}

// IsBegun reports whether a batch was ever sent.
func (d *Delta) IsBegun() bool { return d.written > 0 || len(d.intents.batches) > 0 }

// ResolveAll notes that the outcome of all batches is in the delta, also of those that an
// earlier attempt has begun with the same digests.
func (d *Delta) ResolveAll(ctx context.Context) error {
	return d.intents.store.removeAll(ctx, d.intents.name+"-"+intentMark)
}
