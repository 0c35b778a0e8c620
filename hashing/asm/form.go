package main

// The offsets of the fields of hashing.form.
const (
	formFold   = 0   // 128 characters in their case; others have 0x80 set
	formNear   = 128 // 64 characters by their low six bits; others differ
	formStride = 192 // the length of a line with its ending
	formEnding = 200 // the ending
	formMask   = 204 // which of the four bytes after an id belong to the ending
)

// notHex marks a byte that is not a hex character.
const notHex = 0x80

// hyphens has a bit set for each of a UUID's characters that is a hyphen.
const hyphens = 1<<8 | 1<<13 | 1<<18 | 1<<23

// digits has a bit set for each of a UUID's 36 characters that is not a hyphen.
const digits = (1<<36 - 1) &^ hyphens
