package hashing

// trim removes the blanks around a value: spaces, tabs, carriage returns, no-break spaces
// and byte order marks. It also returns the number of bytes that it removed at the
// beginning.
func trim(line []byte) (value []byte, skipped int) {
	n := len(line)
	if n == 0 || isVisible(line[0]) && isVisible(line[n-1]) {
		return line, 0
	}
	for {
		cut := leadingBlank(line)
		if cut == 0 {
			break
		}
		line = line[cut:]
	}
	skipped = n - len(line)
	for {
		cut := trailingBlank(line)
		if cut == 0 {
			return line, skipped
		}
		line = line[:len(line)-cut]
	}
}

// isVisible reports whether c is a byte that no blank contains.
func isVisible(c byte) bool { return ' ' < c && c < 0x80 }

// leadingBlank returns the length of the blank that b begins with, or 0.
func leadingBlank(b []byte) int {
	switch {
	case len(b) == 0:
		return 0
	case b[0] == ' ', b[0] == '\t', b[0] == '\r':
		return 1
	case len(b) >= 2 && b[0] == 0xc2 && b[1] == 0xa0: // U+00A0
		return 2
	case len(b) >= 3 && b[0] == 0xef && b[1] == 0xbb && b[2] == 0xbf: // U+FEFF
		return 3
	}
	return 0
}

// trailingBlank returns the length of the blank that b ends with, or 0.
func trailingBlank(b []byte) int {
	n := len(b)
	switch {
	case n == 0:
		return 0
	case b[n-1] == ' ', b[n-1] == '\t', b[n-1] == '\r':
		return 1
	case n >= 2 && b[n-2] == 0xc2 && b[n-1] == 0xa0:
		return 2
	case n >= 3 && b[n-3] == 0xef && b[n-2] == 0xbb && b[n-1] == 0xbf:
		return 3
	}
	return 0
}

// unquote removes one pair of quotes and the blanks inside it.
func unquote(v []byte) []byte {
	n := len(v)
	if n < 2 || v[0] != v[n-1] || !isQuote(v[0]) {
		return v
	}
	v, _ = trim(v[1 : n-1])
	return v
}

func isQuote(c byte) bool { return c == '"' || c == '\'' }

// inBraces reports whether braces enclose v and at least one character.
func inBraces(v []byte) bool {
	n := len(v)
	return n > 2 && v[0] == '{' && v[n-1] == '}'
}
