package workers_test

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"testing"

	"usher"
	"usher/hashing"
	"usher/workers/internal/workertest"
)

// refuseRemovals makes the platform refuse to remove ids, however often it is asked.
func (b *mirrored) refuseRemovals(ids ...hashing.Digest) {
	b.T.Helper()
	for _, d := range ids {
		b.Control(http.MethodPost, "faults", map[string]any{
			"method": http.MethodDelete, "path": "/v3/segments/1/IDFA/" + d.String(), "kind": "status", "status": 400, "times": 1000,
		}, nil)
	}
}

// sortedDigests returns the digests of ids from..to-1 in the order in which a mirror removes them.
func sortedDigests(from, to int) []hashing.Digest {
	all := digestsOf(from, to)
	slices.SortFunc(all, func(a, b hashing.Digest) int { return bytes.Compare(a[:], b[:]) })
	return all
}

// The platform refuses some ids of a batch of removals, in both halves of it and with the same code.
// The others are removed, the tally and the ledger have exactly the refused ones, and the next
// mirror sends those who are in its export again.
func TestRemovalsThatAreRefused(t *testing.T) {
	t.Parallel()
	first := func(n int) (places []int) {
		for i := range n {
			places = append(places, i)
		}
		return places
	}
	for name, places := range map[string][]int{
		"in both halves":       {10, 60},
		"at the beginning":     {0, 50, 99},
		"in two batches":       {10, 60, 120, 170},
		"the first twenty":     first(20),
		"the first, and later": append(first(12), 70),
	} {
		for _, kind := range []usher.Kind{usher.SegmentMirror, usher.SegmentRemove} {
			t.Run(fmt.Sprintf("%s, %s", kind, name), func(t *testing.T) {
				t.Parallel()
				const members, wanted = 400, 50
				b := newMirrored(t)
				b.Run(b.job(usher.SegmentMirror, b.ids(0, members))).Want(t, "done")
				order, s := digestsOf(wanted, members), b.job(usher.SegmentRemove, b.ids(wanted, members))
				if kind == usher.SegmentMirror {
					order, s = sortedDigests(wanted, members), b.job(kind, b.ids(0, wanted))
					s.Piece.Job.Force = true
				}
				for _, at := range places {
					b.refuseRemovals(order[at])
				}
				refused := int64(len(places))
				b.Run(s).Want(t, "done")
				b.wantEqual(t, "segment/1", wanted+refused)
				checkRemoved(t, s, members-wanted-refused, refused)
				b.Run(b.job(usher.SegmentMirror, b.ids(0, members))).Want(t, "done")
				b.wantEqual(t, "segment/1", members)
			})
		}
	}
}

// checkRemoved fails the test unless a job says that so many ids were removed and refused.
func checkRemoved(t *testing.T, s *workertest.Lease, removed, refused int64) {
	t.Helper()
	p, tally := s.Piece.Progress, s.Tally()
	gotRemoved, gotRefused := tally.Accepted, tally.Refused.Sum()
	if s.Piece.Kind == usher.SegmentMirror {
		gotRemoved, gotRefused = p.Mirror.Removed, 0
		for _, w := range p.Warnings {
			if w.Code == usher.WarnNotRemoved {
				gotRefused = w.Count
			}
		}
	}
	if gotRemoved != removed || gotRefused != refused || tally.Check() != nil {
		t.Errorf("%d ids were removed and %d refused, not %d and %d: tally %+v, warnings %v", gotRemoved, gotRefused, removed, refused, tally, p.Warnings)
	}
}

// A platform that refuses to remove any id is not asked for each one.
func TestEveryRemovalIsRefused(t *testing.T) {
	t.Parallel()
	b := newMirrored(t)
	b.Run(b.job(usher.SegmentMirror, b.ids(0, 1000))).Want(t, "done")
	b.Fault("segments.remove-user", "status", map[string]any{"status": 400, "times": 10_000})
	b.Run(b.job(usher.SegmentRemove, b.ids(0, 1000))).Want(t, "failed refused")
	if calls := len(b.Calls("segments.remove-user")); calls > 200 {
		t.Errorf("%d calls", calls)
	}
	b.wantEqual(t, "segment/1", 1000)
}

// A 404 with the page of a gateway does not say that an id was removed.
func TestRemovalsBehindAGateway(t *testing.T) {
	t.Parallel()
	for _, kind := range []usher.Kind{usher.SegmentMirror, usher.SegmentRemove} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			b := newMirrored(t)
			b.Run(b.job(usher.SegmentMirror, b.ids(0, 20))).Want(t, "done")
			b.Fault("segments.remove-user", "status", map[string]any{"status": 404, "body": "<html>404 Not Found</html>"})
			s := b.job(usher.SegmentRemove, b.ids(15, 20))
			if kind == usher.SegmentMirror {
				s = b.job(kind, b.ids(0, 15))
				s.Piece.Job.Force = true
			}
			b.Run(s).Want(t, "done")
			b.wantEqual(t, "segment/1", 15)
		})
	}
}

// The receipt of a device.forget does not say absent of an id because a gateway answered for the platform.
func TestForgetBehindAGateway(t *testing.T) {
	t.Parallel()
	b := newMirrored(t)
	b.Run(b.job(usher.SegmentAdd, b.ids(0, 20))).Want(t, "done")
	page := map[string]any{"status": 404, "body": "404 page not found\n", "times": 2}
	b.Fault("segments.contains", "status", page)
	b.Fault("segments.remove-user", "status", page)
	s := b.forget(id(3))
	b.Run(s).Want(t, "done")
	wantOutcomes(t, b.outcomes(t, s), "segment/1 removed", 1)
	if n := b.fingerprint("segments/1").Count; n != 19 {
		t.Errorf("the segment has %d ids", n)
	}
}
