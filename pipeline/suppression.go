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
// digest and a quarter of a byte for the index. It is safe for concurrent use.
type Suppression struct {
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
	digests = slices.Clip(slices.Compact(digests))
	s := &Suppression{sorted: digests, shift: 32}
	for s.shift > 8 && len(digests)>>(32-s.shift) > 16 {
		s.shift--
	}
	s.starts = make([]uint32, 1<<(32-s.shift)+1)
	for i := range digests {
		s.starts[s.prefix(&digests[i])+1]++
	}
	for p := 1; p < len(s.starts); p++ {
		s.starts[p] += s.starts[p-1]
	}
	return s
}

// Len returns the number of digests.
func (s *Suppression) Len() int { return len(s.sorted) }

func (s *Suppression) prefix(d *hashing.Digest) uint64 {
	return uint64(binary.BigEndian.Uint32(d[:])) >> s.shift
}

// Has reports whether a digest is on the list.
func (s *Suppression) Has(d *hashing.Digest) bool {
	p := s.prefix(d)
	_, found := slices.BinarySearchFunc(s.sorted[s.starts[p]:s.starts[p+1]], d,
		func(a hashing.Digest, b *hashing.Digest) int { return bytes.Compare(a[:], b[:]) })
	return found
}
