package hashing

import (
	"encoding/binary"
	"math/bits"
)

// block is a padded message of at most 55 bytes, the only length that ids need.
type block [64]byte

// set makes b the block of a message.
func (b *block) set(message []byte) {
	*b = block{}
	n := copy(b[:], message)
	b.pad(n)
}

// pad pads a message of n bytes. The rest of b must be zero.
func (b *block) pad(n int) {
	b[n] = 0x80
	binary.LittleEndian.PutUint16(b[56:], uint16(n)*8)
}

func (b *block) word(i int) uint32 { return binary.LittleEndian.Uint32(b[4*i:]) }

// The initial state of MD5 (RFC 1321, 3.3).
const (
	startA = 0x67452301
	startB = 0xefcdab89
	startC = 0x98badcfe
	startD = 0x10325476
)

// sumPair hashes two messages at once. A step of MD5 depends on the step before it, so
// a superscalar core executes the second message for a fifth of the first one's time.
// A third message does not fit the registers.
func sumPair(x, y *block, dx, dy *Digest) {
	a, b, c, d, p, q, r, s := round1(x, y, startA, startB, startC, startD, startA, startB, startC, startD)
	a, b, c, d, p, q, r, s = round2(x, y, a, b, c, d, p, q, r, s)
	a, b, c, d, p, q, r, s = round3(x, y, a, b, c, d, p, q, r, s)
	a, b, c, d, p, q, r, s = round4(x, y, a, b, c, d, p, q, r, s)
	dx.set(a, b, c, d)
	dy.set(p, q, r, s)
}

func (d *Digest) set(a, b, c, e uint32) {
	binary.LittleEndian.PutUint32(d[0:], a+startA)
	binary.LittleEndian.PutUint32(d[4:], b+startB)
	binary.LittleEndian.PutUint32(d[8:], c+startC)
	binary.LittleEndian.PutUint32(d[12:], e+startD)
}

// The steps of the four rounds (RFC 1321, 3.4). They first add the terms that do not
// depend on b, the result of the previous step. In g the two halves have no bit in
// common, so a sum replaces the or.
func f(a, b, c, d, xk uint32, s int) uint32 {
	return bits.RotateLeft32(((c^d)&b^d)+(a+xk), s) + b
}

func g(a, b, c, d, xk uint32, s int) uint32 {
	return bits.RotateLeft32((b&d)+((c&^d)+(a+xk)), s) + b
}

func h(a, b, c, d, xk uint32, s int) uint32 {
	return bits.RotateLeft32((b^(c^d))+(a+xk), s) + b
}

func i(a, b, c, d, xk uint32, s int) uint32 {
	return bits.RotateLeft32((c^(b|^d))+(a+xk), s) + b
}

func round1(x, y *block, a, b, c, d, p, q, r, s uint32) (_, _, _, _, _, _, _, _ uint32) {
	a, p = f(a, b, c, d, x.word(0)+0xd76aa478, 7), f(p, q, r, s, y.word(0)+0xd76aa478, 7)
	d, s = f(d, a, b, c, x.word(1)+0xe8c7b756, 12), f(s, p, q, r, y.word(1)+0xe8c7b756, 12)
	c, r = f(c, d, a, b, x.word(2)+0x242070db, 17), f(r, s, p, q, y.word(2)+0x242070db, 17)
	b, q = f(b, c, d, a, x.word(3)+0xc1bdceee, 22), f(q, r, s, p, y.word(3)+0xc1bdceee, 22)
	a, p = f(a, b, c, d, x.word(4)+0xf57c0faf, 7), f(p, q, r, s, y.word(4)+0xf57c0faf, 7)
	d, s = f(d, a, b, c, x.word(5)+0x4787c62a, 12), f(s, p, q, r, y.word(5)+0x4787c62a, 12)
	c, r = f(c, d, a, b, x.word(6)+0xa8304613, 17), f(r, s, p, q, y.word(6)+0xa8304613, 17)
	b, q = f(b, c, d, a, x.word(7)+0xfd469501, 22), f(q, r, s, p, y.word(7)+0xfd469501, 22)
	a, p = f(a, b, c, d, x.word(8)+0x698098d8, 7), f(p, q, r, s, y.word(8)+0x698098d8, 7)
	d, s = f(d, a, b, c, x.word(9)+0x8b44f7af, 12), f(s, p, q, r, y.word(9)+0x8b44f7af, 12)
	c, r = f(c, d, a, b, x.word(10)+0xffff5bb1, 17), f(r, s, p, q, y.word(10)+0xffff5bb1, 17)
	b, q = f(b, c, d, a, x.word(11)+0x895cd7be, 22), f(q, r, s, p, y.word(11)+0x895cd7be, 22)
	a, p = f(a, b, c, d, x.word(12)+0x6b901122, 7), f(p, q, r, s, y.word(12)+0x6b901122, 7)
	d, s = f(d, a, b, c, x.word(13)+0xfd987193, 12), f(s, p, q, r, y.word(13)+0xfd987193, 12)
	c, r = f(c, d, a, b, x.word(14)+0xa679438e, 17), f(r, s, p, q, y.word(14)+0xa679438e, 17)
	b, q = f(b, c, d, a, x.word(15)+0x49b40821, 22), f(q, r, s, p, y.word(15)+0x49b40821, 22)
	return a, b, c, d, p, q, r, s
}

func round2(x, y *block, a, b, c, d, p, q, r, s uint32) (_, _, _, _, _, _, _, _ uint32) {
	a, p = g(a, b, c, d, x.word(1)+0xf61e2562, 5), g(p, q, r, s, y.word(1)+0xf61e2562, 5)
	d, s = g(d, a, b, c, x.word(6)+0xc040b340, 9), g(s, p, q, r, y.word(6)+0xc040b340, 9)
	c, r = g(c, d, a, b, x.word(11)+0x265e5a51, 14), g(r, s, p, q, y.word(11)+0x265e5a51, 14)
	b, q = g(b, c, d, a, x.word(0)+0xe9b6c7aa, 20), g(q, r, s, p, y.word(0)+0xe9b6c7aa, 20)
	a, p = g(a, b, c, d, x.word(5)+0xd62f105d, 5), g(p, q, r, s, y.word(5)+0xd62f105d, 5)
	d, s = g(d, a, b, c, x.word(10)+0x02441453, 9), g(s, p, q, r, y.word(10)+0x02441453, 9)
	c, r = g(c, d, a, b, x.word(15)+0xd8a1e681, 14), g(r, s, p, q, y.word(15)+0xd8a1e681, 14)
	b, q = g(b, c, d, a, x.word(4)+0xe7d3fbc8, 20), g(q, r, s, p, y.word(4)+0xe7d3fbc8, 20)
	a, p = g(a, b, c, d, x.word(9)+0x21e1cde6, 5), g(p, q, r, s, y.word(9)+0x21e1cde6, 5)
	d, s = g(d, a, b, c, x.word(14)+0xc33707d6, 9), g(s, p, q, r, y.word(14)+0xc33707d6, 9)
	c, r = g(c, d, a, b, x.word(3)+0xf4d50d87, 14), g(r, s, p, q, y.word(3)+0xf4d50d87, 14)
	b, q = g(b, c, d, a, x.word(8)+0x455a14ed, 20), g(q, r, s, p, y.word(8)+0x455a14ed, 20)
	a, p = g(a, b, c, d, x.word(13)+0xa9e3e905, 5), g(p, q, r, s, y.word(13)+0xa9e3e905, 5)
	d, s = g(d, a, b, c, x.word(2)+0xfcefa3f8, 9), g(s, p, q, r, y.word(2)+0xfcefa3f8, 9)
	c, r = g(c, d, a, b, x.word(7)+0x676f02d9, 14), g(r, s, p, q, y.word(7)+0x676f02d9, 14)
	b, q = g(b, c, d, a, x.word(12)+0x8d2a4c8a, 20), g(q, r, s, p, y.word(12)+0x8d2a4c8a, 20)
	return a, b, c, d, p, q, r, s
}

func round3(x, y *block, a, b, c, d, p, q, r, s uint32) (_, _, _, _, _, _, _, _ uint32) {
	a, p = h(a, b, c, d, x.word(5)+0xfffa3942, 4), h(p, q, r, s, y.word(5)+0xfffa3942, 4)
	d, s = h(d, a, b, c, x.word(8)+0x8771f681, 11), h(s, p, q, r, y.word(8)+0x8771f681, 11)
	c, r = h(c, d, a, b, x.word(11)+0x6d9d6122, 16), h(r, s, p, q, y.word(11)+0x6d9d6122, 16)
	b, q = h(b, c, d, a, x.word(14)+0xfde5380c, 23), h(q, r, s, p, y.word(14)+0xfde5380c, 23)
	a, p = h(a, b, c, d, x.word(1)+0xa4beea44, 4), h(p, q, r, s, y.word(1)+0xa4beea44, 4)
	d, s = h(d, a, b, c, x.word(4)+0x4bdecfa9, 11), h(s, p, q, r, y.word(4)+0x4bdecfa9, 11)
	c, r = h(c, d, a, b, x.word(7)+0xf6bb4b60, 16), h(r, s, p, q, y.word(7)+0xf6bb4b60, 16)
	b, q = h(b, c, d, a, x.word(10)+0xbebfbc70, 23), h(q, r, s, p, y.word(10)+0xbebfbc70, 23)
	a, p = h(a, b, c, d, x.word(13)+0x289b7ec6, 4), h(p, q, r, s, y.word(13)+0x289b7ec6, 4)
	d, s = h(d, a, b, c, x.word(0)+0xeaa127fa, 11), h(s, p, q, r, y.word(0)+0xeaa127fa, 11)
	c, r = h(c, d, a, b, x.word(3)+0xd4ef3085, 16), h(r, s, p, q, y.word(3)+0xd4ef3085, 16)
	b, q = h(b, c, d, a, x.word(6)+0x04881d05, 23), h(q, r, s, p, y.word(6)+0x04881d05, 23)
	a, p = h(a, b, c, d, x.word(9)+0xd9d4d039, 4), h(p, q, r, s, y.word(9)+0xd9d4d039, 4)
	d, s = h(d, a, b, c, x.word(12)+0xe6db99e5, 11), h(s, p, q, r, y.word(12)+0xe6db99e5, 11)
	c, r = h(c, d, a, b, x.word(15)+0x1fa27cf8, 16), h(r, s, p, q, y.word(15)+0x1fa27cf8, 16)
	b, q = h(b, c, d, a, x.word(2)+0xc4ac5665, 23), h(q, r, s, p, y.word(2)+0xc4ac5665, 23)
	return a, b, c, d, p, q, r, s
}

func round4(x, y *block, a, b, c, d, p, q, r, s uint32) (_, _, _, _, _, _, _, _ uint32) {
	a, p = i(a, b, c, d, x.word(0)+0xf4292244, 6), i(p, q, r, s, y.word(0)+0xf4292244, 6)
	d, s = i(d, a, b, c, x.word(7)+0x432aff97, 10), i(s, p, q, r, y.word(7)+0x432aff97, 10)
	c, r = i(c, d, a, b, x.word(14)+0xab9423a7, 15), i(r, s, p, q, y.word(14)+0xab9423a7, 15)
	b, q = i(b, c, d, a, x.word(5)+0xfc93a039, 21), i(q, r, s, p, y.word(5)+0xfc93a039, 21)
	a, p = i(a, b, c, d, x.word(12)+0x655b59c3, 6), i(p, q, r, s, y.word(12)+0x655b59c3, 6)
	d, s = i(d, a, b, c, x.word(3)+0x8f0ccc92, 10), i(s, p, q, r, y.word(3)+0x8f0ccc92, 10)
	c, r = i(c, d, a, b, x.word(10)+0xffeff47d, 15), i(r, s, p, q, y.word(10)+0xffeff47d, 15)
	b, q = i(b, c, d, a, x.word(1)+0x85845dd1, 21), i(q, r, s, p, y.word(1)+0x85845dd1, 21)
	a, p = i(a, b, c, d, x.word(8)+0x6fa87e4f, 6), i(p, q, r, s, y.word(8)+0x6fa87e4f, 6)
	d, s = i(d, a, b, c, x.word(15)+0xfe2ce6e0, 10), i(s, p, q, r, y.word(15)+0xfe2ce6e0, 10)
	c, r = i(c, d, a, b, x.word(6)+0xa3014314, 15), i(r, s, p, q, y.word(6)+0xa3014314, 15)
	b, q = i(b, c, d, a, x.word(13)+0x4e0811a1, 21), i(q, r, s, p, y.word(13)+0x4e0811a1, 21)
	a, p = i(a, b, c, d, x.word(4)+0xf7537e82, 6), i(p, q, r, s, y.word(4)+0xf7537e82, 6)
	d, s = i(d, a, b, c, x.word(11)+0xbd3af235, 10), i(s, p, q, r, y.word(11)+0xbd3af235, 10)
	c, r = i(c, d, a, b, x.word(2)+0x2ad7d2bb, 15), i(r, s, p, q, y.word(2)+0x2ad7d2bb, 15)
	b, q = i(b, c, d, a, x.word(9)+0xeb86d391, 21), i(q, r, s, p, y.word(9)+0xeb86d391, 21)
	return a, b, c, d, p, q, r, s
}
