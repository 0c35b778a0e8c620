package unpack

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"usher/hashing"
	"usher/internal/exports/places"
	"usher/internal/exports/rows"
)

// DetectEncoding returns the encoding of a text by its beginning: utf-8, utf-16le or utf-16be. It
// distinguishes UTF-16 from all other encodings, by its byte order mark or by its zero bytes:
// every second byte of text in Latin letters is zero. Single-byte encodings count as UTF-8,
// since ids and delimiters are ASCII in all of them.
func DetectEncoding(beginning []byte) string {
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

// transcoded is the reader that NewUTF16Reader returns.
type transcoded struct {
	in      io.Reader
	from    places.Origin
	order   binary.ByteOrder
	raw     []byte // the buffer for in
	have    []byte // of raw, not decoded yet
	space   []byte // the buffer for out
	out     []byte // decoded, not returned yet
	started bool
	last    uint16 // the unit before
	foreign int    // units at the end of what was decoded that may be an id in another encoding
	err     error
}

const transcodeBytes = 32 << 10

// NewUTF16Reader returns a reader of UTF-16 text as UTF-8 without a byte order mark. in reads the
// UTF-16 text, and encoding is utf-16le or utf-16be. A character that is
// incomplete at the end of in is source_broken.
func NewUTF16Reader(in io.Reader, from places.Origin, encoding string) io.Reader {
	t := &transcoded{in: in, from: from, raw: make([]byte, transcodeBytes), space: make([]byte, 0, 2*transcodeBytes)}
	t.order = binary.LittleEndian
	if encoding == "utf-16be" {
		t.order = binary.BigEndian
	}
	return t
}

// Read implements io.Reader.
func (t *transcoded) Read(p []byte) (int, error) {
	for len(t.out) == 0 {
		if t.err != nil {
			return 0, t.err
		}
		t.fill()
	}
	n := copy(p, t.out)
	t.out = t.out[n:]
	return n, nil
}

// fill reads and decodes once.
func (t *transcoded) fill() {
	kept := copy(t.raw, t.have)
	n, err := t.in.Read(t.raw[kept:])
	data := t.raw[:kept+n]
	end := errors.Is(err, io.EOF)
	var used int
	t.out, used = appendUTF16(t.space[:0], data, t.order, end)
	t.have = data[used:]
	t.err = err
	if t.addForeign(data[:used]) {
		t.out, t.err = nil, t.from.Broken("submit a job for each of the files that were put together here, or write them in one encoding",
			"it begins as UTF-16 text and goes on in another encoding")
		return
	}
	if end && len(t.have) > 0 {
		t.err = t.from.Broken("write the export again and submit the job when the file is complete",
			"it ends within a character of its UTF-16 text")
	}
	if !t.started && len(t.out) > 0 {
		t.started = true
		t.out = rows.TrimBOM(t.out)
	}
}

// manyForeign is how many units in a row are taken for an id in another encoding. A UUID has 18.
const manyForeign = 15

// addForeign counts the units of data in a row that are two digits or hyphens of ASCII, or one
// that begins in the middle of a unit. It reports whether these are many. Other scripts have such
// characters as well, but not many different ones in a row.
func (t *transcoded) addForeign(data []byte) bool {
	for ; len(data) >= 2; data = data[2:] {
		unit := t.order.Uint16(data)
		switch first, second := byte(unit>>8), byte(unit); {
		case !isOfID(first) || second != 0 && !isOfID(second):
			t.foreign = 0
		case unit != t.last:
			t.foreign++
		}
		if t.last = unit; t.foreign == manyForeign {
			return true
		}
	}
	return false
}

func isOfID(c byte) bool { return hashing.IsHexDigit(c) || c == '-' }

// appendUTF16 appends data as UTF-8. It returns how much of data it used: all but
// an incomplete character, and at the end all but an incomplete code unit.
func appendUTF16(out, data []byte, order binary.ByteOrder, end bool) ([]byte, int) {
	i := 0
	for ; i+2 <= len(data); i += 2 {
		unit := rune(order.Uint16(data[i:]))
		switch {
		case unit < utf8.RuneSelf:
			out = append(out, byte(unit))
		case !utf16.IsSurrogate(unit):
			out = utf8.AppendRune(out, unit)
		case i+4 <= len(data):
			pair := utf16.DecodeRune(unit, rune(order.Uint16(data[i+2:])))
			out = utf8.AppendRune(out, pair)
			if pair != utf8.RuneError {
				i += 2
			}
		case end:
			out = utf8.AppendRune(out, utf8.RuneError)
		default:
			return out, i
		}
	}
	return out, i
}
