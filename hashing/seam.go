package hashing

import (
	"bytes"

	"usher"
)

// JoinsIDs reports whether a value with the reason Shape is two ids, or an id and a usual
// header, with at most quotes and a byte order mark in between. This occurs if the last line
// of a file had no line ending, and another file was appended to it.
func JoinsIDs(v []byte) bool {
	v, _ = trim(v)
	v = unquote(v)
	switch {
	case len(v) == 48:
		return isHex(v) // 16 and 32 digits; no digest has this length
	case len(v) <= 36:
		return false
	case isUUID((*[36]byte)(v)):
		rest := trimSeam(v[36:])
		return isHexUUID(rest) || IsHexID(rest) || isUsualHeaderOf(rest) || JoinsIDs(rest)
	case isHexUUID(v[len(v)-36:]):
		first := trimSeam(v[:len(v)-36])
		return IsHexID(first) || isUsualHeaderOf(first)
	}
	return false
}

// MayJoinIDs reports whether a value that h has dropped for a reason has as many digits as two
// ids of the profile, without a separator. Such a value may also be a digest.
func (h *Hasher) MayJoinIDs(v []byte, reason Reason) bool {
	v, _ = trim(v)
	v = unquote(v)
	android := h.idType == usher.AndroidID && h.input == usher.InputRaw
	switch reason { //nolint:exhaustive // no other reason is of digits
	case LooksHashed:
		return android
	case Shape:
		const shortest = 29 // ANDROID_IDs may have lost a leading zero
		return android && shortest <= len(v) && len(v) < 32 && isHex(v)
	case SHA256:
		return len(v) == 64 && (h.input == usher.InputMD5 || isVersion4((*[32]byte)(v)) && isVersion4((*[32]byte)(v[32:])))
	}
	return false
}

// trimSeam removes the quotes and byte order marks that may be between two joined values.
func trimSeam(v []byte) []byte { return bytes.Trim(v, "\"\uFEFF") }

func isHexUUID(v []byte) bool { return len(v) == 36 && isUUID((*[36]byte)(v)) }

// isUsualHeaderOf reports whether v is a usual header, with any punctuation.
func isUsualHeaderOf(v []byte) bool {
	name, n := headerName(v)
	return isUsualHeader(name[:n])
}
