package hashing

import (
	"bytes"
	"encoding/binary"
)

// sharedID is an ANDROID_ID that many devices have because of a vendor's bug.
const sharedID = "9774d56d682e549c"

func isShared(v []byte) bool {
	return len(v) == len(sharedID) && v[0] == '9' && bytes.EqualFold(v, []byte(sharedID))
}

func isHexDigit(c byte) bool { return c-'0' <= 9 || c|0x20-'a' <= 5 }

func isHex(v []byte) bool {
	if len(v) >= 8 {
		_, wrong := unhex(binary.LittleEndian.Uint64(v[len(v)-8:]))
		for ; len(v) > 8; v = v[8:] {
			_, w := unhex(binary.LittleEndian.Uint64(v))
			wrong |= w
		}
		return wrong == 0
	}
	for _, c := range v {
		if !isHexDigit(c) {
			return false
		}
	}
	return len(v) > 0
}

// isVersion4 reports whether 32 hex characters are a UUID of version 4 and of the usual
// variant. This is true for the ids of phones, and for one MD5 digest in 64.
func isVersion4(v *[32]byte) bool {
	variant := v[16] | 0x20
	return v[12] == '4' && (v[16] == '8' || v[16] == '9' || variant == 'a' || variant == 'b')
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

// isIMEI reports whether v is 15 decimal digits, the last of which is the check digit
// (Luhn, ISO/IEC 7812-1).
func isIMEI(v []byte) bool {
	if len(v) != 15 {
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
		} else if !isHexDigit(c) {
			return false
		}
	}
	return true
}
