package ledger

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"time"

	"usher/hashing"
)

// A file holds records in ascending order of their digests, and then a trailer. A record is
// a digest of 16 bytes or, in a file with days, a digest and the day of its last upload. The
// trailer has, for each value of a digest's first byte, the number of records and their
// checksum, so that a reader of a range of first bytes can verify what it reads:
//
//	256 × (uint32 number, uint32 CRC-32C)
//	uint64 number of all records
//	uint16 size of a record, uint16 day of all records without a day of their own
//	8 bytes "usherid1"
//	uint32 CRC-32C of the trailer up to here
//
// All numbers are big-endian.
const (
	digestSize  = len(hashing.Digest{})
	daySize     = 2
	firstBytes  = 256
	magic       = "usherid1"
	trailerSize = firstBytes*8 + 8 + 2 + 2 + len(magic) + 4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// trailer describes the records of a file.
type trailer struct {
	counts [firstBytes]uint32
	sums   [firstBytes]uint32
	width  int // size of a record
	day    Day // of records without a day
}

func (t *trailer) count() int64 { return t.between(0, firstBytes) }

// between returns the number of records whose first byte is in from..to-1.
func (t *trailer) between(from, to int) int64 {
	var n int64
	for _, c := range t.counts[from:to] {
		n += int64(c)
	}
	return n
}

// size returns the size of the file.
func (t *trailer) size() int64 { return t.count()*int64(t.width) + int64(trailerSize) }

// encode returns the trailer as it is stored.
func (t *trailer) encode() []byte {
	b := make([]byte, 0, trailerSize)
	for i := range firstBytes {
		b = binary.BigEndian.AppendUint32(b, t.counts[i])
		b = binary.BigEndian.AppendUint32(b, t.sums[i])
	}
	b = binary.BigEndian.AppendUint64(b, uint64(t.count()))
	b = binary.BigEndian.AppendUint16(b, uint16(t.width))
	b = binary.BigEndian.AppendUint16(b, uint16(t.day))
	b = append(b, magic...)
	return binary.BigEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

// checksum identifies the whole file: it covers the checksums of all records.
func checksum(encoded []byte) uint32 { return crc32.Checksum(encoded, castagnoli) }

// decodeTrailer reads a trailer of a file of size bytes.
func decodeTrailer(b []byte, size int64) (*trailer, error) {
	if len(b) != trailerSize {
		return nil, fmt.Errorf("has a trailer of %d bytes, not %d", len(b), trailerSize)
	}
	end := len(b) - 4
	if string(b[end-len(magic):end]) != magic || crc32.Checksum(b[:end], castagnoli) != binary.BigEndian.Uint32(b[end:]) {
		return nil, fmt.Errorf("has a damaged trailer")
	}
	t := &trailer{}
	for i := range firstBytes {
		t.counts[i] = binary.BigEndian.Uint32(b[8*i:])
		t.sums[i] = binary.BigEndian.Uint32(b[8*i+4:])
	}
	rest := b[8*firstBytes:]
	t.width, t.day = int(binary.BigEndian.Uint16(rest[8:])), Day(binary.BigEndian.Uint16(rest[10:]))
	switch {
	case t.width != digestSize && t.width != digestSize+daySize:
		return nil, fmt.Errorf("has records of %d bytes", t.width)
	case binary.BigEndian.Uint64(rest) != uint64(t.count()):
		return nil, fmt.Errorf("has a trailer whose numbers do not add up")
	case size != t.size():
		return nil, fmt.Errorf("has %d bytes, not %d", size, t.size())
	}
	return t, nil
}

// Day is a day in UTC, counted from 1970-01-01. 0 means none.
type Day uint16

// DayOf returns the day of a time.
func DayOf(t time.Time) Day { return Day(t.UTC().Unix() / (24 * 60 * 60)) }

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
