// Package unpack turns the bytes of a file into text: it opens zip archives, decompresses
// gzip, zstd, bzip2, xz and lz4, and reads UTF-16 as UTF-8. It refuses formats that usher does
// not read, and says what to write instead.
//
//	compression.go  the compression by the first bytes
//	stream.go       Stream: a decompressed stream
//	lz4frames.go    concatenated frames of lz4
//	archive.go      Archive: a zip archive
//	encoding.go     the encoding by the first bytes, and what is not text; UTF-16 as UTF-8
//	foreign.go      formats that are refused, by the first bytes
//
// Memory and expansion are limited: a bomb is refused. Damage is source_broken, and a stream
// that is cut short never looks whole.
package unpack
