package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
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
