package hashing

// SumPair hashes two messages of at most 55 bytes by the kernel.
func SumPair(x, y []byte) (dx, dy Digest) {
	var bx, by block
	bx.set(x)
	by.set(y)
	sumPair(&bx, &by, &dx, &dy)
	return dx, dy
}

// Kernel is a kernel that this processor can run.
type Kernel struct{ k *kernel }

// Kernels are all of them, the one that is used first.
func Kernels() []Kernel {
	var all []Kernel
	for _, k := range kernels() {
		all = append(all, Kernel{&k})
	}
	return all
}

func (k Kernel) String() string { return k.k.name }

// Use has h work by the kernel.
func (k Kernel) Use(h *Hasher) { h.kernel = k.k }

// Words are messages to be hashed.
type Words = words

// Set writes an id, as a hasher by profile would, into a lane.
func (h *Hasher) Set(w *Words, lane int, id string) {
	var b block
	h.canonical(&b, []byte(id))
	w.set(h.shape(), lane, &b)
}

// Sum hashes the messages in the first lanes.
func (k Kernel) Sum(h *Hasher, w *Words, lanes int, to []Digest) { k.k.sum(h.shape(), w, lanes, to) }

// Lanes is how many messages are best gathered for Sum.
func (k Kernel) Lanes() int { return k.k.lanes }

// RoundUp is how many digests Sum writes.
func (k Kernel) RoundUp(n int) int { return k.k.roundUp(n) }

// Join is hashing.Join by the kernel.
func (k Kernel) Join(dst []byte, digests []Digest) []byte { return k.k.join(dst, digests) }

// ParseJoined is hashing.ParseJoined by the kernel.
func (k Kernel) ParseJoined(digests []Digest, text []byte) int { return k.k.parseJoined(digests, text) }

// ParseDigests is hashing.ParseDigests by the kernel.
func (k Kernel) ParseDigests(dst []Digest, src []byte, last bool) ([]Digest, int, error) {
	return k.k.parseDigests(dst, src, last)
}

// Chosen is the name of the kernel that h works by.
func Chosen(h *Hasher) string { return h.kernel.name }

// Loads reports whether the kernel loads sixteen lines of UUIDs at once.
func (k Kernel) Loads() bool { return k.k.load != nil }

// LoadsShort reports whether the kernel does so with ANDROID_IDs.
func (k Kernel) LoadsShort() bool { return k.k.loadShort != nil }

// Load loads groups of sixteen lines of UUIDs with the given end and returns how
// many lines are clean, up to the first that is not.
func (k Kernel) Load(h *Hasher, text []byte, end string, sixteens int) int {
	return k.k.load(&h.forms[len(end)-1], h.shape(), text, h.lanes, 0, sixteens)
}

// LoadAt loads groups of sixteen lines of UUIDs with the given end, all of one
// length, and returns which lines of each group are clean; nil if the kernel cannot.
func (k Kernel) LoadAt(h *Hasher, text []byte, end string, sixteens int) []uint16 {
	if k.k.loadAt == nil {
		return nil
	}
	var starts [Lanes + 1]uint32
	f := &h.forms[len(end)-1]
	for i := range starts {
		starts[i] = uint32(i * f.stride)
	}
	k.k.loadAt(f, h.shape(), text, starts[:], &h.lanes.stage, sixteens)
	return h.lanes.stage.clean[:sixteens]
}

// Place writes a UUID into a lane and returns whether it is one that the kernel may
// take; ok is false where it cannot.
func (k Kernel) Place(h *Hasher, id string, w *Words, lane int) (taken, ok bool) {
	if k.k.place == nil {
		return false, false
	}
	return k.k.place(&h.forms[0], h.shape(), []byte(id), w, lane), true
}

// LoadShort loads the first sixteen lines of ANDROID_IDs and returns how many are
// clean; -1 where it does not find so many.
func (k Kernel) LoadShort(h *Hasher, text []byte) int {
	h.lanes.lines.forget()
	if !h.lanes.lines.find(k.k, text, true, 16) {
		return -1
	}
	return k.k.loadShort(&h.forms[0], text, h.lanes.lines.starts[:], h.lanes.lines.end, h.lanes, 0)
}
