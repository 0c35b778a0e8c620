package pipeline

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"

	"usher"
	"usher/hashing"
)

// windowRows is how many rows of a part a window has.
const windowRows = usher.WindowRows

// firstSlots is how many slots a window begins with, where it is not used again.
const firstSlots = 1 << 10

// window is the set of digests of the current window: open addressing with a tag
// beside each slot, 17 bytes together and at most 17 of 20 taken: 20 bytes a row,
// 20 MiB for 2^20. A digest that is new, as most are, is found to be so in the
// tags, which fit a cache; its slot is only written, which nobody waits for.
// Digests may come from a stranger, so where they lie depends on a seed that
// nobody knows.
type window struct {
	slots  []hashing.Digest
	tags   []byte // of the slots; 0: free
	most   int    // slots at full size
	count  int    // of slots taken
	lo, hi uint64 // the seed
	hashes [together]uint64
	read   byte // so that reads ahead are not optimised away
}

// together is how many digests are looked up at once, so that the waits for
// memory overlap.
const together = 64

func newWindow(rows int64) *window {
	w := &window{
		most: int(rows*20/17) + together,
		lo:   rand.Uint64(), hi: rand.Uint64(), //nolint:gosec // ChaCha8, seeded by the system
	}
	w.resize(firstSlots)
	return w
}

func (w *window) resize(slots int) {
	slots = min(slots, w.most)
	w.slots, w.tags, w.count = make([]hashing.Digest, slots), make([]byte, slots), 0
}

// clear forgets all digests and keeps the memory.
func (w *window) clear() {
	if w.count > 0 {
		clear(w.tags)
	}
	w.count = 0
}

// fresh moves the digests that are new to the window to the front, their rows
// with them, and returns how many they are.
func (w *window) fresh(digests []hashing.Digest, rows []int32) (n int) {
	for at := 0; at < len(digests); at += together {
		some := digests[at:min(at+together, len(digests))]
		for (w.count+len(some))*20 > len(w.slots)*17 && len(w.slots) < w.most {
			w.grow()
		}
		w.look(some)
		for i := range some {
			if w.insert(&some[i], w.hashes[i]) {
				digests[n], rows[n] = some[i], rows[at+i]
				n++
			}
		}
	}
	return n
}

// look computes where the digests lie and reads their tags, none waiting for
// another.
func (w *window) look(digests []hashing.Digest) {
	var read byte
	for i := range digests {
		h := w.hash(&digests[i])
		w.hashes[i] = h
		read |= w.tags[w.place(h)]
	}
	w.read = read
}

func (w *window) hash(d *hashing.Digest) uint64 {
	a, b := bits.Mul64(binary.LittleEndian.Uint64(d[:8])^w.lo, binary.LittleEndian.Uint64(d[8:])^w.hi)
	return (a ^ b) * 0x9e3779b97f4a7c15
}

// place is the first slot that a digest with hash h may lie in: by its high bits,
// as its tag is by its low ones.
func (w *window) place(h uint64) int {
	slot, _ := bits.Mul64(h, uint64(len(w.tags)))
	return int(slot)
}

// insert is true where d, whose hash is h, was not there yet. There is always a
// free slot.
func (w *window) insert(d *hashing.Digest, h uint64) bool {
	tag := byte(h) | 1
	for at := w.place(h); ; {
		switch w.tags[at] {
		case 0:
			w.tags[at], w.slots[at] = tag, *d
			w.count++
			return true
		case tag:
			if w.slots[at] == *d {
				return false
			}
		}
		if at++; at == len(w.tags) {
			at = 0
		}
	}
}

// grow makes four times the room, or the full size where that would be more than
// half of it: the old room is garbage, which counts until it is collected.
func (w *window) grow() {
	slots, tags := w.slots, w.tags
	room := 4 * len(slots)
	if 2*room > w.most {
		room = w.most
	}
	w.resize(room)
	for i, tag := range tags {
		if tag != 0 {
			w.insert(&slots[i], w.hash(&slots[i]))
		}
	}
}
