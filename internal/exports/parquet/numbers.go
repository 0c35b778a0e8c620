package parquet

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/big"
	"strconv"
	"time"
)

// spelled returns the values of a column as text, from their bytes. Those of texts, UUIDs and digests stay
// as they are.
func (c *Column) spelled(from values) values {
	switch {
	case c.isInt():
		return &intValues{from: from}
	case c.isFloat():
		return &floatValues{from: from}
	case c.physical == typeInt96:
		return &timeValues{from: from}
	case c.decimal:
		return &bigInts{from: from}
	}
	return from
}

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

// timeValues are times of INT96, as Spark and Impala write them: nanoseconds of a day, and its Julian number.
type timeValues struct {
	from values // of twelve bytes each
	text [64]byte
}

func (t *timeValues) next() ([]byte, bool) {
	const julianOf1970 = 2_440_588
	value, ok := t.from.next()
	if !ok || len(value) != 12 {
		return nil, false
	}
	days := int64(int32(binary.LittleEndian.Uint32(value[8:]))) - julianOf1970
	at := time.Unix(days*24*60*60, int64(binary.LittleEndian.Uint64(value))).UTC()
	return at.AppendFormat(t.text[:0], time.RFC3339Nano), true
}

// timeUnit is what a whole number of a day or a time counts, since 1970.
type timeUnit uint8

const (
	none timeUnit = iota
	days
	milliseconds
	microseconds
	nanoseconds
)

// timeInts are days and times as texts. 0 stays as it is: where a value is required, programs write it for none.
type timeInts struct {
	from values // decimal digits
	unit timeUnit
	text [64]byte
}

func (t *timeInts) next() ([]byte, bool) {
	digits, ok := t.from.next()
	if !ok {
		return nil, false
	}
	n, err := strconv.ParseInt(string(digits), 10, 64)
	if err != nil || n == 0 {
		return digits, err == nil
	}
	var at time.Time
	switch t.unit {
	case days:
		return time.Unix(n*24*60*60, 0).UTC().AppendFormat(t.text[:0], time.DateOnly), true
	case milliseconds:
		at = time.UnixMilli(n)
	case microseconds:
		at = time.UnixMicro(n)
	default:
		at = time.Unix(0, n)
	}
	return at.UTC().AppendFormat(t.text[:0], time.RFC3339Nano), true
}

// bigInts are integers in two's complement, the highest byte first, as decimal digits.
type bigInts struct {
	from values
	n    big.Int
	text []byte
}

// maxIntBytes is the size of the largest integer of a decimal. Those of databases have 38 or 76 digits.
const maxIntBytes = 64

func (b *bigInts) next() ([]byte, bool) {
	value, ok := b.from.next()
	if !ok || len(value) == 0 || len(value) > maxIntBytes {
		return nil, false
	}
	negative := value[0] >= 0x80
	if negative {
		b.n.Sub(b.n.SetBytes(value), new(big.Int).Lsh(big.NewInt(1), uint(8*len(value))))
	} else if value = bytes.TrimLeft(value, "\x00"); len(value) < 8 { // most numbers
		var n uint64
		for _, digit := range value {
			n = n<<8 | uint64(digit)
		}
		b.text = strconv.AppendUint(b.text[:0], n, 10)
		return b.text, true
	} else {
		b.n.SetBytes(value)
	}
	b.text = b.n.Append(b.text[:0], 10)
	return b.text, true
}

// maxScale is the largest scale of a decimal.
const maxScale = 256

// scaledInts are integers that are divided by ten scale times, without zeros at their end: 12.5, 1.
type scaledInts struct {
	from  values // decimal digits
	scale int    // over 0
	text  []byte
}

func (s *scaledInts) next() ([]byte, bool) {
	digits, ok := s.from.next()
	if !ok {
		return nil, false
	}
	s.text = s.text[:0]
	if digits[0] == '-' {
		s.text, digits = append(s.text, '-'), digits[1:]
	}
	whole := max(len(digits)-s.scale, 0)
	fraction := bytes.TrimRight(digits[whole:], "0")
	if s.text = append(s.text, digits[:whole]...); whole == 0 {
		s.text = append(s.text, '0')
	}
	if len(fraction) == 0 {
		return s.text, true
	}
	s.text = append(s.text, '.')
	for range s.scale - (len(digits) - whole) {
		s.text = append(s.text, '0')
	}
	return append(s.text, fraction...), true
}
