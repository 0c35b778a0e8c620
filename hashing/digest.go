package hashing

import "encoding/binary"

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
