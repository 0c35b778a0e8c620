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

// AppendHex appends the digest's 32 lower-case hex characters.
func (d *Digest) AppendHex(dst []byte) []byte {
	var text [HexLen]byte
	d.hex(&text)
	return append(dst, text[:]...)
}

// String is the digest in lower-case hex, as the platform takes it.
func (d Digest) String() string { return string(d.AppendHex(nil)) }

// Join appends the digests in lower-case hex, joined by commas, without one at
// either end: 33 bytes a digest less one. It allocates only where dst has no
// room.
func Join(dst []byte, digests []Digest) []byte {
	for i := range digests {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = digests[i].AppendHex(dst)
	}
	return dst
}

// hex writes the digest, eight characters a step.
func (d *Digest) hex(dst *[HexLen]byte) {
	for i := range 4 {
		word := spread(binary.LittleEndian.Uint32(d[4*i:]))
		binary.LittleEndian.PutUint64(dst[8*i:], hexOf(word))
	}
}

// spread puts the eight nibbles of four bytes into a byte each, in the order in
// which hex writes them.
func spread(four uint32) uint64 {
	x := uint64(four)
	x = (x | x<<16) & 0x0000ffff0000ffff
	x = (x | x<<8) & 0x00ff00ff00ff00ff
	return (x>>4 | x<<8) & 0x0f0f0f0f0f0f0f0f
}

// hexOf turns eight nibbles, a byte each, into lower-case hex.
func hexOf(nibbles uint64) uint64 {
	letters := (nibbles + 6*ones) >> 4 & ones // 1 where a nibble is over 9
	return nibbles + '0'*ones + letters*('a'-'0'-10)
}

// ErrNoDigest says that a list holds something that is no MD5 digest.
var ErrNoDigest = errors.New("not an MD5 digest: 32 hex characters are expected, separated by commas or new lines")

// ParseDigests appends the digests of a list in hex of any case, separated by
// commas, spaces or line ends in any number. It returns how much of src it
// used: all of it when last is set, else up to the last separator. On
// ErrNoDigest, used is where the wrong entry begins.
func ParseDigests(dst []Digest, src []byte, last bool) (_ []Digest, used int, err error) {
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
		if len(rest) < HexLen || (len(rest) > HexLen && !isSeparator(rest[HexLen])) {
			return dst, used, ErrNoDigest
		}
		var d Digest
		if !d.parse((*[HexLen]byte)(rest)) {
			return dst, used, ErrNoDigest
		}
		dst = append(dst, d)
		used += HexLen
	}
	return dst, used, nil
}

func isSeparator(c byte) bool {
	return c == ',' || c == '\n' || c == '\r' || c == ' ' || c == '\t'
}

// parse reads 32 hex characters of any case; false where one is none.
func (d *Digest) parse(text *[HexLen]byte) bool {
	var bad uint64
	for i := range 4 {
		nibbles, wrong := unhex(binary.LittleEndian.Uint64(text[8*i:]))
		bad |= wrong
		binary.LittleEndian.PutUint32(d[4*i:], gather(nibbles))
	}
	return bad == 0
}

// gather is spread backwards.
func gather(nibbles uint64) uint32 {
	x := (nibbles<<4 | nibbles>>8) & 0x00ff00ff00ff00ff
	x = (x | x>>8) & 0x0000ffff0000ffff
	return uint32(x | x>>16)
}
