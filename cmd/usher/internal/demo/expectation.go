package demo

import (
	"crypto/md5" //nolint:gosec // the platform takes MD5; it keeps nothing secret
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math/bits"

	"usher"
)

// expectation is what an upload of a generated export must report. It is computed while
// the export is written, without any code that an upload uses.
type expectation struct {
	file  string
	bytes int64

	rows      int64 // rows that an upload must read
	ids       int64 // well-formed ids, including repeated ones
	junk      usher.Counts
	invalid   usher.Counts
	members   fingerprint // fingerprint of the distinct ids
	member    string      // the digest of one of them
	memberRow int64
	absent    string // the digest of an id that is not in the export
}

// fingerprint identifies a set of digests by its size, the sum of its members as
// 128-bit numbers, and their exclusive or. The sandbox reports the same figures; this
// is an independent implementation.
type fingerprint struct {
	count          int64
	sumHigh, sum   uint64
	xorHigh, xored uint64
}

func (f *fingerprint) add(digest [md5.Size]byte) {
	high, low := binary.BigEndian.Uint64(digest[:8]), binary.BigEndian.Uint64(digest[8:])
	var carry uint64
	f.count++
	f.sum, carry = bits.Add64(f.sum, low, 0)
	f.sumHigh, _ = bits.Add64(f.sumHigh, high, carry)
	f.xorHigh ^= high
	f.xored ^= low
}

// UnmarshalJSON reads {"count","sum","xor"} as the sandbox writes it.
func (f *fingerprint) UnmarshalJSON(data []byte) error {
	var shown struct {
		Count int64  `json:"count"`
		Sum   string `json:"sum"`
		Xor   string `json:"xor"`
	}
	if err := json.Unmarshal(data, &shown); err != nil {
		return err
	}
	var words [4]uint64
	for i, text := range []string{shown.Sum, shown.Xor} {
		number, err := hex.DecodeString(text)
		if err != nil || len(number) != md5.Size {
			return fmt.Errorf("%q is not a 128-bit number in hex", text)
		}
		words[2*i], words[2*i+1] = binary.BigEndian.Uint64(number[:8]), binary.BigEndian.Uint64(number[8:])
	}
	*f = fingerprint{count: shown.Count, sumHigh: words[0], sum: words[1], xorHigh: words[2], xored: words[3]}
	return nil
}

// check compares a tally with the expectation. Which ids count as repeated depends on
// where the export is cut: every id is accepted or a duplicate, and each distinct id is
// accepted at least once.
func (b *expectation) check(t usher.Tally) error {
	switch {
	case t.Read != b.rows:
		return fmt.Errorf("check the tally: the export has %d rows, but %d were read", b.rows, t.Read)
	case t.Accepted+t.Duplicate != b.ids || t.Accepted < b.members.count:
		return fmt.Errorf("check the tally: the export has %d ids, %d of them distinct, but %d were accepted and %d duplicates", b.ids, b.members.count, t.Accepted, t.Duplicate)
	case !maps.Equal(t.Junk, b.junk):
		return fmt.Errorf("check the tally: the export's junk is %v, but %v was counted", b.junk, t.Junk)
	case !maps.Equal(t.Invalid, b.invalid):
		return fmt.Errorf("check the tally: the export's invalid rows are %v, but %v were counted", b.invalid, t.Invalid)
	}
	return t.Check()
}
