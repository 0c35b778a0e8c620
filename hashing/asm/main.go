// Command asm writes the vector kernels of package hashing:
//
//	main.go    the kernels in their order; run by go generate in hashing
//	md5.go     MD5's figures (RFC 1321), constant words of a message folded in
//	sum512.go  64 messages at once, AVX-512
//	sum256.go  24 messages at once, AVX2
//	load.go    sixteen lines of UUIDs, which lie in a row
//	check.go   their characters: checked, brought to a case, transposed
//	mixed.go   the same of lines that may be dirty, and those that are kept
//	load256.go the same by AVX2, eight at a time
//	place.go   one UUID that stands in a dirty line
//	index.go   where lines begin
//	short.go   sixteen lines of ANDROID_IDs
//	hex.go     digests to hex, joined
//	parse.go   lists of digests in hex, and back
//	table.go   tables of constants
//
// It is a module of its own, so that usher does not depend on its libraries.
// What each kernel expects of its arguments stands in hashing/kernel.go.
package main

import (
	"flag"
	"os"

	"github.com/mmcloughlin/avo/build"
)

func main() {
	set := flag.NewFlagSet("asm", flag.ExitOnError)
	flags := build.NewFlags(set)
	_ = set.Parse(os.Args[1:]) // it exits on an error
	c := build.NewContext()
	c.ConstraintExpr("amd64,!purego")
	for _, m := range messages() {
		sum512(c, m)
		sum256(c, m)
	}
	for i, name := range []string{"loadLines", "loadBareLines"} {
		bare := i == 1
		l := newLoader512(c, name, bare)
		l.lines(name + "512")
		l.linesAt(name + "At512")
		place512(c, []string{"placeUUID", "placeBare"}[i], bare)
		load256(c, name, bare)
	}
	compress512(c)
	index512(c, "index", false, 128)
	index512(c, "indexAlike", true, 128)
	loadShort512(c)
	hexMany512(c)
	hex512(c)
	hex256(c)
	for separator, name := range []string{"parse", "parseWide"} {
		parse512(c, name, separator+1)
		parse256(c, name, separator+1)
	}
	os.Exit(build.Main(flags.Config(), c))
}
