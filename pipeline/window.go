package pipeline

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"

	"usher/hashing"
)

// windowRows is how many rows of a part a window has.
const windowRows = 1 << 20

// firstSlots is how many slots a window begins with, where it is not used again.
const firstSlots = 1 << 10

// window is the set of digests of the current window: open addressing, 16 bytes
// a slot, at most four fifths full, so 20 MiB for 2^20 digests. A slot of zeros
// is free; the zero digest is remembered apart. Digests may come from a stranger,
// so where they lie depends on a seed that nobody knows.
type window struct {
	slots    []hashing.Digest
	most     int // slots at full size
	count    int // of slots taken
	zero     bool
	lo, hi   uint64   // the seed
	taken    []uint32 // the slots taken, as long as they are few
	position [ahead]uint32
	read     byte // so that reads ahead are not optimised away
}

// ahead is how many digests are looked up at once, so that the waits for memory
// overlap; few is how many slots are cleared one by one.
const (
	ahead = 64
	few   = 4096
)

func newWindow(rows int64) *window {
	most := int(rows + rows/4 + 1)
	return &window{
		slots: make([]hashing.Digest, min(firstSlots, most)), most: most,
		lo: rand.Uint64(), hi: rand.Uint64(), //nolint:gosec // the top-level functions are ChaCha8, seeded by the system
		taken: make([]uint32, 0, few),
	}
}

// clear forgets all digests and keeps the memory.
func (w *window) clear() {
	if w.count <= len(w.taken) {
		for _, i := range w.taken {
			w.slots[i] = hashing.Digest{}
		}
	} else {
		clear(w.slots)
	}
	w.taken, w.count, w.zero = w.taken[:0], 0, false
}

// fresh moves the digests that are new to the window to the front, their rows
// with them, and returns how many they are.
func (w *window) fresh(digests []hashing.Digest, rows []int32) (n int) {
	for at := 0; at < len(digests); at += ahead {
		some := digests[at:min(at+ahead, len(digests))]
		if (w.count+len(some))*5 > len(w.slots)*4 && len(w.slots) < w.most {
			w.grow()
		}
		w.touch(some)
		for i := range some {
			if w.insert(&some[i], w.position[i]) {
				digests[n], rows[n] = some[i], rows[at+i]
				n++
			}
		}
	}
	return n
}

// touch computes where the digests lie and reads there, none waiting for another.
func (w *window) touch(digests []hashing.Digest) {
	var sum byte
	for i := range digests {
		p := w.place(&digests[i])
		w.position[i] = p
		sum |= w.slots[p][0]
	}
	w.read = sum
}

// place is the first slot that d may lie in.
func (w *window) place(d *hashing.Digest) uint32 {
	a, b := bits.Mul64(binary.LittleEndian.Uint64(d[:8])^w.lo, binary.LittleEndian.Uint64(d[8:])^w.hi)
	slot, _ := bits.Mul64((a^b)*0x9e3779b97f4a7c15, uint64(len(w.slots)))
	return uint32(slot)
}

// insert is true where d was not there yet.
func (w *window) insert(d *hashing.Digest, at uint32) bool {
	var free hashing.Digest
	if *d == free {
		was := w.zero
		w.zero = true
		return !was
	}
	for w.slots[at] != free {
		if w.slots[at] == *d {
			return false
		}
		if at++; int(at) == len(w.slots) {
			at = 0
		}
	}
	w.slots[at] = *d
	if w.count < cap(w.taken) {
		w.taken = append(w.taken, at)
	}
	w.count++
	return true
}

// grow makes four times the room, at most the full size.
func (w *window) grow() {
	old := w.slots
	w.slots = make([]hashing.Digest, min(4*len(old), w.most))
	w.count, w.taken = 0, w.taken[:0]
	for i := range old {
		if old[i] != (hashing.Digest{}) {
			w.insert(&old[i], w.place(&old[i]))
		}
	}
}
