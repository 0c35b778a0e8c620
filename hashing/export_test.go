package hashing

// SumPair hashes two messages of at most 55 bytes with the portable kernel.
func SumPair(x, y []byte) (dx, dy Digest) {
	var bx, by block
	bx.set(x)
	by.set(y)
	sumPair(&bx, &by, &dx, &dy)
	return dx, dy
}

// Kernel is a kernel that this processor can run.
type Kernel struct{ k *kernel }

// Kernels returns all of them, the one in use first and the portable one last.
func Kernels() []Kernel {
	var all []Kernel
	for _, k := range kernels() {
		all = append(all, Kernel{&k})
	}
	return all
}

func (k Kernel) String() string { return k.k.name }

// Use makes h use the kernel.
func (k Kernel) Use(h *Hasher) { h.kernel = k.k }

// Chosen returns the name of the kernel that h uses.
func Chosen(h *Hasher) string { return h.kernel.name }

// Messages are messages to be hashed.
type Messages = messages

// Set writes the message of an id into a lane.
func (h *Hasher) Set(m *Messages, lane int, id string) {
	var b block
	h.canonical(&b, []byte(id))
	m.set(h.layout(), lane, &b)
}

// Sum hashes the messages in the first lanes.
func (k Kernel) Sum(h *Hasher, m *Messages, lanes int, to []Digest) {
	k.k.sum(h.layout(), m, lanes, to)
}

// Lanes returns how many messages to collect for Sum.
func (k Kernel) Lanes() int { return k.k.lanes }

// RoundUp returns how many digests Sum may write.
func (k Kernel) RoundUp(n int) int { return k.k.roundUp(n) }

// Join is hashing.Join with the kernel.
func (k Kernel) Join(dst []byte, digests []Digest) []byte { return k.k.join(dst, digests) }

// ParseJoined is hashing.ParseJoined with the kernel.
func (k Kernel) ParseJoined(digests []Digest, text []byte) int { return k.k.parseJoined(digests, text) }

// ParseDigests is hashing.ParseDigests with the kernel.
func (k Kernel) ParseDigests(dst []Digest, src []byte, last bool) ([]Digest, int, error) {
	return k.k.parseDigests(dst, src, last)
}

// LoadsUUIDs reports whether the kernel loads sixteen lines of UUIDs at once.
func (k Kernel) LoadsUUIDs() bool { return k.k.loadUUIDs != nil }

// LoadUUIDs loads groups of sixteen lines of UUIDs with the given ending and returns how
// many lines are clean, up to the first that is not.
func (k Kernel) LoadUUIDs(h *Hasher, text []byte, ending string, groups int) int {
	return k.k.loadUUIDs(&h.forms[len(ending)-1], h.layout(), text, h.lanes, 0, groups)
}

// SingleLines is hashing.SingleLines with the kernel.
func (k Kernel) SingleLines(text []byte) (size, lines int) { return k.k.singleLines(text) }
