package pipeline

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"usher/hashing"
)

// Suppression is a set of digests that must never be sent. It takes 16 bytes for each
// digest and a quarter of a byte for the index. It never changes, and is safe for concurrent
// use.
type Suppression struct{ lists []sortedList }

// sortedList is a list of digests with an index.
type sortedList struct {
	sorted []hashing.Digest
	starts []uint32 // starts[p] is the index of the first digest with prefix p
	shift  uint     // the prefix is a digest's first 32 bits, shifted right by this
}

// LoadSuppression reads digests in hex of any case, separated by commas, spaces or line
// ends. Anything else is an error, because a raw id in the list would suppress nothing.
func LoadSuppression(r io.Reader) (*Suppression, error) {
	var digests []hashing.Digest
	buffer := make([]byte, 256<<10)
	have, begun := 0, false
	for {
		n, err := r.Read(buffer[have:])
		last := errors.Is(err, io.EOF)
		if err != nil && !last {
			return nil, fmt.Errorf("read suppression list: %w", err)
		}
		have += n
		if !begun && (have >= 3 || last) {
			begun = true
			have = copy(buffer, bytes.TrimPrefix(buffer[:have], []byte("\ufeff")))
		}
		if !begun {
			continue
		}
		var used int
		digests, used, err = hashing.ParseDigests(digests, buffer[:have], last)
		if err != nil {
			return nil, fmt.Errorf("read suppression list: entry %d: %w", len(digests)+1, err)
		}
		have = copy(buffer, buffer[used:have])
		if last {
			return newSuppression(digests), nil
		}
	}
}

func newSuppression(digests []hashing.Digest) *Suppression {
	slices.SortFunc(digests, func(a, b hashing.Digest) int { return bytes.Compare(a[:], b[:]) })
	return &Suppression{[]sortedList{indexed(slices.Clip(slices.Compact(digests)))}}
}

// With returns a set that also has the digests of sorted lists, which the caller must not
// change afterwards. s may be nil. With returns nil if the set would be empty.
func (s *Suppression) With(lists ...[]hashing.Digest) *Suppression {
	var more Suppression
	if s != nil {
		more.lists = slices.Clone(s.lists)
	}
	for _, digests := range lists {
		if len(digests) > 0 {
			more.lists = append(more.lists, indexed(digests))
		}
	}
	if len(more.lists) == 0 {
		return nil
	}
	return &more
}

// indexed returns sorted digests with an index.
func indexed(digests []hashing.Digest) sortedList {
	l := sortedList{sorted: digests, shift: 32}
	for l.shift > 8 && len(digests)>>(32-l.shift) > 16 {
		l.shift--
	}
	l.starts = make([]uint32, 1<<(32-l.shift)+1)
	for i := range digests {
		l.starts[l.prefix(&digests[i])+1]++
	}
	for p := 1; p < len(l.starts); p++ {
		l.starts[p] += l.starts[p-1]
	}
	return l
}

// Len returns the number of digests. A digest in several lists is counted once for each.
func (s *Suppression) Len() int {
	n := 0
	for i := range s.lists {
		n += len(s.lists[i].sorted)
	}
	return n
}

// Has reports whether a digest is in the set.
func (s *Suppression) Has(d *hashing.Digest) bool {
	for i := range s.lists {
		if s.lists[i].has(d) {
			return true
		}
	}
	return false
}

func (l *sortedList) prefix(d *hashing.Digest) uint64 {
	return uint64(binary.BigEndian.Uint32(d[:])) >> l.shift
}

func (l *sortedList) has(d *hashing.Digest) bool {
	p := l.prefix(d)
	_, found := slices.BinarySearchFunc(l.sorted[l.starts[p]:l.starts[p+1]], d,
		func(a hashing.Digest, b *hashing.Digest) int { return bytes.Compare(a[:], b[:]) })
	return found
}
