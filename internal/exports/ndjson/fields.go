package ndjson

import "encoding/binary"

// fields are the fields that the records of a part have, by hashes of their paths. A field that has a value is another
// one than the same with an object or an array: consent, besides consent.given. Most records have the same ones in the
// same order, so that nearly all are found where the last one was.
type fields struct {
	order []uint64       // in the order of their first record
	at    map[uint64]int // the index of each
	next  int            // in order, of the field that is likely to follow

	before int  // how many of order had been seen before the record
	isNew  bool // the record has a field that none before it had
}

// maxFields is how many fields are remembered. With more, the keys of an object are values, and further ones are
// not new.
const maxFields = 4096

// begin begins with a record.
func (f *fields) begin() { f.next, f.before, f.isNew = 0, len(f.order), false }

// forget forgets the fields that only the present record has, which is none that can be read.
func (f *fields) forget() {
	for _, hash := range f.order[f.before:] {
		delete(f.at, hash)
	}
	f.order, f.isNew = f.order[:f.before], false
}

// see returns the hash of a field with a key, as it is written in the record, within another field. hasValue is
// whether it has a value, and no object or array.
func (f *fields) see(within uint64, key []byte, hasValue bool) uint64 {
	hash := hashField(within, key)
	seen := hash
	if hasValue {
		seen = ^hash
	}
	if f.next < len(f.order) && f.order[f.next] == seen {
		f.next++
	} else {
		f.note(seen)
	}
	return hash
}

// seeValue sees a value in the array of a field.
func (f *fields) seeValue(field uint64) {
	if f.next == 0 || f.order[f.next-1] != ^field { // as of the value before it
		f.note(^field)
	}
}

// note remembers a hash that is not where it is likely.
func (f *fields) note(hash uint64) {
	at, known := f.at[hash]
	if !known && len(f.order) < maxFields {
		if f.at == nil {
			f.at = map[uint64]int{}
		}
		at = len(f.order)
		f.order, f.at[hash], f.isNew = append(f.order, hash), at, true
	}
	f.next = at + 1
}

// hashField mixes eight bytes of the key at a time. Two fields of an export with one hash are as likely as two
// equal random numbers of 64 bits.
func hashField(within uint64, key []byte) uint64 {
	const prime = 0x9E3779B97F4A7C15
	hash := (within ^ uint64(len(key))) * prime
	for len(key) >= 8 {
		hash = (hash ^ binary.LittleEndian.Uint64(key)) * prime
		hash ^= hash >> 32
		key = key[8:]
	}
	var rest uint64
	if n := len(key); cap(key) >= 8 { // the record goes on behind nearly all keys
		rest = binary.LittleEndian.Uint64(key[:8]) & (1<<(8*n) - 1)
	} else {
		for i, c := range key {
			rest |= uint64(c) << (8 * i)
		}
	}
	hash = (hash ^ rest) * prime
	return hash ^ hash>>32
}
