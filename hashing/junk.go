package hashing

import (
	"bytes"
	"crypto/md5" //nolint:gosec // the platform requires MD5
	"slices"
	"strings"
	"sync"
)

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
	return j
})

func (j *junk) add(reason Reason, value string) {
	d := Digest(md5.Sum([]byte(value))) //nolint:gosec // the platform requires MD5
	j.reasons[d] = reason
	word, bit := filterBit(&d)
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
