package hashing

import (
	"bytes"
	"crypto/md5" //nolint:gosec // the platform requires MD5
	"encoding/binary"
	"slices"
	"strings"
	"sync"

	"usher"
)

// placeholders are the words that programs write in place of a missing value. A list
// that is hashed without validation has their digests.
var placeholders = []string{
	"-", "0", `\N`, "na", "nil", "nan", "nat", "n/a", "null", "none", "#n/a", "<na>",
	"(null)", "<null>", "(none)", "unknown", "undefined", "(not set)",
}

// maxPlaceholder is the length of the longest placeholder.
const maxPlaceholder = 9

// IsPlaceholder reports whether a value without blanks around it is a word that programs
// write in place of a missing value, such as null or N/A, in any case. An empty value is
// not.
func IsPlaceholder(v []byte) bool { return len(v) > 0 && isPlaceholder(v) }

// isPlaceholder reports whether v, which is not empty, is one of placeholders, in any
// case. Only the N of \N is always upper case.
func isPlaceholder(v []byte) bool {
	switch len(v) {
	case 1:
		return v[0] == '-' || v[0] == '0'
	case 2:
		return v[0] == '\\' && v[1] == 'N' || v[0]|0x20 == 'n' && v[1]|0x20 == 'a'
	case 3:
		switch lower4(uint32(v[0]) | uint32(v[1])<<8 | uint32(v[2])<<16) {
		case 'n' | 'i'<<8 | 'l'<<16, 'n' | 'a'<<8 | 'n'<<16, 'n' | 'a'<<8 | 't'<<16, 'n' | '/'<<8 | 'a'<<16:
			return true
		}
	case 4:
		switch lower4(binary.LittleEndian.Uint32(v)) {
		case 'n' | 'u'<<8 | 'l'<<16 | 'l'<<24, 'n' | 'o'<<8 | 'n'<<16 | 'e'<<24,
			'#' | 'n'<<8 | '/'<<16 | 'a'<<24, '<' | 'n'<<8 | 'a'<<16 | '>'<<24:
			return true
		}
	case 6, 7, maxPlaceholder:
		return (v[0] == '(' || v[0] == '<' || v[0]|0x20 == 'u') && isListed(v)
	}
	return false
}

// isListed reports whether v is one of placeholders, in any case.
func isListed(v []byte) bool {
	return slices.ContainsFunc(placeholders, func(word string) bool { return bytes.EqualFold(v, []byte(word)) })
}

// lower4 converts the letters among four characters to lower case. It changes other
// characters too, but none of them becomes a letter or another character of a placeholder.
func lower4(x uint32) uint32 { return x | x>>6&0x01010101<<5 }

// isMacro reports whether v, which is not empty, is a macro that was not replaced:
// {ifa}, ${adid}, [replace_me] or %ifa%. The brackets may be URL-encoded.
func isMacro(v []byte) bool {
	last := v[len(v)-1]
	switch v[0] {
	case '{':
		return last == '}'
	case '$':
		return enclosed(v, "${", "}") || enclosed(v, "$%7b", "%7d")
	case '[':
		return last == ']'
	case '%':
		return len(v) > 1 && last == '%' || enclosed(v, "%5b", "%5d") || enclosed(v, "%7b", "%7d") || enclosed(v, "%24%7b", "%7d")
	}
	return false
}

// isRecord reports whether v has the form of a JSON object with a key, which is not a macro
// but a line of another format.
func isRecord(v []byte) bool {
	if v[0] != '{' || v[len(v)-1] != '}' {
		return false
	}
	inner := bytes.TrimLeft(v[1:], " \t")
	return inner[0] == '"' && bytes.IndexByte(inner, ':') > 0
}

// enclosed reports whether v begins with open and ends with shut, in any case.
func enclosed(v []byte, open, shut string) bool {
	return len(v) >= len(open)+len(shut) &&
		bytes.EqualFold(v[:len(open)], []byte(open)) && bytes.EqualFold(v[len(v)-len(shut):], []byte(shut))
}

// isHeader reports whether v is the export's own header or one of usualHeaders, in any
// case and with any punctuation.
func (h *Hasher) isHeader(v []byte) bool {
	if len(h.header) > 0 && bytes.EqualFold(v, h.header) {
		return true
	}
	return isUsualHeaderOf(v)
}

// headerName returns a possible header in lower case without punctuation, as the first n
// bytes of name. If v cannot be a header, n is 0.
func headerName(v []byte) (name [24]byte, n int) {
	for _, c := range v {
		switch {
		case isPunctuation(c):
			continue
		case n == len(name), c <= '9' && c != '5', n == 0 && c == '5': // the only digit is the 5 of md5
			return name, 0
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		}
		name[n] = c
		n++
	}
	return name, n
}

// NamesOtherType reports whether a value with the reason Header or Shape is the usual
// header of ids of another type than those that h hashes. The export's own header is not:
// the job may have named that column.
func (h *Hasher) NamesOtherType(v []byte) bool {
	v, _ = trim(v)
	v = unquote(v)
	if bytes.EqualFold(v, h.header) {
		return false
	}
	name, n := headerName(v)
	header := string(name[:n])
	has := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(header, w) })
	}
	switch header {
	case "idfv", "vendorid", "identifierforvendor", "oaid", "anonymousid", "customerid", "customeruuid", "clientid",
		"userid", "useruuid", "sessionid", "sessionuuid", "visitorid", "cookieid", "contactid", "accountid", "memberid",
		"subscriberid", "personid", "profileid", "leadid", "crmid", "installid", "installationid", "externalid", "eventid",
		"messageid", "clickid", "impressionid", "transactionid", "orderid", "requestid", "appsflyerid":
		return true
	}
	switch {
	case !isUsualHeader(name[:n]):
		return false
	case has("idfa", "ios", "apple"):
		return h.idType != usher.IDFA
	case has("gaid", "aaid", "google", "gpsadid", "androidad"):
		return h.idType != usher.AAID
	case has("androidid"):
		return h.idType != usher.AndroidID
	}
	return false
}

// NamesAnyIDs reports whether a value with the reason Header or Shape is a usual header that
// does not name the type of its ids, and is not the export's own header.
func (h *Hasher) NamesAnyIDs(v []byte) bool {
	v, _ = trim(v)
	v = unquote(v)
	if bytes.EqualFold(v, h.header) {
		return false
	}
	name, n := headerName(v)
	switch string(name[:n]) {
	case "id", "ids", "uid", "uuid", "guid", "udid", "identifier":
		return true
	}
	return false
}

func isPunctuation(c byte) bool {
	return c == ' ' || c == '_' || c == '-' || c == '.' || c == '(' || c == ')'
}

// isUsualHeader reports whether name is one that exports often give their column of
// device ids, in lower case and without spaces and punctuation. No such name is hex.
func isUsualHeader(name []byte) bool {
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

// junk is the set of digests of values that name no device. A list that was hashed
// without validation contains them.
type junk struct {
	filter  [1 << 16 / 64]uint64 // a bit for each value of a digest's first two bytes
	reasons map[Digest]Reason
}

// mixedCase are the placeholders that programs write with both upper-case and lower-case
// letters.
var mixedCase = []string{"NaN", "NaT"}

// allJunk is shared by all hashers, because it takes longer to build than to hash a small
// job. It is never changed.
var allJunk = sync.OnceValue(func() *junk {
	j := &junk{reasons: map[Digest]Reason{}}
	for _, c := range "0123456789abcdef" {
		for _, digit := range []string{string(c), strings.ToUpper(string(c))} {
			for n := 1; n <= 16; n++ {
				j.add(ZeroID, strings.Repeat(digit, n))
			}
			bare := strings.Repeat(digit, 32)
			j.add(ZeroID, bare)
			j.add(ZeroID, strings.Join([]string{bare[:8], bare[:4], bare[:4], bare[:4], bare[:12]}, "-"))
		}
	}
	j.add(SharedID, sharedID)
	j.add(SharedID, strings.ToUpper(sharedID))
	j.add(Empty, "")
	for _, word := range slices.Concat(placeholders, mixedCase) {
		j.add(Placeholder, word)
		j.add(Placeholder, strings.ToLower(word))
		j.add(Placeholder, strings.ToUpper(word))
		j.add(Placeholder, strings.ToUpper(word[:1])+word[1:])
	}
	for d, reason := range documentedIDs() {
		j.addDigest(reason, &d)
	}
	return j
})

func (j *junk) add(reason Reason, value string) {
	d := Digest(md5.Sum([]byte(value))) //nolint:gosec // the platform requires MD5
	j.addDigest(reason, &d)
}

func (j *junk) addDigest(reason Reason, d *Digest) {
	j.reasons[*d] = reason
	word, bit := filterBit(d)
	j.filter[word] |= bit
}

func filterBit(d *Digest) (word int, bit uint64) {
	key := int(d[0]) | int(d[1])<<8
	return key >> 6, 1 << (key & 63)
}

// mayContain is a fast approximation of contains: it returns true for all junk, and false
// for nearly every other digest.
func (j *junk) mayContain(d *Digest) bool {
	word, bit := filterBit(d)
	return j.filter[word]&bit != 0 || (d[0] == d[1] && d[0]>>4 == d[0]&15)
}

// contains reports whether d is the digest of junk, or a single digit repeated.
func (j *junk) contains(d *Digest) bool {
	return j.reason(d) != None || (d[0]>>4 == d[0]&15 && bytes.Count(d[:], d[:1]) == len(d))
}

// reason returns why d is junk, or None if it is not the digest of a junk value.
func (j *junk) reason(d *Digest) Reason { return j.reasons[*d] }
