package unpack

import (
	"bytes"
	"encoding/binary"
)

// Compressions are the compressions of a file as a whole. A zip archive may have several
// files; the others are streams.
var Compressions = []string{"none", "zip", "gzip", "zstd", "bzip2", "xz", "lz4"}

// DetectCompression returns the compression of a file by its first bytes, one of Compressions.
func DetectCompression(head []byte) string {
	switch {
	case IsZip(head):
		return "zip"
	case bytes.HasPrefix(head, []byte{0x1F, 0x8B}):
		return "gzip"
	case isBzip2(head):
		return "bzip2"
	case bytes.HasPrefix(head, []byte("\xFD7zXZ\x00")):
		return "xz"
	case len(head) < 4:
		return "none"
	}
	switch magic := binary.LittleEndian.Uint32(head); {
	case magic == zstdFrame:
		return "zstd"
	case magic == lz4Frame, magic == lz4LegacyFrame:
		return "lz4"
	case isSkippable(magic):
		if DetectCompression(afterSkippable(head)) == "lz4" {
			return "lz4"
		}
		return "zstd"
	}
	return "none"
}

// isBzip2 reports whether head begins as bzip2 data does: with the size of its blocks,
// and the magic number of a block or of the end. A shorter head may lack some of it.
func isBzip2(head []byte) bool {
	if len(head) < 4 || string(head[:3]) != "BZh" || head[3] < '1' || head[3] > '9' {
		return false
	}
	next := string(head[4:min(len(head), 10)])
	return next == "1AY&SY"[:len(next)] || next == "\x17rE8P\x90"[:len(next)]
}
