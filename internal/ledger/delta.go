package ledger

import (
	"context"
	"fmt"
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
type Delta struct{ *Runs }

// NewDelta returns the delta of a part of a job. The first written files exist from an
// earlier attempt. The target must have a head.
func (s *Store) NewDelta(h *Head, removes bool, job string, run, part, written int) *Delta {
	o := opAdded
	if removes {
		o = opRemoved
	}
	name := fmt.Sprintf("%sd/%012d-%c-%s-%d-%d", h.folder(), h.Epoch, o, job, run, part)
	return &Delta{s.newRuns(name, written, DayOf(s.now()))}
}

// delta is a file of a delta.
type delta struct {
	File
	epoch int64
	op    op
}

// deltasOf returns the deltas that are not in the current generation, in order.
func (s *Store) deltasOf(ctx context.Context, h *Head) ([]delta, error) {
	var found []delta
	prefix := h.folder() + "d/"
	err := s.list(ctx, prefix, func(o *listed) error {
		d, ok := parseDelta(strings.TrimPrefix(o.Key, prefix))
		if !ok || d.epoch < h.Since {
			return nil
		}
		d.Name, d.Size = o.Key, o.Size
		found = append(found, d)
		return nil
	})
	slices.SortStableFunc(found, func(a, b delta) int { return strings.Compare(a.Name, b.Name) })
	return found, err
}

// parseDelta reads the name of a delta.
func parseDelta(name string) (d delta, ok bool) {
	epoch, rest, found := strings.Cut(name, "-")
	n, err := strconv.ParseInt(epoch, 10, 64)
	if !found || err != nil || n < 0 || len(epoch) != 12 || len(rest) < 2 || rest[1] != '-' {
		return d, false
	}
	d.epoch, d.op = n, op(rest[0])
	return d, d.op == opAdded || d.op == opRemoved
}
