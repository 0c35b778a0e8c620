package hashing

import "encoding/binary"

// shortestID is the length from which digits are taken for an id: an ANDROID_ID without
// its leading zeros.
const shortestID = 12

// IsDeviceID reports whether a word is an id in any profile. Short hex words, such as
// "feed", are not.
func IsDeviceID(word string) bool {
	if len(word) < shortestID {
		return false
	}
	for _, v := range Explain(word) {
		if v.Reason == None {
			return true
		}
	}
	return false
}

// IsHexID reports whether a value is 32 hex characters, or 16 with a letter among them: an MD5
// digest, a UUID without hyphens or most ANDROID_IDs.
func IsHexID(value []byte) bool {
	switch len(value) {
	case 16:
		x, y := binary.LittleEndian.Uint64(value[:8]), binary.LittleEndian.Uint64(value[8:])
		_, first := unhex(x)
		_, second := unhex(y)
		return first|second == 0 && (x|y)&(0x40*ones) != 0
	case 32:
		return isHex(value)
	}
	return false
}
