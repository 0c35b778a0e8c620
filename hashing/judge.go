package hashing

import "usher"

// judge returns the id in a trimmed value, or the reason why it has none. The order of
// the checks is a contract: placeholders first, then braces, then the form of the id. Clean
// lines are not judged: see clean.go.
func (h *Hasher) judge(v []byte) (id []byte, _ Reason) {
	if len(v) > 1 && IsHexDigit(v[0]) {
		return v, h.judgeBare(v) // not enclosed, not a placeholder and not a macro
	}
	v = unquote(v)
	switch {
	case len(v) == 0:
		return nil, Empty
	case isPlaceholder(v):
		return nil, Placeholder
	}
	if inBraces(v) {
		inner := v[1 : len(v)-1]
		if reason := h.judgeID(inner); reason != Shape {
			return inner, reason
		}
	}
	switch {
	case isRecord(v):
		return nil, Malformed
	case isMacro(v):
		return nil, Macro
	}
	return v, h.judgeBare(v)
}

// judgeBare judges a value without quotes and braces.
func (h *Hasher) judgeBare(v []byte) Reason {
	reason := h.judgeID(v)
	switch {
	case reason != Shape:
	case string(v) == usher.MalformedRow:
		return Malformed
	case usher.WithheldBy(v) >= 0:
		return Withheld + Reason(usher.WithheldBy(v))
	case h.isHeader(v):
		return Header
	case isSpreadsheet(v):
		return Spreadsheet
	}
	return reason
}

// judgeID judges a value by its length and characters. It returns None if the value is
// an id of the profile.
func (h *Hasher) judgeID(v []byte) Reason {
	switch n := len(v); {
	case n == 36:
		return h.judgeHyphenated((*[36]byte)(v))
	case (n == 14 || n == 17) && isMAC(v):
		return OtherID
	case n > 16 && n != 32 && n != 40 && n != 64, !IsHex(v):
		return Shape
	}
	switch len(v) {
	case 64:
		return SHA256
	case 40:
		return SHA1
	case 32:
		return h.judge32((*[32]byte)(v))
	}
	return h.judgeShort(v)
}

// judgeHyphenated judges 36 characters, which may be a UUID with its hyphens. It
// accepts every version of UUID, because older generators and other vendors use other
// versions than 4 for real ids.
func (h *Hasher) judgeHyphenated(v *[36]byte) Reason {
	repeated := isRepeated(v)
	switch {
	case !repeated && !isUUID(v):
		return Shape
	case h.idType == usher.AndroidID:
		return WrongType
	case repeated:
		return ZeroID
	case h.input == usher.InputMD5:
		return WrongType
	}
	return None
}

// judge32 judges 32 hex characters: an MD5 digest or a UUID without hyphens.
func (h *Hasher) judge32(v *[32]byte) Reason {
	if h.input == usher.InputMD5 {
		var d Digest
		d.parse(v)
		if sameDigit(v[:]) {
			return ZeroID
		}
		return h.junk.reason(&d)
	}
	switch {
	case h.idType == usher.AndroidID:
		return LooksHashed
	case sameDigit(v[:]):
		return ZeroID
	case h.digests, !isVersion4(v):
		return LooksHashed
	}
	return None
}

// shortestAndroidID is the least number of characters of an ANDROID_ID that is hashed. The
// ids are random numbers of 64 bits without leading zeros: one in 2^32 is shorter, and
// countries, words, dates and customer numbers are.
const shortestAndroidID = 9

// judgeShort judges 1 to 16 hex characters, which may be an ANDROID_ID. An IMEI is one in
// every profile: fewer than one ANDROID_ID in five million has its form.
func (h *Hasher) judgeShort(v []byte) Reason {
	android := h.idType == usher.AndroidID
	switch {
	case android && sameDigit(v):
		return ZeroID
	case isIMEI(v):
		return OtherID
	case isShared(v):
		return SharedID
	case android && h.input == usher.InputRaw && len(v) < shortestAndroidID:
		return Shape
	case android && h.input == usher.InputRaw:
		return None
	case android, len(v) == 16:
		return WrongType
	}
	return Shape
}

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
