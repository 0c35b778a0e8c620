package sandbox

import (
	"encoding/binary"
	"encoding/hex"
	"math/bits"

	"usher/hashing"
)

// digest is an MD5.
type digest [16]byte

// Fingerprint tells two sets of digests apart without holding either, so that
// an independent program can check a set: Sum is the sum of the digests as
// 128-bit big-endian numbers modulo 2^128, Xor their bitwise exclusive or; both
// are 32 hex characters.
type Fingerprint struct {
	Count int64
	Sum   digest
	Xor   digest
}

// add counts d in.
func (f *Fingerprint) add(d digest) {
	high, low := f.Sum.words()
	dHigh, dLow := d.words()
	low, carry := bits.Add64(low, dLow, 0)
	high, _ = bits.Add64(high, dHigh, carry)
	f.Sum.set(high, low)
	f.flip(d)
	f.Count++
}

// addAll counts digests in, much faster than one by one.
func (f *Fingerprint) addAll(digests []hashing.Digest) {
	high, low := f.Sum.words()
	xorHigh, xorLow := f.Xor.words()
	for i := range digests {
		dHigh, dLow := (*digest)(&digests[i]).words()
		var carry uint64
		low, carry = bits.Add64(low, dLow, 0)
		high, _ = bits.Add64(high, dHigh, carry)
		xorHigh ^= dHigh
		xorLow ^= dLow
	}
	f.Sum.set(high, low)
	f.Xor.set(xorHigh, xorLow)
	f.Count += int64(len(digests))
}

// remove counts d out.
func (f *Fingerprint) remove(d digest) {
	high, low := f.Sum.words()
	dHigh, dLow := d.words()
	low, borrow := bits.Sub64(low, dLow, 0)
	high, _ = bits.Sub64(high, dHigh, borrow)
	f.Sum.set(high, low)
	f.flip(d)
	f.Count--
}

func (f *Fingerprint) flip(d digest) {
	high, low := f.Xor.words()
	dHigh, dLow := d.words()
	f.Xor.set(high^dHigh, low^dLow)
}

// shown is the fingerprint as JSON shows it.
func (f Fingerprint) shown() shownFingerprint {
	return shownFingerprint{Count: f.Count, Sum: hex.EncodeToString(f.Sum[:]), Xor: hex.EncodeToString(f.Xor[:])}
}

type shownFingerprint struct {
	Count int64  `json:"count"`
	Sum   string `json:"sum"`
	Xor   string `json:"xor"`
}

func (d *digest) words() (high, low uint64) {
	return binary.BigEndian.Uint64(d[:8]), binary.BigEndian.Uint64(d[8:])
}

func (d *digest) set(high, low uint64) {
	binary.BigEndian.PutUint64(d[:8], high)
	binary.BigEndian.PutUint64(d[8:], low)
}

// members is a set of digests: open addressing with linear probing in shards
// that grow one at a time by a fifth, so that it takes 19 to 23 bytes a digest
// when it is large, and no more than that while it grows.
type members struct {
	Fingerprint
	printOnly bool // the fingerprint is all there is; see fingerprint.go

	zero   bool // whether the digest of zeros is in: in a slot zeros mean empty
	shards [shardCount]shard
}

const shardCount = 64

type shard struct {
	slots []digest
	used  int
}

// place mixes d: its bytes may come from a test and be in order. The top bits
// choose the shard, the rest the slot.
func place(d digest) (shardIndex int, mixed uint64) {
	high, low := d.words()
	a, b := bits.Mul64(high^0x9e3779b97f4a7c15, low^0xbf58476d1ce4e5b9)
	mixed = (a ^ b) * 0x94d049bb133111eb
	return int(mixed >> 58), mixed << 6
}

// home is where mixed would like to lie. It grows with mixed, which remove
// relies on.
func (s *shard) home(mixed uint64) int {
	slot, _ := bits.Mul64(mixed, uint64(len(s.slots)))
	return int(slot)
}

// find returns the slot that holds d, or the empty one where it belongs.
func (s *shard) find(d digest, mixed uint64) (slot int, found bool) {
	for slot = s.home(mixed); ; slot = s.after(slot) {
		switch s.slots[slot] {
		case d:
			return slot, true
		case digest{}:
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

func (m *members) contains(d digest) bool {
	if d == (digest{}) {
		return m.zero
	}
	index, mixed := place(d)
	s := &m.shards[index]
	if s.used == 0 {
		return false
	}
	_, found := s.find(d, mixed)
	return found
}

// add puts d in and reports whether it is new.
func (m *members) add(d digest) bool {
	if m.printOnly {
		m.Fingerprint.add(d)
		return true
	}
	if d == (digest{}) {
		if m.zero {
			return false
		}
		m.zero = true
		m.Fingerprint.add(d)
		return true
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
	m.Fingerprint.add(d)
	return true
}

func (s *shard) grow() {
	old := s.slots
	s.slots = make([]digest, max(8, len(old)*6/5+1))
	for _, d := range old {
		if d == (digest{}) {
			continue
		}
		_, mixed := place(d)
		slot, _ := s.find(d, mixed)
		s.slots[slot] = d
	}
}

// remove takes d out and reports whether it was in.
func (m *members) remove(d digest) bool {
	if m.printOnly {
		m.Fingerprint.remove(d)
		return true
	}
	if d == (digest{}) {
		if !m.zero {
			return false
		}
		m.zero = false
		m.Fingerprint.remove(d)
		return true
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
	s.close(slot)
	s.used--
	m.Fingerprint.remove(d)
	return true
}

// close empties a slot and moves up what lies behind it as far as its home
// allows, so that no probe is cut short.
func (s *shard) close(hole int) {
	for slot := s.after(hole); s.slots[slot] != (digest{}); slot = s.after(slot) {
		_, mixed := place(s.slots[slot])
		home := s.home(mixed)
		if between(hole, home, slot) {
			continue
		}
		s.slots[hole] = s.slots[slot]
		hole = slot
	}
	s.slots[hole] = digest{}
}

// between reports whether home lies in (hole, slot], going round the end.
func between(hole, home, slot int) bool {
	if hole < slot {
		return hole < home && home <= slot
	}
	return hole < home || home <= slot
}

// stride is how far apart the slots lie that each visits one after the other.
// Put back in the order of their slots, digests would all crowd at the beginning
// of a set that still grows, and every one would be probed past all before it.
const stride = 64

// each calls f with pieces of up to 65,536 of the digests, 16 bytes each, in an
// order in which they can be added to another set.
func (m *members) each(f func(digests []byte) error) error {
	piece := make([]byte, 0, 65536*16)
	if m.zero {
		piece = append(piece, make([]byte, 16)...)
	}
	for i := range m.shards {
		slots := m.shards[i].slots
		for first := range min(stride, len(slots)) {
			for slot := first; slot < len(slots); slot += stride {
				d := slots[slot]
				if d == (digest{}) {
					continue
				}
				if piece = append(piece, d[:]...); len(piece) == cap(piece) {
					if err := f(piece); err != nil {
						return err
					}
					piece = piece[:0]
				}
			}
		}
	}
	if len(piece) == 0 {
		return nil
	}
	return f(piece)
}
