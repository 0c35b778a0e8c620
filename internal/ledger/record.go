package ledger

import (
	"bytes"
	"encoding/binary"
	"time"

	"usher/hashing"
)

// Day is a day in UTC, counted from 1970-01-01. 0 means none.
type Day uint16

// DayOf returns the day of a time.
func DayOf(t time.Time) Day { return Day(t.UTC().Unix() / (24 * 60 * 60)) }

// Record is a digest, and the day of its last upload if the ledger keeps days.
type Record struct {
	Digest hashing.Digest
	Day    Day
}

// key is a digest as two numbers, which compare faster than bytes.
type key struct{ high, low uint64 }

func keyOf(d *hashing.Digest) key {
	return key{binary.BigEndian.Uint64(d[:8]), binary.BigEndian.Uint64(d[8:])}
}

func (k key) less(other key) bool {
	return k.high < other.high || k.high == other.high && k.low < other.low
}

func (k key) digest() (d hashing.Digest) {
	binary.BigEndian.PutUint64(d[:8], k.high)
	binary.BigEndian.PutUint64(d[8:], k.low)
	return d
}

func compareDigests(a, b hashing.Digest) int { return bytes.Compare(a[:], b[:]) }
