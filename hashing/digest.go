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
func Join(dst []byte, digests []Digest) []byte { return fastest.join(dst, digests) }

func (k *kernel) join(dst []byte, digests []Digest) []byte {
	if len(digests) == 0 {
		return dst
	}
	last := len(digests) - 1
	dst = slices.Grow(dst, len(digests)*(HexLen+1)-1)
	return digests[last].AppendHex(k.appendHex(dst, digests[:last], ','))
}

// appendHex appends the digests in lower-case hex with a separator behind each.
func (k *kernel) appendHex(dst []byte, digests []Digest, separator byte) []byte {
	at := len(dst)
	dst = slices.Grow(dst, len(digests)*(HexLen+1))
	dst = dst[:at+len(digests)*(HexLen+1)]
	text := dst[at:]
	n := k.hex(text, digests, separator)
	hexEach(text[n*(HexLen+1):], digests[n:], separator)
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
		if len(rest) < HexLen || (len(rest) > HexLen && !isSeparator(rest[HexLen])) {
			return dst, used, ErrNoDigest
		}
		if len(rest) > HexLen {
			var n int
			if dst, n = k.parseRun(dst, rest); n > 0 {
				used += n
				continue
			}
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

// parseRun appends the digests that text begins with as long as what separates
// them is what separates the first two: one character or two. It returns how
// many bytes that was.
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

// ParseJoined reads digests in hex of any case, each with one comma behind it,
// until dst is full or something else comes. It returns how many: 33 bytes of
// src each.
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
