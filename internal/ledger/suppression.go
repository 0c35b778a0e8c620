package ledger

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"usher/hashing"
)

// SuppressionHead says which files are the managed suppression list: the digests that no job
// may upload. It is a key in a bucket of NATS and changed by compare-and-set.
type SuppressionHead struct {
	V          int       `json:"v"`          // 1
	Generation uint64    `json:"generation"` // counts the changes
	At         time.Time `json:"at,omitzero"`

	// Files are sorted. Each but the last is more than twice as large as the next one, so that
	// adding a digest seldom writes many. A digest may be in several.
	Files []File `json:"files,omitempty"`
}

// maxSuppressionFiles limits the number of files of a list: with more, their sizes would not
// fit a store.
const maxSuppressionFiles = 64

// Valid reports whether the head is one that usher writes.
func (h *SuppressionHead) Valid() bool {
	if h.V != 1 || len(h.Files) > maxSuppressionFiles {
		return false
	}
	for _, f := range h.Files {
		if !strings.HasPrefix(f.Name, suppressionFolder) || f.Size < int64(trailerSize) || f.Checksum == 0 {
			return false
		}
	}
	return true
}

// suppressionFolder has the files of the suppression list. The code of an advertiser, whose
// folders are beside it, has no dot.
const suppressionFolder = "suppression.d/"

// SuppressionListHead is the name of the list's head in a DamagedError.
const SuppressionListHead = "head of the suppression list"

// Suppression is the managed suppression list of a store.
type Suppression struct{ store *Store }

// Suppression returns the managed suppression list.
func (s *Store) Suppression() Suppression { return Suppression{s} }

// Head returns the head of the list. Without one, the list is empty.
func (l Suppression) Head(ctx context.Context) (SuppressionHead, error) {
	h, _, err := l.store.heads.Suppression(ctx)
	if errors.Is(err, ErrNone) {
		return SuppressionHead{}, nil
	}
	return h, err
}

// CheckLost returns an error if the list has files although it has no head.
func (l Suppression) CheckLost(ctx context.Context) error {
	if !l.store.HasFiles() {
		return nil
	}
	lost := l.store.listWhole(ctx, suppressionFolder, func(o *listed) error {
		return &DamagedError{SuppressionListHead, "is missing, but there is the file " + o.Key}
	})
	if lost == nil {
		return nil
	}
	// Another caller may have made the head and the file since this one found no head.
	if _, _, err := l.store.heads.Suppression(ctx); !errors.Is(err, ErrNone) {
		return err
	}
	return lost
}

// begin returns the head of the list, which it makes if there is none.
func (l Suppression) begin(ctx context.Context) (SuppressionHead, uint64, error) {
	for {
		h, revision, err := l.store.heads.Suppression(ctx)
		if !errors.Is(err, ErrNone) {
			return h, revision, err
		}
		if err := l.CheckLost(ctx); err != nil {
			return h, 0, err
		}
		// Before the first file, so that files without a head are damage.
		if err := l.store.heads.SetSuppression(ctx, SuppressionHead{V: 1}, revision); err != nil && !errors.Is(err, ErrConflict) {
			return h, 0, err
		}
	}
}

// Add puts sorted digests on the list. by names the caller and is part of the names of files:
// the same caller has the same digests. Add returns the list's generation and how many digests
// were not on it.
func (l Suppression) Add(ctx context.Context, by string, digests []hashing.Digest) (generation uint64, added int64, err error) {
	return l.add(ctx, by, int64(len(digests)), func(visit func(digests []hashing.Digest) error) error {
		return visit(digests)
	}, func(context.Context, int) (stream, error) { return &digestList{digests}, nil })
}

// AddFile is Add for the digests of a sorted file.
func (l Suppression) AddFile(ctx context.Context, by string, f File) (generation uint64, added int64, err error) {
	return l.add(ctx, by, f.Fingerprint.Count, func(visit func([]hashing.Digest) error) error {
		return l.store.eachChunk(ctx, f, 0, func(_ int64, digests []hashing.Digest) error { return visit(digests) })
	}, l.store.opener(f))
}

// add puts digests on the list, which each yields in sorted pieces.
func (l Suppression) add(ctx context.Context, by string, count int64, each func(visit func([]hashing.Digest) error) error, open opener) (generation uint64, added int64, err error) {
	err = l.change(ctx, func(h *SuppressionHead, revision uint64) error {
		generation, added = h.Generation, 0
		err := each(func(digests []hashing.Digest) error {
			n, err := l.missing(ctx, h.Files, digests)
			added += n
			return err
		})
		if err != nil || added == 0 {
			return err
		}
		kept, size := len(h.Files), count
		for kept > 0 && h.Files[kept-1].Fingerprint.Count <= 2*size {
			kept--
			size += h.Files[kept].Fingerprint.Count
		}
		generation++
		return l.replace(ctx, *h, revision, by, kept, append(l.store.openers(h.Files[kept:]), open), nil)
	})
	return generation, added, err
}

// change calls do with the head of the list until no other writer interferes. Another one may
// remove files that do reads, because they are merged, and files that it writes.
func (l Suppression) change(ctx context.Context, do func(h *SuppressionHead, revision uint64) error) error {
	for {
		h, revision, err := l.begin(ctx)
		if err != nil {
			return err
		}
		err = do(&h, revision)
		if err == nil {
			return nil
		}
		_, now, failed := l.store.heads.Suppression(ctx)
		if failed != nil || now == revision {
			return err
		}
	}
}

// missing counts the sorted digests that are in none of the list's files.
func (l Suppression) missing(ctx context.Context, files []File, digests []hashing.Digest) (missing int64, err error) {
	known := make([]bool, len(digests))
	for _, f := range files {
		if _, err := l.store.seek(ctx, f, digests, func(i int, _ Day) { known[i] = true }); err != nil {
			return missing, err
		}
	}
	for _, found := range known {
		if !found {
			missing++
		}
	}
	return missing, nil
}

// Remove takes sorted digests off the list, and returns how many were on it.
func (l Suppression) Remove(ctx context.Context, by string, digests []hashing.Digest) (removed int64, err error) {
	err = l.change(ctx, func(h *SuppressionHead, revision uint64) error {
		listed := make([]bool, len(digests))
		for _, f := range h.Files {
			if _, err := l.store.seek(ctx, f, digests, func(i int, _ Day) { listed[i] = true }); err != nil {
				return err
			}
		}
		without := map[key]bool{}
		for i, found := range listed {
			if found {
				without[keyOf(&digests[i])] = true
			}
		}
		if removed = int64(len(without)); removed == 0 {
			return nil
		}
		return l.replace(ctx, *h, revision, by, 0, l.store.openers(h.Files), without)
	})
	return removed, err
}

// replace makes the list the first kept files of the head and one more, with the digests of
// the opened streams but those of without.
func (l Suppression) replace(ctx context.Context, h SuppressionHead, revision uint64, by string, kept int, opened []opener, without map[key]bool) error {
	h.Generation++
	merged, err := l.store.merge(ctx, fmt.Sprintf("%s%012d-%s", suppressionFolder, h.Generation, by), opened, without)
	if err != nil {
		return err
	}
	h.V, h.At = 1, l.store.now().UTC().Truncate(time.Millisecond)
	h.Files = append(h.Files[:kept:kept], merged)
	if merged.Fingerprint.Count == 0 {
		h.Files = h.Files[:kept]
	}
	if err := l.store.heads.SetSuppression(ctx, h, revision); err != nil {
		return err
	}
	_ = l.collect(ctx, &h) // the next change tries again
	return nil
}

// collect removes the files that are not in the list any more, and those of writers that
// another one has overtaken.
func (l Suppression) collect(ctx context.Context, h *SuppressionHead) error {
	current := map[string]bool{}
	for _, f := range h.Files {
		current[f.Name] = true
	}
	return l.store.list(ctx, suppressionFolder, func(o *listed) error {
		if current[o.Key] || suppressionGeneration(o.Key) > h.Generation {
			return nil // the file of the next generation may be on its way
		}
		if err := l.store.bucket.Delete(ctx, o.Key); err != nil && !isNotFound(err) {
			return storeError("remove ledger file", o.Key, err)
		}
		return nil
	})
}

const notGeneration = math.MaxUint64

// suppressionGeneration returns the generation that a file of the list was written for.
func suppressionGeneration(name string) uint64 {
	number, _, _ := strings.Cut(strings.TrimPrefix(name, suppressionFolder), "-")
	generation, err := strconv.ParseUint(number, 10, 64)
	if err != nil {
		return notGeneration // not usher's
	}
	return generation
}

// Load returns the digests of the files of a head, by their names and sorted. Those of known,
// which are never changed, are not read again.
func (l Suppression) Load(ctx context.Context, h *SuppressionHead, known map[string][]hashing.Digest) (map[string][]hashing.Digest, error) {
	if len(h.Files) > 0 && !l.store.HasFiles() {
		return nil, errors.New("there is a suppression list, but this worker cannot read it: set ledger.url on all workers")
	}
	lists := map[string][]hashing.Digest{}
	for _, f := range h.Files {
		digests, found := known[f.Name]
		if !found {
			var err error
			if digests, err = l.store.readAll(ctx, f, 0, firstBytes); err != nil {
				return nil, err
			}
		}
		lists[f.Name] = digests
	}
	return lists, nil
}

// Each calls visit with the digests of the list in order, each once.
func (l Suppression) Each(ctx context.Context, visit func(hashing.Digest) error) error {
	h, err := l.Head(ctx)
	if err == nil && h.V == 0 {
		return l.CheckLost(ctx)
	}
	if err != nil {
		return err
	}
	return eachMerged(ctx, l.store.openers(h.Files), func(k key) error { return visit(k.digest()) })
}

// open opens the digests of the list; nil: there are none.
func (l Suppression) open(ctx context.Context) (*ascending, error) {
	h, err := l.Head(ctx)
	if err == nil && h.V == 0 {
		err = l.CheckLost(ctx)
	}
	if err != nil || len(h.Files) == 0 {
		return nil, err
	}
	var streams []stream
	for _, f := range h.Files {
		r, err := l.store.open(ctx, f, 0, firstBytes, bufferOf(len(h.Files)))
		if err != nil {
			for _, opened := range streams {
				opened.close()
			}
			return nil, err
		}
		streams = append(streams, r)
	}
	return &ascending{merger: newMerger(streams)}, nil
}

// ascending finds digests, which it is asked for in ascending order.
type ascending struct {
	*merger
	item  item
	begun bool
	ended bool
}

func (a *ascending) has(k key) (bool, error) {
	for !a.ended && (!a.begun || a.item.less(k)) {
		var err error
		a.item, err = a.next()
		if a.begun = true; errors.Is(err, io.EOF) {
			a.ended = true
		} else if err != nil {
			return false, err
		}
	}
	return !a.ended && a.item.key == k, nil
}

// readAll returns the digests of a file whose first byte is in from..to-1.
func (s *Store) readAll(ctx context.Context, f File, from, to int) ([]hashing.Digest, error) {
	r, err := s.open(ctx, f, from, to, bufferOf(1))
	if err != nil {
		return nil, err
	}
	defer r.close()
	digests := make([]hashing.Digest, 0, r.left)
	for {
		k, _, err := r.next()
		if errors.Is(err, io.EOF) {
			return digests, nil
		}
		if err != nil {
			return nil, err
		}
		digests = append(digests, k.digest())
	}
}
