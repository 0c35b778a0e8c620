package hashing

import (
	"bytes"
	"encoding/binary"
)

//go:generate go -C asm run . -out ../kernels_amd64.s -stubs ../kernels_amd64.go -pkg hashing

// kernel is one way to do the work of the hot path. All come to the same; which
// one is used is a matter of what the processor can do.
type kernel struct {
	name string

	// sum hashes the messages of shape s in the first n lanes of w into to,
	// which has room for roundUp(n): what lies behind n there is overwritten.
	sum func(s shape, w *words, n int, to []Digest)

	// together is how many messages sum hashes at once, and lanes how many are best
	// gathered before: a multiple of it, at most Lanes.
	together, lanes int

	// load loads UUIDs, lines of form f, into the free lanes, sixteen at a time,
	// the first of which is of the given row. It returns how many, from the
	// first on, are clean: what it wrote to the lanes behind them is junk. It
	// loads at most so many sixteens. Nil: it cannot.
	load func(f *form, s shape, text []byte, l *lanes, row, sixteens int) int

	// loadAt stages so many sixteens of lines of UUIDs, of which starts has the
	// beginnings, and says which are clean. Nil: it cannot.
	loadAt func(f *form, s shape, text []byte, starts []uint32, to *stage, sixteens int)

	// place writes a UUID of 36 characters, or of 32 without hyphens, into a lane. It
	// returns whether it is one and its first four characters are not the same.
	place func(f *form, s shape, id []byte, to *words, lane int) bool

	// keep puts those staged messages that are clean into the free lanes, from the
	// i-th of so many sixteens on, until there are Lanes, and numbers them from the
	// given row on. It returns how many sixteens are left, and the row behind.
	keep func(l *lanes, i, sixteens, row int) (left, behind int)

	// index finds where lines begin in whole blocks of 64 characters of text,
	// until it has at least 128 of them or, if they must be alike, one does not
	// end as crlf says. It writes them behind starts[0], where text begins, and
	// returns how many. Nil: it cannot.
	index func(text []byte, starts []uint32, alike, crlf bool) int

	// loadShort loads sixteen lines of ANDROID_IDs of which starts has the
	// beginnings into the lanes, as load does. end is the length of their ends.
	loadShort func(f *form, text []byte, starts []uint32, end int, l *lanes, row int) int

	// hex writes digests in hex with a separator behind each: 33 bytes a digest
	// into text. It may do only the first of them and returns how many.
	hex func(text []byte, digests []Digest, separator byte) int

	// parse reads the first of a list's digests, as many as it can: 32 hex
	// characters of any case with the separator, of one byte or two, behind
	// each. It returns how many; there may be more.
	parse func(digests []Digest, text, separator []byte) int
}

// roundUp is how many digests are written where n are wanted.
func (k *kernel) roundUp(n int) int { return (n + k.together - 1) / k.together * k.together }

// shape is a kind of message.
type shape uint8

const (
	hyphened shape = iota // a UUID of 36 characters: words 0 to 8 differ
	bare                  // a UUID without hyphens, 32 characters: words 0 to 7
	short                 // an ANDROID_ID of 1 to 16 characters: words 0 to 4, and 14 with its length
)

// Lanes is how many messages are gathered at most before they are hashed. Outs for
// a multiple of it are filled best.
const Lanes = 128

// words are messages of one MD5 block each, a word a row: words[w][l] is word w
// of the message in lane l. There is room behind the lanes, because a kernel
// loads sixteen lines at a time. What is the same in all messages of a shape is
// not in them.
type words [15][Lanes + 16]uint32

// set writes a padded message into lane l.
func (w *words) set(s shape, l int, b *block) {
	switch s {
	case hyphened:
		for i := range 9 {
			w[i][l] = b.word(i)
		}
	case bare:
		for i := range 8 {
			w[i][l] = b.word(i)
		}
	case short:
		for i := range 5 {
			w[i][l] = b.word(i)
		}
		w[14][l] = b.word(14)
	}
}

// message is set backwards.
func (w *words) message(s shape, l int) (b block) {
	n := 4
	switch s {
	case hyphened:
		n = 8
		b.pad(36)
	case bare:
		n = 7
		b.pad(32)
	case short:
		binary.LittleEndian.PutUint32(b[56:], w[14][l])
	}
	for i := range n + 1 {
		binary.LittleEndian.PutUint32(b[4*i:], w[i][l])
	}
	return b
}

// portable is the kernel in pure Go, to which all others are held.
var portable = kernel{name: "go", sum: sumPairs, together: 2, lanes: Lanes, hex: hexEach, parse: parseEach}

func sumPairs(s shape, w *words, n int, to []Digest) {
	for l := 0; l < n; l += 2 {
		x, y := w.message(s, l), w.message(s, l+1)
		sumPair(&x, &y, &to[l], &to[l+1])
	}
}

func hexEach(text []byte, digests []Digest, separator byte) int {
	for i := range digests {
		digests[i].hex((*[HexLen]byte)(text[i*(HexLen+1):]))
		text[i*(HexLen+1)+HexLen] = separator
	}
	return len(digests)
}

func parseEach(digests []Digest, text, separator []byte) int {
	stride := HexLen + len(separator)
	for i := range digests {
		if len(text) < stride || !bytes.Equal(text[HexLen:stride], separator) || !digests[i].parse((*[HexLen]byte)(text)) {
			return i
		}
		text = text[stride:]
	}
	return len(digests)
}
