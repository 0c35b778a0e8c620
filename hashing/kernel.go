package hashing

//go:generate go -C asm run . -out ../kernels_amd64.s -stubs ../kernels_amd64.go -pkg hashing

// kernel is an implementation of the operations of the hot path. All kernels have the
// same results; which one is used depends on the features of the processor.
//
// A kernel loads lines in groups of sixteen. It may read the first 40 bytes (lineReach)
// of each line that it loads.
type kernel struct {
	name string

	// sum hashes the messages in the first n lanes of m into to, which must have room
	// for roundUp(n) digests. The digests after the first n are undefined.
	sum func(layout layout, m *messages, n int, to []Digest)

	// batch is the number of messages that sum hashes at once. lanes is the number of
	// messages to collect before a call of sum: a multiple of batch, at most Lanes.
	batch, lanes int

	// loadUUIDs loads at most the given number of groups of lines of UUIDs, all of form
	// f, into the free lanes and numbers them from row. It returns how many lines are
	// clean, up to the first that is not; lanes after those are undefined. Nil if the
	// kernel has no such operation.
	loadUUIDs func(f *form, layout layout, text []byte, l *lanes, row, groups int) int

	// encode writes digests in hex, each followed by a separator: 33 bytes for each.
	// It may write only the first of them and returns how many.
	encode func(text []byte, digests []Digest, separator byte) int

	// passSingles returns the size of a beginning of text that has no separator of lists
	// and no CR without LF, except perhaps as its last character, and the number of its
	// line feeds. It may stop up to passReach characters before the first of these, or
	// before the end.
	passSingles func(text []byte) (size, lines int)

	// parse reads 32 hex characters of any case for each digest, followed by the
	// separator of one or two bytes. It stops at an entry of another form, and may stop
	// earlier. It returns how many digests it read.
	parse func(digests []Digest, text, separator []byte) int
}

// roundUp returns how many digests sum may write for n messages.
func (k *kernel) roundUp(n int) int { return (n + k.batch - 1) / k.batch * k.batch }
