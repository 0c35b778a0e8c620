// Command asm generates the assembly of the vector kernels of package hashing:
//
//	main.go           the list of the kernels; go generate in hashing runs it
//	md5.go            the constants of MD5 (RFC 1321), with a message's constant words added
//	sum512.go         hash 64 messages (AVX-512)
//	sum256.go         hash 24 messages (AVX2)
//	form.go           the layout of hashing.form
//	load512.go        load lines of UUIDs of one length, sixteen at a time
//	check512.go       their characters: validated, converted to one case, transposed
//	stage512.go       load lines of UUIDs, some of which may be dirty
//	compress512.go    move the clean ones among those lines together
//	place512.go       load one UUID from a dirty line
//	load256.go        load lines of UUIDs, eight at a time (AVX2)
//	fold256.go        their characters: validated, converted to one case, transposed
//	index512.go       find where lines begin
//	androidids512.go  load sixteen lines of ANDROID_IDs
//	hex512.go         encode digests in hex
//	hex256.go         the same and the classification of hex characters (AVX2)
//	parse512.go       decode lists of digests in hex
//	parse256.go       the same (AVX2)
//	singles.go        skip blocks of lines without lists of ids (AVX-512 and AVX2)
//	function.go       the beginning of a kernel and its arguments
//	tables.go         tables of constants
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
		l := newLoader512(c, name, bare)
		l.load("load" + name + "s512")
		l.stage("stage" + name + "s512")
		place512(c, "place"+name, bare)
		load256(c, "load"+name+"s", bare)
	}
	compress512(c)
	index512(c, "indexAnyLines", false)
	index512(c, "indexUniformLines", true)
	loadAndroidIDs512(c)
	encodeHexBlocks512(c)
	encodeHexPairs512(c)
	encodeHex256(c)
	for i, name := range []string{"parseHex", "parseHexWide"} {
		parse512(c, name, i+1)
		parse256(c, name, i+1)
	}
	passSingles512(c)
	passSingles256(c)
	os.Exit(build.Main(flags.Config(), c))
}
