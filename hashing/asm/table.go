package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// words is a table of n 32-bit words in the read-only data.
func words(c *build.Context, name string, n int, of func(i int) uint32) operand.Mem {
	m := c.StaticGlobal(name)
	c.DataAttributes(attr.RODATA | attr.NOPTR)
	for i := range n {
		c.AddDatum(4*i, operand.U32(of(i)))
	}
	return m
}

// octets is a table of n bytes.
func octets(c *build.Context, name string, n int, of func(i int) byte) operand.Mem {
	m := c.StaticGlobal(name)
	c.DataAttributes(attr.RODATA | attr.NOPTR)
	for i := range n {
		c.AddDatum(i, operand.U8(of(i)))
	}
	return m
}

// cacheAligned is a table of n bytes, a multiple of 64, for loads of 64 at a time,
// each of which would cost double across two lines of the cache. The linker aligns
// to 32 only: so the table is there twice, half a line of the cache apart. What is
// returned loads the address of the one that begins with a line.
func cacheAligned(c *build.Context, name string, n int, of func(i int) byte) func() reg.Register {
	second := n + 32
	m := octets(c, name, second+n, func(i int) byte {
		if i >= second {
			return of(i - second)
		}
		return of(i % n)
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
