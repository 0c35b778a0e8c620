package hashing

import (
	"encoding/binary"
	"errors"
	"slices"
)

// Digest is an MD5 digest.
type Digest [16]byte

// HexLen is the length of a digest in hex.
const HexLen = 32

// AppendHex appends the 32 lower-case hex characters of the digest.
func (d *Digest) AppendHex(dst []byte) []byte {
	var text [HexLen]byte
	d.hex(&text)
	return append(dst, text[:]...)
}

// String returns the digest in lower-case hex, the form that the platform takes.
func (d Digest) String() string { return string(d.AppendHex(nil)) }

// hex writes the digest in hex, eight characters a step.
func (d *Digest) hex(dst *[HexLen]byte) {
	for i := range 4 {
		nibbles := splitNibbles(binary.LittleEndian.Uint32(d[4*i:]))
		binary.LittleEndian.PutUint64(dst[8*i:], hexOf(nibbles))
	}
}

// parse reads 32 hex characters of any case. It returns false if a character is not
// hex; the digest is then undefined.
func (d *Digest) parse(text *[HexLen]byte) bool {
	var wrong uint64
	for i := range 4 {
		nibbles, bad := unhex(binary.LittleEndian.Uint64(text[8*i:]))
		wrong |= bad
		binary.LittleEndian.PutUint32(d[4*i:], joinNibbles(nibbles))
	}
	return wrong == 0
}

// Join appends the digests in lower-case hex with commas between them: 33 bytes for
// each digest, less one. It allocates only if dst has no room.
func Join(dst []byte, digests []Digest) []byte { return fastest.join(dst, digests) }

func (k *kernel) join(dst []byte, digests []Digest) []byte {
	if len(digests) == 0 {
		return dst
	}
	last := len(digests) - 1
	dst = slices.Grow(dst, len(digests)*(HexLen+1)-1)
	return digests[last].AppendHex(k.appendHex(dst, digests[:last], ','))
}

// appendHex appends the digests in lower-case hex, each followed by a separator.
func (k *kernel) appendHex(dst []byte, digests []Digest, separator byte) []byte {
	at := len(dst)
	dst = slices.Grow(dst, len(digests)*(HexLen+1))
	dst = dst[:at+len(digests)*(HexLen+1)]
	text := dst[at:]
	n := k.encode(text, digests, separator)
	encodeEach(text[n*(HexLen+1):], digests[n:], separator)
	return dst
}

// ErrNoDigest means that a list has an entry that is not an MD5 digest.
var ErrNoDigest = errors.New("not an MD5 digest: 32 hex characters are expected, separated by commas or new lines")

// ParseDigests appends the digests of a list in hex of any case. Any number of commas,
// spaces, tabs and line endings may separate the entries. It returns the length of what
// it used: all of src if last is set, otherwise src up to an entry that may be
// incomplete. If it returns ErrNoDigest, used is the position of the wrong entry.
func ParseDigests(dst []Digest, src []byte, last bool) (_ []Digest, used int, err error) {
	return fastest.parseDigests(dst, src, last)
}

func (k *kernel) parseDigests(dst []Digest, src []byte, last bool) (_ []Digest, used int, err error) {
	for used < len(src) {
		if isSeparator(src[used]) {
			used++
			continue
		}
		rest := src[used:]
		if len(rest) <= HexLen && !last {
			if slices.ContainsFunc(rest, isSeparator) {
				return dst, used, ErrNoDigest
			}
			return dst, used, nil
		}
		var n int
		if dst, n = k.parseEntries(dst, rest); n == 0 {
			return dst, used, ErrNoDigest
		}
		used += n
	}
	return dst, used, nil
}

// parseEntries appends the first digests of text, at least one, and returns their
// length. The length is 0 if text does not begin with a digest.
func (k *kernel) parseEntries(dst []Digest, text []byte) (_ []Digest, used int) {
	switch {
	case len(text) < HexLen:
		return dst, 0
	case len(text) > HexLen:
		if !isSeparator(text[HexLen]) {
			return dst, 0
		}
		if dst, used = k.parseRun(dst, text); used > 0 {
			return dst, used
		}
	}
	var d Digest
	if !d.parse((*[HexLen]byte)(text)) {
		return dst, 0
	}
	return append(dst, d), HexLen
}

// parseRun appends the digests that text begins with, as long as the same separator of
// one or two characters follows each. It returns their length with the separators.
func (k *kernel) parseRun(dst []Digest, text []byte) (_ []Digest, used int) {
	separator := text[HexLen : HexLen+1]
	if len(text) > HexLen+1 && isSeparator(text[HexLen+1]) {
		separator = text[HexLen : HexLen+2]
	}
	stride, at := HexLen+len(separator), len(dst)
	dst = slices.Grow(dst, len(text)/stride)
	n := k.parse(dst[at:cap(dst)], text, separator)
	return dst[:at+n], n * stride
}

// ParseJoined reads digests in hex of any case, each followed by one comma, until dst
// is full or an entry has another form. It returns the number of digests, for each of
// which it used 33 bytes of src.
func ParseJoined(dst []Digest, src []byte) int { return fastest.parseJoined(dst, src) }

func (k *kernel) parseJoined(dst []Digest, src []byte) int {
	if len(src) <= HexLen || src[HexLen] != ',' {
		return 0
	}
	comma := src[HexLen : HexLen+1]
	n := k.parse(dst, src, comma)
	return n + parseEach(dst[n:], src[n*(HexLen+1):], comma)
}

func isSeparator(c byte) bool {
	return c == ',' || c == '\n' || c == '\r' || c == ' ' || c == '\t'
}
