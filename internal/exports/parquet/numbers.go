package parquet

import (
	"encoding/binary"
	"math"
	"strconv"
)

// boolValues are booleans, as the words true and false.
type boolValues struct {
	bits []byte  // plain: one bit for each, the lowest first
	at   int     // in bits
	runs *hybrid // in the encoding RLE; nil: plain
	text [5]byte
}

// newBoolValues returns the booleans of a page.
func newBoolValues(src []byte, encoding int64) (*boolValues, bool) {
	if encoding == encodingPlain {
		return &boolValues{bits: src}, true
	}
	if len(src) < 4 || uint64(binary.LittleEndian.Uint32(src)) > uint64(len(src)-4) {
		return nil, false
	}
	return &boolValues{runs: &hybrid{src: src[4:], width: 1}}, true
}

func (b *boolValues) next() ([]byte, bool) {
	var is bool
	if b.runs != nil {
		v, ok := b.runs.next()
		if !ok {
			return nil, false
		}
		is = v != 0
	} else {
		if b.at/8 >= len(b.bits) {
			return nil, false
		}
		is = b.bits[b.at/8]>>(b.at%8)&1 == 1
		b.at++
	}
	return strconv.AppendBool(b.text[:0], is), true
}

// intValues are integers as decimal digits.
type intValues struct {
	from values // of four or eight bytes each
	text [20]byte
}

func (i *intValues) next() ([]byte, bool) {
	value, ok := i.from.next()
	if !ok {
		return nil, false
	}
	var n int64
	switch len(value) {
	case 4:
		n = int64(int32(binary.LittleEndian.Uint32(value)))
	case 8:
		n = int64(binary.LittleEndian.Uint64(value))
	default:
		return nil, false
	}
	return strconv.AppendInt(i.text[:0], n, 10), true
}

// deltaInts are integers of DELTA_BINARY_PACKED as decimal digits.
type deltaInts struct {
	from *deltas
	text [20]byte
}

func (d *deltaInts) next() ([]byte, bool) {
	n, ok := d.from.next()
	if !ok {
		return nil, false
	}
	return strconv.AppendInt(d.text[:0], n, 10), true
}

// floatValues are floating-point numbers as decimal digits.
type floatValues struct {
	from values // of four or eight bytes each
	text [32]byte
}

func (f *floatValues) next() ([]byte, bool) {
	value, ok := f.from.next()
	if !ok {
		return nil, false
	}
	switch len(value) {
	case 4:
		return strconv.AppendFloat(f.text[:0], float64(math.Float32frombits(binary.LittleEndian.Uint32(value))), 'g', -1, 32), true
	case 8:
		return strconv.AppendFloat(f.text[:0], math.Float64frombits(binary.LittleEndian.Uint64(value)), 'g', -1, 64), true
	}
	return nil, false
}
