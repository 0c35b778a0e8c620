package ndjson

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"usher/internal/exports/rows"
)

// scanner scans the parts of a JSON record. A method that reports false leaves at
// anywhere.
type scanner struct {
	data    []byte
	at      int
	escaped bool // the last string contains a backslash
}

// peek returns the next byte, 0 at the end.
func (s *scanner) peek() byte {
	if s.at < len(s.data) {
		return s.data[s.at]
	}
	return 0
}

// take scans c, and reports whether it was the next byte.
func (s *scanner) take(c byte) bool {
	if s.peek() != c {
		return false
	}
	s.at++
	return true
}

func (s *scanner) skipSpace() {
	for s.at < len(s.data) && s.data[s.at] <= ' ' && rows.IsSpace(s.data[s.at]) {
		s.at++
	}
}

func (s *scanner) word(word string) bool {
	if !bytes.HasPrefix(s.data[s.at:], []byte(word)) {
		return false
	}
	s.at += len(word)
	return true
}

// text scans a string from its opening quote on, and sets escaped.
func (s *scanner) text() bool {
	s.escaped = false
	for at := s.at + 1; at < len(s.data); at++ {
		if at += plainBytes(s.data[at:]); at == len(s.data) {
			return false
		}
		switch c := s.data[at]; {
		case c == '"':
			s.at = at + 1
			return true
		case c < ' ':
			return false
		case c == '\\':
			s.escaped = true
			size := escapeSize(s.data[at+1:])
			if size == 0 {
				return false
			}
			at += size
		}
	}
	return false
}

// plainBytes returns how many bytes of data come before one that is special in a
// string: a quote, a backslash or a control character. It looks at eight bytes at
// once, and ignores the last ones.
func plainBytes(data []byte) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	n := 0
	for ; len(data)-n >= 8; n += 8 {
		x := binary.LittleEndian.Uint64(data[n:])
		quote, slash := x^ones*'"', x^ones*'\\'
		// The top bit of a byte is set if the byte is less than the subtrahend,
		// and the bit was not set before. A borrow can set the bit of a later byte
		// too, so only the lowest one counts.
		if hit := ((quote-ones)&^quote | (slash-ones)&^slash | (x-ones*' ')&^x) & tops; hit != 0 {
			return n + bits.TrailingZeros64(hit)/8
		}
	}
	return n
}

func (s *scanner) number() bool {
	s.take('-')
	if !s.take('0') && !s.digits() {
		return false
	}
	if s.take('.') && !s.digits() {
		return false
	}
	if s.take('e') || s.take('E') {
		if !s.take('+') {
			s.take('-')
		}
		return s.digits()
	}
	return true
}

func (s *scanner) digits() bool {
	from := s.at
	for c := s.peek(); '0' <= c && c <= '9'; c = s.peek() {
		s.at++
	}
	return s.at > from
}

// escapeSize returns the size of the escape that data begins with, after its
// backslash. It returns 0 if there is no valid escape.
func escapeSize(data []byte) int {
	switch {
	case len(data) == 0:
		return 0
	case data[0] == 'u' && hexRune(data[1:]) >= 0:
		return 5
	case strings.IndexByte(`"\/bfnrt`, data[0]) >= 0:
		return 1
	}
	return 0
}

// hexRune returns the code unit of four hexadecimal digits, or -1.
func hexRune(data []byte) rune {
	if len(data) < 4 {
		return -1
	}
	var r rune
	for _, c := range data[:4] {
		switch {
		case '0' <= c && c <= '9':
			r = r<<4 | rune(c-'0')
		case 'a' <= c && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case 'A' <= c && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return -1
		}
	}
	return r
}

// appendUnescaped appends the content of a string that the scanner accepted. The
// result is never longer than the content as written.
func appendUnescaped(out, content []byte) []byte {
	for {
		i := bytes.IndexByte(content, '\\')
		if i < 0 {
			return append(out, content...)
		}
		out = append(out, content[:i]...)
		c := content[i+1]
		content = content[i+2:]
		switch c {
		case 'b', 'f', 'n', 'r', 't':
			out = append(out, "\b\f\n\r\t"[strings.IndexByte("bfnrt", c)])
		case 'u':
			r := hexRune(content)
			content = content[4:]
			if utf16.IsSurrogate(r) {
				r = surrogate(r, &content)
			}
			out = utf8.AppendRune(out, r)
		default:
			out = append(out, c)
		}
	}
}

// surrogate returns the character of r and the escape that content begins with, if
// they are a surrogate pair. It then drops the escape from content.
func surrogate(r rune, content *[]byte) rune {
	if bytes.HasPrefix(*content, []byte(`\u`)) {
		if pair := utf16.DecodeRune(r, hexRune((*content)[2:])); pair != utf8.RuneError {
			*content = (*content)[6:]
			return pair
		}
	}
	return utf8.RuneError
}
