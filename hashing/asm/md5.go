package main

import (
	"math"
	"slices"
)

// message is a layout of messages of one MD5 block, for which there is a kernel.
type message struct {
	name     string
	length   int   // in bytes, a multiple of 4; 0 if it varies and is in word 14
	variable []int // the words that differ from message to message
}

// messages returns the layouts of hashing's messages.
func messages() []message {
	return []message{
		{"HyphenUUIDs", 36, []int{0, 1, 2, 3, 4, 5, 6, 7, 8}},
		{"BareUUIDs", 32, []int{0, 1, 2, 3, 4, 5, 6, 7}},
		{"AndroidIDs", 0, []int{0, 1, 2, 3, 4, 14}},
	}
}

// varies reports whether word w is read from memory.
func (m message) varies(w int) bool { return slices.Contains(m.variable, w) }

// constant returns the part of word w of a padded message that is the same in all
// messages.
func (m message) constant(w int) uint32 {
	switch {
	case m.varies(w), m.length == 0:
		return 0
	case w == m.length/4:
		return 0x80
	case w == 14:
		return uint32(m.length) * 8
	}
	return 0
}

// pitch is the distance in bytes between two words of a message in hashing.messages.
const pitch = 144 * 4

// start is the initial state of MD5.
var start = [4]uint32{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476}

// rotation returns the number of bits by which step i rotates its sum to the left.
func rotation(i int) int {
	return [4][4]int{{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}}[i/16][i%4]
}

// word returns the word of the message that step i adds.
func word(i int) int {
	return [4]int{i, 5*i + 1, 3*i + 5, 7 * i}[i/16] % 16
}

// mix is the function of step i.
func mix(i int, b, c, d uint32) uint32 {
	switch i / 16 {
	case 0:
		return b&c | ^b&d
	case 1:
		return b&d | c&^d
	case 2:
		return b ^ c ^ d
	}
	return c ^ (b | ^d)
}

// ternary returns the truth table of mix in step i for VPTERNLOGD, with d in the
// destination, c in the second source and b in the first.
func ternary(i int) (table uint8) {
	for x := range 8 {
		d, c, b := uint32(x>>2&1), uint32(x>>1&1), uint32(x&1)
		table |= uint8(mix(i, b, c, d)&1) << x
	}
	return table
}

// addend returns the sum of all constants that step i adds: the sine, and the word if it is
// constant. The first four steps also add the initial value of the register that they
// replace, and step 0 also adds the result of mix.
func addend(m message, i int) uint32 {
	sum := uint32(math.Floor(math.Abs(math.Sin(float64(i+1)))*(1<<32))) + m.constant(word(i))
	if i < 4 {
		sum += start[-i&3]
	}
	if i == 0 {
		sum += mix(0, start[1], start[2], start[3])
	}
	return sum
}

// registers returns which registers of the state are a, b, c and d in step i.
func registers(i int) (a, b, c, d int) { return -i & 3, (1 - i) & 3, (2 - i) & 3, (3 - i) & 3 }
