package hashing

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math/bits"
)

// Fingerprint identifies a set of digests, so that another program can compare the set with
// its own. sum is the sum of the digests, read as 128-bit big-endian numbers, modulo 2^128;
// xor is their bitwise exclusive or. In JSON both are 32 hex characters.
type Fingerprint struct {
	Count    int64
	sum, xor uint128
}

type uint128 struct{ high, low uint64 }

func numberOf(d *Digest) uint128 {
	return uint128{binary.BigEndian.Uint64(d[:8]), binary.BigEndian.Uint64(d[8:])}
}

func (a uint128) plus(b uint128) uint128 {
	low, carry := bits.Add64(a.low, b.low, 0)
	high, _ := bits.Add64(a.high, b.high, carry)
	return uint128{high, low}
}

func (a uint128) minus(b uint128) uint128 {
	low, borrow := bits.Sub64(a.low, b.low, 0)
	high, _ := bits.Sub64(a.high, b.high, borrow)
	return uint128{high, low}
}

func (a uint128) flip(b uint128) uint128 { return uint128{a.high ^ b.high, a.low ^ b.low} }

// Add adds a digest.
func (f *Fingerprint) Add(d Digest) {
	n := numberOf(&d)
	f.Count, f.sum, f.xor = f.Count+1, f.sum.plus(n), f.xor.flip(n)
}

// AddAll adds digests, much faster than Add.
func (f *Fingerprint) AddAll(digests []Digest) {
	sum, xor := f.sum, f.xor
	for i := range digests {
		n := numberOf(&digests[i])
		sum, xor = sum.plus(n), xor.flip(n)
	}
	f.Count, f.sum, f.xor = f.Count+int64(len(digests)), sum, xor
}

// AddNumber adds the digest that is the big-endian number of two halves.
func (f *Fingerprint) AddNumber(high, low uint64) {
	n := uint128{high, low}
	f.Count, f.sum, f.xor = f.Count+1, f.sum.plus(n), f.xor.flip(n)
}

// Remove removes a digest, which must have been added.
func (f *Fingerprint) Remove(d Digest) {
	n := numberOf(&d)
	f.Count, f.sum, f.xor = f.Count-1, f.sum.minus(n), f.xor.flip(n)
}

// Merge adds all digests of other.
func (f *Fingerprint) Merge(other Fingerprint) {
	f.Count, f.sum, f.xor = f.Count+other.Count, f.sum.plus(other.sum), f.xor.flip(other.xor)
}

// fingerprintJSON is the JSON form of a Fingerprint.
type fingerprintJSON struct {
	Count int64  `json:"count"`
	Sum   string `json:"sum"`
	Xor   string `json:"xor"`
}

// MarshalJSON writes {count, sum, xor}.
func (f Fingerprint) MarshalJSON() ([]byte, error) {
	return json.Marshal(fingerprintJSON{f.Count, f.sum.hex(), f.xor.hex()})
}

// UnmarshalJSON reads {count, sum, xor}.
func (f *Fingerprint) UnmarshalJSON(text []byte) error {
	var read fingerprintJSON
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	f.Count = read.Count
	return errors.Join(f.sum.parse(read.Sum), f.xor.parse(read.Xor))
}

func (a uint128) hex() string {
	var d Digest
	binary.BigEndian.PutUint64(d[:8], a.high)
	binary.BigEndian.PutUint64(d[8:], a.low)
	return d.String()
}

func (a *uint128) parse(text string) error {
	var d Digest
	if len(text) != HexLen {
		return errors.New("read fingerprint: sum and xor must have 32 hex characters")
	}
	if _, err := hex.Decode(d[:], []byte(text)); err != nil {
		return errors.New("read fingerprint: sum and xor must have 32 hex characters")
	}
	*a = numberOf(&d)
	return nil
}
