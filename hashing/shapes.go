package hashing

import (
	"bytes"
	"encoding/binary"
	"slices"

	"usher"
)

// sharedID is an ANDROID_ID that many devices have because of a vendor's bug.
const sharedID = "9774d56d682e549c"

func isShared(v []byte) bool {
	return len(v) == len(sharedID) && v[0] == '9' && bytes.EqualFold(v, []byte(sharedID))
}

// IsHexDigit reports whether c is a hexadecimal digit, in any case.
func IsHexDigit(c byte) bool { return c-'0' <= 9 || c|0x20-'a' <= 5 }

// IsHex reports whether a value is nothing but hexadecimal digits, at least one.
func IsHex(v []byte) bool {
	if len(v) >= 8 {
		_, wrong := unhex(binary.LittleEndian.Uint64(v[len(v)-8:]))
		for ; len(v) > 8; v = v[8:] {
			_, w := unhex(binary.LittleEndian.Uint64(v))
			wrong |= w
		}
		return wrong == 0
	}
	for _, c := range v {
		if !IsHexDigit(c) {
			return false
		}
	}
	return len(v) > 0
}

// isVersion4 reports whether 32 hex characters are a UUID of version 4 and of the usual
// variant. This is true for the ids of phones, and for one MD5 digest in 64.
func isVersion4(v *[32]byte) bool {
	return v[12] == '4' && isVariant(v[16])
}

// sameDigit reports whether hex characters are all the same, in either case.
func sameDigit(v []byte) bool {
	first := v[0] | 0x20
	for ; len(v) >= 8; v = v[8:] {
		if binary.LittleEndian.Uint64(v)|0x20*ones != uint64(first)*ones {
			return false
		}
	}
	for _, c := range v {
		if c|0x20 != first {
			return false
		}
	}
	return true
}

// imeiIssuers are the first two digits of the IMEIs that are issued today, which name the body
// that issues them (GSMA TS.06, Reporting Body Identifiers).
var imeiIssuers = []string{"01", "35", "86", "99"}

// exampleIMEI is the usual example of an IMEI, of a body that issues no more of them.
const exampleIMEI = "490154203237518"

// isIMEI reports whether v is 15 decimal digits that begin with an issuer, the last of which is
// the check digit (Luhn, ISO/IEC 7812-1).
func isIMEI(v []byte) bool {
	if len(v) != 15 || !slices.Contains(imeiIssuers, string(v[:2])) && string(v) != exampleIMEI {
		return false
	}
	sum := 0
	for i, c := range v {
		if c < '0' || c > '9' {
			return false
		}
		digit := int(c - '0')
		if i%2 == 1 {
			if digit *= 2; digit > 9 {
				digit -= 9
			}
		}
		sum += digit
	}
	return sum%10 == 0
}

// isMAC reports whether v is a hardware address with its separators:
// aa:bb:cc:dd:ee:ff, aa-bb-cc-dd-ee-ff or aabb.ccdd.eeff. Without separators it is 12
// hex characters, which may be an ANDROID_ID.
func isMAC(v []byte) bool {
	group, separator := 2, byte(':')
	switch {
	case len(v) == 14:
		group, separator = 4, '.'
	case len(v) != 17:
		return false
	case v[2] == '-':
		separator = '-'
	}
	for i, c := range v {
		if i%(group+1) == group {
			if c != separator {
				return false
			}
		} else if !IsHexDigit(c) {
			return false
		}
	}
	return true
}

// IsUnlikely reports whether a value has the form of an ANDROID_ID, but is more likely a customer
// number, a telephone number or a short word: it has at most 12 characters, or no letters. Fewer
// than 6 in 10,000 random ids of 64 bits are like this. One of at most 8 characters is not hashed.
func IsUnlikely(value []byte) bool {
	const most, longest = 12, 16
	value, _ = trim(value)
	value = unquote(value)
	if n := len(value); n == 0 || n > longest || !IsHex(value) || sameDigit(value) {
		return false
	}
	if len(value) <= most {
		return true
	}
	for _, c := range value {
		if c > '9' {
			return false
		}
	}
	return !isIMEI(value)
}

// IsAndroidID reports whether a value is an ANDROID_ID, and no junk.
func IsAndroidID(value []byte) bool { return names(usher.AndroidID, value) }

// IsAdvertisingID reports whether a value is a UUID that may be an IDFA or an AAID, and no junk.
func IsAdvertisingID(value []byte) bool { return names(usher.AAID, value) }

// IsOtherVersion reports whether a UUID with hyphens may be an IDFA or an AAID but for its version
// or its variant: those of phones are of version 4, and of variant 8 to b.
func IsOtherVersion(id []byte) bool {
	if !IsUUID(id) || id[14] == '4' && isVariant(id[19]) {
		return false
	}
	return IsAdvertisingID(id)
}

// isVariant reports whether a digit is that of the usual variant of UUIDs.
func isVariant(c byte) bool { return c == '8' || c == '9' || c|0x20 == 'a' || c|0x20 == 'b' }

func names(idType usher.IDType, value []byte) bool {
	h, err := newSingle(usher.Profile{Type: idType}, usher.InputRaw)
	if err != nil {
		return false
	}
	_, reason := h.Hash(value)
	return reason == None
}

// IsSpreadsheet reports whether a value is what a spreadsheet makes of an id, such as 1.2E+15.
func IsSpreadsheet(value []byte) bool {
	value, _ = trim(value)
	value = unquote(value)
	return len(value) > 0 && isSpreadsheet(value)
}

// JoinsIDs reports whether a value with the reason Shape is two ids, or an id and a usual
// header, with at most quotes and a byte order mark in between. This occurs if the last line
// of a file had no line ending, and another file was appended to it.
func JoinsIDs(v []byte) bool {
	v, _ = trim(v)
	v = unquote(v)
	switch {
	case len(v) == 48:
		return IsHex(v) // 16 and 32 digits; no digest has this length
	case len(v) <= 36:
		return false
	case isUUID((*[36]byte)(v)):
		rest := trimSeam(v[36:])
		return IsUUID(rest) || IsHexID(rest) || isUsualHeaderOf(rest) || JoinsIDs(rest)
	case IsUUID(v[len(v)-36:]):
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
	switch reason { // no other reason is of digits
	case LooksHashed:
		return android
	case Shape:
		const shortest = 29 // ANDROID_IDs may have lost a leading zero
		return android && shortest <= len(v) && len(v) < 32 && IsHex(v)
	case SHA256:
		return len(v) == 64 && (h.input == usher.InputMD5 || isVersion4((*[32]byte)(v)) && isVersion4((*[32]byte)(v[32:])))
	}
	return false
}

// trimSeam removes the quotes and byte order marks that may be between two joined values.
func trimSeam(v []byte) []byte { return bytes.Trim(v, "\"\uFEFF") }

// IsUUID reports whether a value is a UUID with hyphens, in any case.
func IsUUID(v []byte) bool { return len(v) == 36 && isUUID((*[36]byte)(v)) }

// isUsualHeaderOf reports whether v is a usual header, with any punctuation.
func isUsualHeaderOf(v []byte) bool {
	name, n := headerName(v)
	return isUsualHeader(name[:n])
}
