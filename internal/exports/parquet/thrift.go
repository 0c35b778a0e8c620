package parquet

import "encoding/binary"

// thrift reads Thrift's compact protocol, in which footers and headers are written.
// It copies nothing, and trusts no size that the data does not bear out.
type thrift struct {
	data []byte
	at   int
	bad  bool // the data is damaged or ends too early; everything read since is zero
}

// Types of the protocol. The type of a boolean field is its value.
const (
	thriftTrue   = 1
	thriftFalse  = 2
	thriftByte   = 3
	thriftI16    = 4
	thriftI32    = 5
	thriftI64    = 6
	thriftDouble = 7
	thriftBinary = 8
	thriftList   = 9
	thriftSet    = 10
	thriftMap    = 11
	thriftStruct = 12
)

// maxDepth is how deep values may nest.
const maxDepth = 32

func (t *thrift) fail() { t.bad, t.at = true, len(t.data) }

func (t *thrift) byte() byte {
	if t.at >= len(t.data) {
		t.fail()
		return 0
	}
	t.at++
	return t.data[t.at-1]
}

func (t *thrift) uvarint() uint64 {
	v, n := binary.Uvarint(t.data[t.at:])
	if n <= 0 {
		t.fail()
		return 0
	}
	t.at += n
	return v
}

// number returns an integer of any width.
func (t *thrift) number() int64 {
	v := t.uvarint()
	return int64(v>>1) ^ -int64(v&1)
}

// bytes returns a string, which lies in the data.
func (t *thrift) bytes() []byte {
	n := t.uvarint()
	if n > uint64(len(t.data)-t.at) {
		t.fail()
		return nil
	}
	t.at += int(n)
	return t.data[t.at-int(n) : t.at]
}

// list reads the header of a list. It returns the number and the type of the
// elements that follow.
func (t *thrift) list() (n int, kind byte) {
	head := t.byte()
	size := uint64(head >> 4)
	if size == 15 {
		size = t.uvarint()
	}
	if size > uint64(len(t.data)-t.at) { // an element takes at least a byte
		t.fail()
		return 0, 0
	}
	return int(size), head & 15
}

// structs reads the header of a list of structs, and returns how many follow. Each
// must have at least as many bytes as least says.
func (t *thrift) structs(least int) int {
	n, kind := t.list()
	if n > 0 && kind != thriftStruct || n > (len(t.data)-t.at)/least {
		t.fail()
		return 0
	}
	return n
}

// fields calls see for each field of a struct. see must read or skip the value.
func (t *thrift) fields(see func(id int64, kind byte)) {
	for id := int64(0); !t.bad; {
		head := t.byte()
		kind := head & 15
		if kind == 0 {
			return
		}
		if id += int64(head >> 4); head>>4 == 0 {
			id = t.number()
		}
		see(id, kind)
	}
}

// skip skips a field's value.
func (t *thrift) skip(kind byte) { t.skipTo(kind, maxDepth) }

func (t *thrift) skipTo(kind byte, depth int) {
	if depth == 0 {
		t.fail()
		return
	}
	switch kind {
	case thriftTrue, thriftFalse:
	case thriftByte:
		t.byte()
	case thriftI16, thriftI32, thriftI64:
		t.uvarint()
	case thriftDouble:
		for range 8 {
			t.byte()
		}
	case thriftBinary:
		t.bytes()
	case thriftList, thriftSet:
		n, kind := t.list()
		for i := 0; i < n && !t.bad; i++ {
			t.skipElement(kind, depth-1)
		}
	case thriftMap:
		n := t.uvarint()
		if n == 0 {
			return
		}
		kinds := t.byte()
		for i := uint64(0); i < n && !t.bad; i++ {
			t.skipElement(kinds>>4, depth-1)
			t.skipElement(kinds&15, depth-1)
		}
	case thriftStruct:
		t.fields(func(_ int64, kind byte) { t.skipTo(kind, depth-1) })
	default:
		t.fail()
	}
}

// skipElement is skipTo for an element of a list or map, where a boolean takes a
// byte.
func (t *thrift) skipElement(kind byte, depth int) {
	if kind == thriftTrue || kind == thriftFalse {
		kind = thriftByte
	}
	t.skipTo(kind, depth)
}
