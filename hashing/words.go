package hashing

import (
	"bytes"
	"encoding/binary"
)

// sharedID is the ANDROID_ID that a vendor's bug gave to many devices.
const sharedID = "9774d56d682e549c"

// lowered is v in lower case within buf; nil where it does not fit.
func lowered(buf *[24]byte, v []byte) []byte {
	if len(v) > len(buf) {
		return nil
	}
	for i, c := range v {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		buf[i] = c
	}
	return buf[:len(v)]
}

// maxPlaceholder is the length of the longest placeholder.
const maxPlaceholder = 9

// isPlaceholder reports whether v, which is not empty, is what programs write for
// no value, in any case.
func isPlaceholder(v []byte) bool {
	switch len(v) {
	case 1:
		return v[0] == '-' || v[0] == '0'
	case 3:
		switch lower4(uint32(v[0]) | uint32(v[1])<<8 | uint32(v[2])<<16) {
		case 'n' | 'i'<<8 | 'l'<<16, 'n' | 'a'<<8 | 'n'<<16, 'n' | '/'<<8 | 'a'<<16:
			return true
		}
	case 4:
		switch lower4(binary.LittleEndian.Uint32(v)) {
		case 'n' | 'u'<<8 | 'l'<<16 | 'l'<<24, 'n' | 'o'<<8 | 'n'<<16 | 'e'<<24:
			return true
		}
	case 6:
		return v[0] == '(' && bytes.EqualFold(v, []byte("(null)"))
	case 7:
		return v[0]|0x20 == 'u' && bytes.EqualFold(v, []byte("unknown"))
	case maxPlaceholder:
		return v[0]|0x20 == 'u' && bytes.EqualFold(v, []byte("undefined"))
	}
	return false
}

// lower4 brings the letters among four characters to lower case. Others, too, of
// which none becomes a letter or a slash.
func lower4(x uint32) uint32 { return x | x>>6&0x01010101<<5 }

// isMacro reports whether v is a macro that nobody filled in: {ifa}, ${adid},
// [replace_me], %ifa%, also with its brackets URL-encoded. v is not empty.
func isMacro(v []byte) bool {
	last := v[len(v)-1]
	switch v[0] {
	case '{':
		return last == '}'
	case '$':
		return within(v, "${", "}") || within(v, "$%7b", "%7d")
	case '[':
		return last == ']'
	case '%':
		return len(v) > 1 && last == '%' || within(v, "%5b", "%5d") || within(v, "%7b", "%7d") || within(v, "%24%7b", "%7d")
	}
	return false
}

func within(v []byte, open, shut string) bool {
	return len(v) >= len(open)+len(shut) &&
		bytes.EqualFold(v[:len(open)], []byte(open)) && bytes.EqualFold(v[len(v)-len(shut):], []byte(shut))
}

// isHeader reports whether v is the export's own header or a usual one: see
// usualHeader.
func (h *Hasher) isHeader(v []byte) bool {
	if len(h.header) > 0 && bytes.EqualFold(v, h.header) {
		return true
	}
	var name [24]byte
	n := 0
	for _, c := range v {
		switch {
		case c == ' ', c == '_', c == '-', c == '.', c == '(', c == ')':
			continue
		case n == len(name), c <= '9' && c != '5', n == 0 && c == '5': // the only digit is that of md5
			return false
		}
		name[n] = c
		n++
	}
	var buf [24]byte
	return usualHeader(lowered(&buf, name[:n]))
}

// usualHeader knows the names that exports give their column of device ids, in
// lower case and without spaces and punctuation. None of them is hex.
func usualHeader(name []byte) bool {
	switch string(name) {
	case "id", "ids", "deviceid", "deviceids", "device", "devices", "userid", "mobileid", "mobiledeviceid",
		"maid", "maids", "madid", "madids", "mobileadid", "mobileadids", "mobileadvertisingid", "mobileadvertiserid",
		"ifa", "ifas", "idfa", "idfas", "iosifa", "iosidfa", "appleidfa", "rawidfa", "rdid",
		"adid", "adids", "advertisingid", "advertisingids", "advertiserid", "advertisementid",
		"gaid", "gaids", "googleadid", "googleadids", "googleaid", "googleadvertisingid", "googleadvertiserid", "gpsadid",
		"aaid", "aaids", "androidadid", "androidadvertisingid", "androidid", "androidids",
		"hash", "hashes", "hashed", "hashedid", "hashedids", "md5", "md5s", "md5hash", "idmd5", "idfamd5", "aaidmd5",
		"gaidmd5", "androididmd5", "deviceidmd5", "md5idfa", "md5aaid", "md5gaid", "md5deviceid":
		return true
	}
	return false
}

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

// isVersion4 reports whether 32 hex characters are a UUID of version 4 and the
// usual variant, as the ids of phones are: of MD5s one in 64 is.
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

// isIMEI reports whether v is 15 decimal digits of which the last is the check
// digit (Luhn, ISO/IEC 7812-1).
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
// aa:bb:cc:dd:ee:ff, aa-bb-cc-dd-ee-ff or aabb.ccdd.eeff. Without them it is 12
// hex characters, as an ANDROID_ID may be.
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
