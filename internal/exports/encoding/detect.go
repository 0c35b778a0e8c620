package encoding

import (
	"bytes"
	"encoding/binary"

	"usher/internal/exports/rows"
)

// Detect returns the encoding of a text by its beginning: utf-8, utf-16le or utf-16be. It
// distinguishes UTF-16 from all other encodings, by its byte order mark or by its zero bytes:
// every second byte of text in Latin letters is zero. Single-byte encodings count as UTF-8,
// since ids and delimiters are ASCII in all of them.
func Detect(beginning []byte) string {
	switch {
	case bytes.HasPrefix(beginning, []byte{0xFF, 0xFE}):
		return "utf-16le"
	case bytes.HasPrefix(beginning, []byte{0xFE, 0xFF}):
		return "utf-16be"
	}
	beginning = beginning[:min(len(beginning), 4096)]
	pairs := len(beginning) / 2
	if pairs < 2 {
		return "utf-8"
	}
	var even, odd int
	for i := range pairs {
		if beginning[2*i] == 0 {
			even++
		}
		if beginning[2*i+1] == 0 {
			odd++
		}
	}
	switch {
	case even == 0 && 10*odd >= 9*pairs:
		return "utf-16le"
	case odd == 0 && 10*even >= 9*pairs:
		return "utf-16be"
	}
	return "utf-8"
}

// Decode returns the beginning of a text in an encoding as UTF-8 without a byte order mark. An
// incomplete character at its end is left out.
func Decode(beginning []byte, encoding string) []byte {
	switch encoding {
	case "utf-16le":
		beginning, _ = appendUTF16(nil, beginning, binary.LittleEndian, false)
	case "utf-16be":
		beginning, _ = appendUTF16(nil, beginning, binary.BigEndian, false)
	}
	return rows.TrimBOM(beginning)
}

// IndexBinary returns the offset at which data is not text: of a NUL byte, or of the
// first control character if one byte in ten is one. It returns -1 for text. The
// delimiter does not count, nor does the ^A that Hive has as its delimiter.
func IndexBinary(data []byte, delimiter string) int {
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return i
	}
	controls, first := 0, -1
	for i, c := range data {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != 0x1A && c != 0x01 && string(c) != delimiter {
			if controls++; first < 0 {
				first = i
			}
		}
	}
	if 10*controls > len(data) {
		return first
	}
	return -1
}
