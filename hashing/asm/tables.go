package main

import (
	"encoding/binary"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// words adds a table of n 32-bit words to the read-only data.
func words(c *build.Context, name string, n int, value func(i int) uint32) operand.Mem {
	var table []byte
	for i := range n {
		table = binary.LittleEndian.AppendUint32(table, value(i))
	}
	return readOnly(c, name, table)
}

// octets adds a table of n bytes to the read-only data.
func octets(c *build.Context, name string, n int, value func(i int) byte) operand.Mem {
	table := make([]byte, n)
	for i := range table {
		table[i] = value(i)
	}
	return readOnly(c, name, table)
}

// readOnly adds a table to the read-only data. Each line has eight bytes; the last lines may
// have fewer.
func readOnly(c *build.Context, name string, table []byte) operand.Mem {
	m := c.StaticGlobal(name)
	c.DataAttributes(attr.RODATA | attr.NOPTR)
	at := 0
	for ; at+8 <= len(table); at += 8 {
		c.AddDatum(at, operand.U64(binary.LittleEndian.Uint64(table[at:])))
	}
	if at+4 <= len(table) {
		c.AddDatum(at, operand.U32(binary.LittleEndian.Uint32(table[at:])))
		at += 4
	}
	for ; at < len(table); at++ {
		c.AddDatum(at, operand.U8(table[at]))
	}
	return m
}

// cacheAligned adds a table of n bytes, a multiple of 64, for loads of 64 bytes. A load that
// crosses a cache line takes twice as long, but the linker aligns data only to 32 bytes.
// Therefore the read-only data has two copies, whose distance is an odd multiple of 32, so
// that one of them begins at a cache line. The returned function loads the address of that
// copy.
func cacheAligned(c *build.Context, name string, n int, value func(i int) byte) func() reg.Register {
	second := n + 32
	m := octets(c, name, second+n, func(i int) byte {
		if i >= second {
			return value(i - second)
		}
		return value(i % n)
	})
	return func() reg.Register {
		table, half := c.GP64(), c.GP64()
		c.LEAQ(m, table)
		c.MOVQ(table, half)
		c.ANDQ(operand.U8(32), half)
		c.IMUL3Q(operand.U32(second/32), half, half)
		c.ADDQ(half, table)
		return table
	}
}

// function begins a kernel. The kernel's name and doc are its documentation.
func function(c *build.Context, name, signature string, doc ...string) {
	c.Function(name)
	doc[0] = name + " " + doc[0]
	c.Doc(doc...)
	c.Attributes(attr.NOSPLIT)
	c.SignatureExpr(signature)
	c.Pragma("noescape")
}

// argument loads an argument of 64 bits.
func argument(c *build.Context, name string) reg.Register {
	return c.Load(c.Param(name), c.GP64())
}

// The offsets of the fields of hashing.form.
const (
	formFold   = 0   // for each of 128 characters: a hex character in the form's case, or a byte with 0x80 set
	formNear   = 128 // for the low six bits of a character: the hex character with these bits, or a byte whose lowest bit differs
	formStride = 192 // the length of a line with its ending
	formEnding = 200 // the characters of the ending
	formMask   = 204 // which of the four bytes after an id belong to the ending
)

// notHex marks a byte that is not a hex character.
const notHex = 0x80

// hyphens has a bit set for each of a UUID's characters that is a hyphen.
const hyphens = 1<<8 | 1<<13 | 1<<18 | 1<<23
