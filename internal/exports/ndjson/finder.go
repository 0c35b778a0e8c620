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

// maxDepth is how deep a JSON record may nest.
const maxDepth = 100

// finder finds the values at a dotted path of a JSON record, without allocating
// and without taking apart what it does not want. It is as strict as
// encoding/json, so that a damaged record is never taken for one without a
// value.
type Finder struct {
	path    string
	data    []byte
	at      int
	Found   []span
	escaped bool // the last string has a backslash
	scratch []byte
}

func NewFinder(path string) *Finder { return &Finder{path: path} }

// span is a found value as it stands in the record: a string with its quotes, a
// number, true, false, null, or only the first byte of an object.
type span struct {
	from, to int
	plain    bool // a string without a backslash
}

// find looks path up in a record and reports whether the record is a JSON
// object, or an array of them. A path goes through arrays: it means each
// element. Of a key that comes twice the last counts.
func (f *Finder) Find(record []byte) bool {
	f.data, f.at, f.Found = record, 0, f.Found[:0]
	f.space()
	if c := f.peek(); c != '{' && c != '[' {
		return false
	}
	if !f.value(f.path, true, maxDepth) {
		return false
	}
	f.space()
	return f.at == len(f.data)
}

// value goes over one value. wanted says that path, from here on, is looked for.
func (f *Finder) value(path string, wanted bool, depth int) bool {
	if depth == 0 {
		return false
	}
	f.space()
	from, plain := f.at, false
	switch c := f.peek(); {
	case c == '{':
		if wanted && path == "" {
			f.Found = append(f.Found, span{from: from, to: from + 1})
			wanted = false
		}
		return f.object(path, wanted, depth)
	case c == '[':
		return f.array(path, wanted, depth)
	case c == '"':
		if !f.str() {
			return false
		}
		plain = !f.escaped
	case c == '-' || '0' <= c && c <= '9':
		if !f.number() {
			return false
		}
	default:
		if !f.word("true") && !f.word("false") && !f.word("null") {
			return false
		}
	}
	if wanted && path == "" {
		f.Found = append(f.Found, span{from, f.at, plain})
	}
	return true
}

func (f *Finder) object(path string, wanted bool, depth int) bool {
	f.at++
	before := len(f.Found)
	if f.space(); f.take('}') {
		return true
	}
	for {
		f.space()
		from := f.at
		if f.peek() != '"' || !f.str() {
			return false
		}
		inner, match := "", false
		if wanted {
			if inner, match = f.match(f.data[from:f.at], path); match {
				f.Found = f.Found[:before]
			}
		}
		if f.space(); !f.take(':') || !f.value(inner, match, depth-1) {
			return false
		}
		f.space()
		if f.take('}') {
			return true
		}
		if !f.take(',') {
			return false
		}
	}
}

func (f *Finder) array(path string, wanted bool, depth int) bool {
	f.at++
	if f.space(); f.take(']') {
		return true
	}
	for {
		if !f.value(path, wanted, depth-1) {
			return false
		}
		f.space()
		if f.take(']') {
			return true
		}
		if !f.take(',') {
			return false
		}
	}
}

// match reports whether a key that str has gone over, with its quotes, is path's
// first segment, and returns the rest. A key that has dots itself may be several segments.
func (f *Finder) match(quoted []byte, path string) (string, bool) {
	key := quoted[1 : len(quoted)-1]
	if len(key) > 0 && path != "" && key[0] != path[0] && key[0] != '\\' {
		return "", false // as most are not
	}
	if f.escaped {
		f.scratch = appendUnescaped(f.scratch[:0], key)
		key = f.scratch
	}
	if len(path) < len(key) || path[:len(key)] != string(key) {
		return "", false
	}
	rest := path[len(key):]
	if rest == "" {
		return "", true
	}
	return strings.CutPrefix(rest, ".")
}

func (f *Finder) peek() byte {
	if f.at < len(f.data) {
		return f.data[f.at]
	}
	return 0
}

func (f *Finder) take(c byte) bool {
	if f.peek() != c {
		return false
	}
	f.at++
	return true
}

func (f *Finder) space() {
	for f.at < len(f.data) && f.data[f.at] <= ' ' && rows.IsSpace(f.data[f.at]) {
		f.at++
	}
}

func (f *Finder) word(word string) bool {
	if !bytes.HasPrefix(f.data[f.at:], []byte(word)) {
		return false
	}
	f.at += len(word)
	return true
}

// str goes over a string, from its opening quote on, and says in escaped whether
// it has a backslash.
func (f *Finder) str() bool {
	f.escaped = false
	for at := f.at + 1; at < len(f.data); at++ {
		if at += plainBytes(f.data[at:]); at == len(f.data) {
			return false
		}
		switch c := f.data[at]; {
		case c == '"':
			f.at = at + 1
			return true
		case c < ' ':
			return false
		case c == '\\':
			f.escaped = true
			size := escapeBytes(f.data[at+1:])
			if size == 0 {
				return false
			}
			at += size
		}
	}
	return false
}

// escapeBytes is how long the escape is whose backslash data follows; 0: it is
// none.
func escapeBytes(data []byte) int {
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

// plainBytes is how many bytes of data come before one that means something
// within a string: a quote, a backslash, a control character. It looks at eight of
// them at once, and at the last ones not at all.
func plainBytes(data []byte) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	n := 0
	for ; len(data)-n >= 8; n += 8 {
		x := binary.LittleEndian.Uint64(data[n:])
		quote, slash := x^ones*'"', x^ones*'\\'
		// A byte's top bit is set where the byte was less than what is taken from
		// it, and was not set before; the lowest one that is set is right.
		if hit := ((quote-ones)&^quote | (slash-ones)&^slash | (x-ones*' ')&^x) & tops; hit != 0 {
			return n + bits.TrailingZeros64(hit)/8
		}
	}
	return n
}

// number goes over a number.
func (f *Finder) number() bool {
	f.take('-')
	if !f.take('0') && !f.digits() {
		return false
	}
	if f.take('.') && !f.digits() {
		return false
	}
	if f.take('e') || f.take('E') {
		if !f.take('+') {
			f.take('-')
		}
		return f.digits()
	}
	return true
}

func (f *Finder) digits() bool {
	from := f.at
	for c := f.peek(); '0' <= c && c <= '9'; c = f.peek() {
		f.at++
	}
	return f.at > from
}

// hexRune is the code unit of four hex digits, or -1.
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

// appendUnescaped appends the content of a string that str went over. It is
// never longer than what it was written as.
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

// surrogate joins r with the escape that content begins with, if they are a
// pair.
func surrogate(r rune, content *[]byte) rune {
	if bytes.HasPrefix(*content, []byte(`\u`)) {
		if pair := utf16.DecodeRune(r, hexRune((*content)[2:])); pair != utf8.RuneError {
			*content = (*content)[6:]
			return pair
		}
	}
	return utf8.RuneError
}
