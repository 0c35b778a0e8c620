package main

// The offsets of the fields of hashing.form.
const (
	formFold   = 0   // for each of 128 characters: a hex character in the form's case, or a byte with 0x80 set
	formNear   = 128 // for the low six bits of a character: the hex character with these bits, or a byte whose lowest bit differs
	formStride = 192 // the length of a line with its ending
	formEnding = 200 // the characters of the ending
	formMask   = 204 // which of the four bytes after an id belong to the ending
)

// notHex marks a byte that is not a hex character.
const notHex = 0x80

// hyphens has a bit set for each of a UUID's characters that is a hyphen.
const hyphens = 1<<8 | 1<<13 | 1<<18 | 1<<23

// digits has a bit set for each of a UUID's 36 characters that is not a hyphen.
const digits = (1<<36 - 1) &^ hyphens
