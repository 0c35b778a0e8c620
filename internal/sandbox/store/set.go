package store

import (
	"encoding/binary"
	"math/bits"

	"usher/hashing"
)

// digestSize is the size of a digest in bytes.
const digestSize = len(hashing.Digest{})

// set is a set of digests: a hash table with open addressing and linear probing. Its shards
// grow one at a time by a fifth, so that a large set never takes more than 23 bytes per
// digest, also while it grows.
type set struct {
	fingerprint     hashing.Fingerprint
	fingerprintOnly bool // the set stores no members

	hasZero bool // the digest of zeros is a member; in a slot, zeros mean that it is empty
	shards  [shardCount]shard
}

const shardCount = 64

type shard struct {
	slots []hashing.Digest
	used  int
}

// place returns the shard of d, and a number that determines its slot. It mixes the bits of
// d, because digests may be consecutive numbers.
func place(d hashing.Digest) (shardIndex int, mixed uint64) {
	high, low := binary.BigEndian.Uint64(d[:8]), binary.BigEndian.Uint64(d[8:])
	a, b := bits.Mul64(high^0x9e3779b97f4a7c15, low^0xbf58476d1ce4e5b9)
	mixed = (a ^ b) * 0x94d049bb133111eb
	return int(mixed >> 58), mixed << 6
}

// home returns the first slot to probe. It increases with mixed, on which fill depends.
func (s *shard) home(mixed uint64) int {
	slot, _ := bits.Mul64(mixed, uint64(len(s.slots)))
	return int(slot)
}

// find returns the slot that holds d, or the empty slot where it belongs.
func (s *shard) find(d hashing.Digest, mixed uint64) (slot int, found bool) {
	for slot = s.home(mixed); ; slot = s.after(slot) {
		switch s.slots[slot] {
		case d:
			return slot, true
		case hashing.Digest{}:
			return slot, false
		}
	}
}

func (s *shard) after(slot int) int {
	if slot++; slot == len(s.slots) {
		return 0
	}
	return slot
}

func (m *set) contains(d hashing.Digest) bool {
	if d == (hashing.Digest{}) {
		return m.hasZero
	}
	index, mixed := place(d)
	s := &m.shards[index]
	if s.used == 0 {
		return false
	}
	_, found := s.find(d, mixed)
	return found
}

// add adds d and reports whether it is new. In a set without members every digest is new.
func (m *set) add(d hashing.Digest) bool {
	if !m.fingerprintOnly && !m.insert(d) {
		return false
	}
	m.fingerprint.Add(d)
	return true
}

func (m *set) insert(d hashing.Digest) bool {
	if d == (hashing.Digest{}) {
		isNew := !m.hasZero
		m.hasZero = true
		return isNew
	}
	index, mixed := place(d)
	s := &m.shards[index]
	if s.used*20 >= len(s.slots)*17 { // 85 %
		s.grow()
	}
	slot, found := s.find(d, mixed)
	if found {
		return false
	}
	s.slots[slot] = d
	s.used++
	return true
}

func (s *shard) grow() {
	old := s.slots
	s.slots = make([]hashing.Digest, max(8, len(old)*6/5+1))
	for _, d := range old {
		if d == (hashing.Digest{}) {
			continue
		}
		_, mixed := place(d)
		slot, _ := s.find(d, mixed)
		s.slots[slot] = d
	}
}

// remove removes d and reports whether it was a member. In a set without members every
// digest is a member.
func (m *set) remove(d hashing.Digest) bool {
	if !m.fingerprintOnly && !m.take(d) {
		return false
	}
	m.fingerprint.Remove(d)
	return true
}

func (m *set) take(d hashing.Digest) bool {
	if d == (hashing.Digest{}) {
		was := m.hasZero
		m.hasZero = false
		return was
	}
	index, mixed := place(d)
	s := &m.shards[index]
	if s.used == 0 {
		return false
	}
	slot, found := s.find(d, mixed)
	if !found {
		return false
	}
	s.fill(slot)
	s.used--
	return true
}

// fill empties a slot. It moves later digests into the hole if their home allows that, so
// that no probe stops too early.
func (s *shard) fill(hole int) {
	for slot := s.after(hole); s.slots[slot] != (hashing.Digest{}); slot = s.after(slot) {
		_, mixed := place(s.slots[slot])
		home := s.home(mixed)
		if between(hole, home, slot) {
			continue
		}
		s.slots[hole] = s.slots[slot]
		hole = slot
	}
	s.slots[hole] = hashing.Digest{}
}

// between reports whether home is in (hole, slot], where slots form a ring.
func between(hole, home, slot int) bool {
	if hole < slot {
		return hole < home && home <= slot
	}
	return hole < home || home <= slot
}

// stride is the distance between two slots that each visits in succession. If digests were
// added to a growing set in the order of their slots, they would cluster at its beginning,
// and each would have to be probed past all before it.
const stride = 64

// each calls f with pieces of up to 65,536 digests, 16 bytes each, in an order in which
// they can be added to another set without many probes.
func (m *set) each(f func(digests []byte) error) error {
	piece := make([]byte, 0, 65536*digestSize)
	if m.hasZero {
		piece = append(piece, make([]byte, digestSize)...)
	}
	for d := range m.members() {
		piece = append(piece, d[:]...)
		if len(piece) < cap(piece) {
			continue
		}
		if err := f(piece); err != nil {
			return err
		}
		piece = piece[:0]
	}
	if len(piece) == 0 {
		return nil
	}
	return f(piece)
}

// members yields the digests in all slots.
func (m *set) members() func(yield func(hashing.Digest) bool) {
	return func(yield func(hashing.Digest) bool) {
		for i := range m.shards {
			if !m.shards[i].each(yield) {
				return
			}
		}
	}
}

func (s *shard) each(yield func(hashing.Digest) bool) bool {
	for first := range min(stride, len(s.slots)) {
		for slot := first; slot < len(s.slots); slot += stride {
			if d := s.slots[slot]; d != (hashing.Digest{}) && !yield(d) {
				return false
			}
		}
	}
	return true
}
