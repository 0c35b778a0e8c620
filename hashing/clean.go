package hashing

import "usher"

// takeClean takes the clean lines that in[at:] begins with, and possibly dirty lines
// among them, and returns their length. dirty reports that the next line must be taken
// by takeLine.
func (h *Hasher) takeClean(out *Out, in []byte, at int, records bool) (used int, dirty bool) {
	switch {
	case h.input == usher.InputMD5:
		used, dirty = h.takeDigests(out, in[at:])
	case h.idType == usher.AndroidID:
		used, dirty = h.takeAndroidIDs(out, in[at:])
	case h.kernel.loadUUIDs != nil:
		used, dirty = h.takeUUIDs(out, in[at:])
		if dirty && h.manyDirty(out) {
			n := h.takeMixed(out, in, at+used, records)
			used, dirty = used+n, n == 0
		}
	}
	if used == 0 && !dirty {
		used = h.takeOne(h, out, in[at:])
		dirty = used == 0
	}
	return used, dirty
}

// takeOneOf returns the method that takes one clean line of the given input and type. The
// method returns the length of the line, or 0 if the line may be dirty.
func takeOneOf(input usher.Input, idType usher.IDType) func(h *Hasher, out *Out, in []byte) int {
	switch {
	case input == usher.InputMD5:
		return (*Hasher).takeDigest
	case idType == usher.AndroidID:
		return (*Hasher).takeAndroidID
	}
	return (*Hasher).takeUUID
}

// lineLength returns the length, with its ending, of a line that has n characters before
// the ending, or 0 if in does not begin with such a line. in must have at least n + 2
// bytes.
func lineLength(in []byte, n int) int {
	switch {
	case in[n] == '\n':
		return n + 1
	case in[n] == '\r' && in[n+1] == '\n':
		return n + 2
	}
	return 0
}
