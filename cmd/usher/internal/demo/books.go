package demo

import (
	"crypto/md5"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math/bits"

	"usher"
)

// books are what was written into an export, kept while it is made by nothing
// that an upload uses: what usher and the platform say is held against them.
type books struct {
	file  string
	bytes int64

	rows      int64        // all that an upload must read
	ids       int64        // of them well-formed ones, repeated ones too
	junk      usher.Counts // of the others
	invalid   usher.Counts
	members   imprint // of the distinct ids
	member    string  // the digest of one of them
	memberRow int64
	stranger  string // the digest of an id that is not in it
}

// imprint tells sets of digests apart: how many, their sum as 128-bit
// numbers, and their exclusive or. It is the sandbox's, reckoned anew.
type imprint struct {
	count          int64
	sumHigh, sum   uint64
	xorHigh, xored uint64
}

func (f *imprint) add(digest [md5.Size]byte) {
	high, low := binary.BigEndian.Uint64(digest[:8]), binary.BigEndian.Uint64(digest[8:])
	var carry uint64
	f.count++
	f.sum, carry = bits.Add64(f.sum, low, 0)
	f.sumHigh, _ = bits.Add64(f.sumHigh, high, carry)
	f.xorHigh ^= high
	f.xored ^= low
}

// UnmarshalJSON reads {"count","sum","xor"} as the sandbox writes it.
func (f *imprint) UnmarshalJSON(data []byte) error {
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
			return fmt.Errorf("%q is no number of 128 bits in hex", text)
		}
		words[2*i], words[2*i+1] = binary.BigEndian.Uint64(number[:8]), binary.BigEndian.Uint64(number[8:])
	}
	*f = imprint{count: shown.Count, sumHigh: words[0], sum: words[1], xorHigh: words[2], xored: words[3]}
	return nil
}

// check holds a tally against the books. Which of the ids count as repeated
// depends on where the export was cut: all of them are accepted or duplicate,
// and each is accepted at least once.
func (b *books) check(t usher.Tally) error {
	switch {
	case t.Read != b.rows:
		return fmt.Errorf("check the tally: the export has %d rows, read were %d", b.rows, t.Read)
	case t.Accepted+t.Duplicate != b.ids || t.Accepted < b.members.count:
		return fmt.Errorf("check the tally: the export has %d ids, %d of them distinct; accepted were %d, duplicate %d", b.ids, b.members.count, t.Accepted, t.Duplicate)
	case !maps.Equal(t.Junk, b.junk):
		return fmt.Errorf("check the tally: the export's junk is %v, counted was %v", b.junk, t.Junk)
	case !maps.Equal(t.Invalid, b.invalid):
		return fmt.Errorf("check the tally: the export's invalid rows are %v, counted were %v", b.invalid, t.Invalid)
	}
	return t.Check()
}
