package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/reg"
)

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
