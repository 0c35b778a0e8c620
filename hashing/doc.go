// Package hashing turns device ids into MD5 digests, and says of every value
// that is none why it is dropped.
//
//	hasher.go   Hasher: a profile and an input, checked once
//	lines.go    Lines: text to digests, rows and rejects, in lanes of 128
//	value.go    one value: trim, placeholder, macro, braces, shape, in this order
//	words.go    the words of that order: placeholders, macros, headers
//	clean.go    the fast way of a line that is an id as it should be
//	run.go      sixteen such lines at once: UUIDs, digests
//	mixed.go    sixteen lines at once of which some are dirty
//	short.go    the same for ANDROID_IDs, which differ in length
//	index.go    where such lines begin
//	uuid.go     eight characters a step: checked, brought to a case, out of hex
//	kernel.go   what a kernel does, and the one in pure Go that all are held to
//	kernel_amd64.go  those for AVX-512 and AVX2, and which is used;
//	            kernels_amd64.s is written by asm, a module of its own
//	md5.go      two MD5s at once, which one core does in 1.2 times one
//	junk.go     digests of junk, for lists that come already hashed
//	digest.go   Digest: to hex, joined, and back
//	reason.go   why a value is dropped; the JSON keys of the tally
//	decide.go   raw or md5, where the job leaves it open
//	mask.go     a dropped value as it may be shown
//	explain.go  every digest that a value may come to
//	stream.go   lines to lines: the whole of `usher hash`
//
// The kernel is chosen by the processor; with the build tag purego it is the one
// in Go everywhere. The tests hold every kernel that the processor can run to the
// one in Go and to crypto/md5, not only the one that is chosen.
//
// The benchmarks do the same work by the standard library and by every kernel in
// turn, and report medians as NAME-ns/id and ratios as NAME-×FIRST: Kernel (MD5
// alone), List (digests to hex and back), Ladder (lines to joined hex, at 0, 1, 10
// and 50 % of dirty lines), Stream (the whole of `usher hash`). Lines reports what
// each kind of line costs.
//
// A value that failed its shape test is never hashed: hashing hides junk.
package hashing
