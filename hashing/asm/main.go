// Command asm generates the assembly of the vector kernels of package hashing:
//
//	main.go     the list of the kernels; go generate in hashing runs it
//	md5.go      the constants of MD5 (RFC 1321), with a message's constant words added
//	sum512.go   hash 64 messages (AVX-512)
//	sum256.go   hash 24 messages (AVX2)
//	load512.go  load lines of UUIDs of one length, sixteen at a time: their characters are
//	            validated, converted to one case, transposed
//	load256.go  the same, eight at a time (AVX2)
//	hex.go      encode digests in hex (AVX-512 and AVX2)
//	parse.go    decode lists of digests in hex (AVX-512 and AVX2)
//	singles.go  skip blocks of lines without lists of ids (AVX-512 and AVX2)
//	tables.go   tables of constants, the layout of hashing.form, the beginning of a kernel
//
// It is a separate module, so that usher does not depend on its libraries. The contract
// of each kernel is in hashing/kernel.go.
package main

import (
	"flag"
	"os"

	"github.com/mmcloughlin/avo/build"
)

func main() {
	set := flag.NewFlagSet("asm", flag.ExitOnError)
	flags := build.NewFlags(set)
	_ = set.Parse(os.Args[1:]) // exits if there is an error
	c := build.NewContext()
	c.ConstraintExpr("amd64,!purego")
	for _, m := range messages() {
		sum512(c, m)
		sum256(c, m)
	}
	for _, bare := range []bool{false, true} {
		name := "HyphenUUID"
		if bare {
			name = "BareUUID"
		}
		newLoader512(c, name, bare).load("load" + name + "s512")
		load256(c, "load"+name+"s", bare)
	}
	encodeHexBlocks512(c)
	encodeHex256(c)
	for i, name := range []string{"parseHex", "parseHexWide"} {
		parse512(c, name, i+1)
		parse256(c, name, i+1)
	}
	passSingles512(c)
	passSingles256(c)
	os.Exit(build.Main(flags.Config(), c))
}
