package ndjson

import (
	"bytes"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

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
