// Package compression reads gzip, zstd, bzip2, xz and lz4, within limits of memory and of
// expansion: a bomb is refused. Damage is source_broken, and a stream that is cut short never looks whole.
//
//	detect.go     the compression by the first bytes
//	stream.go     Stream: a decompressed stream
//	lz4frames.go  concatenated frames of lz4
package compression
