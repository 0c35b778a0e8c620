package ndjson

import "strings"

// maxDepth is how deep a JSON record may nest.
const maxDepth = 100

// Finder finds the values at a dotted path of a JSON record. It does not allocate,
// and does not decode other values. It is as strict as encoding/json, so that a
// damaged record is never mistaken for a record without a value.
type Finder struct {
	scanner

	path    string
	found   []span
	scratch []byte
	fields  *fields // nil: they are not looked at

	below    int // the length of the path below elements; 0: they are not looked for
	elements []element
	groups   []group
}

// NewFinder returns a Finder of the values at a path.
func NewFinder(path string) *Finder { return &Finder{path: path} }

// span is where a value lies in the record: a string with its quotes, a number,
// true, false or null. For an object, it is the first byte only.
type span struct {
	from, to int
	plain    bool // a string without a backslash
}

// Find finds the values in a record. It reports whether the record is a JSON
// object, or an array of objects. A path goes through arrays: it means each of
// their elements. If an object has a key twice, the last one counts.
func (f *Finder) Find(record []byte) bool {
	if f.fields == nil {
		return f.find(record)
	}
	f.fields.begin()
	found := f.find(record)
	if !found {
		f.fields.forget()
	}
	return found
}

func (f *Finder) find(record []byte) bool {
	f.data, f.at, f.found = record, 0, f.found[:0]
	f.skipSpace()
	if c := f.peek(); c != '{' && c != '[' {
		return false
	}
	if !f.value(f.path, true, maxDepth, 0) {
		return false
	}
	f.skipSpace()
	return f.at == len(f.data)
}

// Value returns the only value at the path of a record as text, "" if there is none, it is
// null, or there are several.
func (f *Finder) Value(record []byte) string {
	if values := f.Values(record); len(values) == 1 {
		return values[0]
	}
	return ""
}

// Values returns all values at the path of a record as text, "" for null and objects.
func (f *Finder) Values(record []byte) []string {
	if !f.Find(record) {
		return nil
	}
	return f.texts(f.found)
}

// texts returns found values as text.
func (f *Finder) texts(found []span) []string {
	values := make([]string, len(found))
	for i, s := range found {
		switch value := f.data[s.from:s.to]; value[0] {
		case '"':
			values[i] = string(appendUnescaped(nil, value[1:len(value)-1]))
		case 'n', '{':
		default:
			values[i] = string(value)
		}
	}
	return values
}

// Count returns the number of values that Find found.
func (f *Finder) Count() int { return len(f.found) }

// value scans one value, from its first byte on. If wanted, it records the values at the rest of the path. within is
// the hash of the field that the value is in.
func (f *Finder) value(path string, wanted bool, depth int, within uint64) bool {
	if depth == 0 {
		return false
	}
	from, plain := f.at, false
	switch c := f.peek(); {
	case c == '{':
		if wanted && path == "" {
			f.found = append(f.found, span{from: from, to: from + 1})
			wanted = false
		}
		if wanted && len(path) == f.below {
			return f.element(path, depth, within)
		}
		return f.object(path, wanted, depth, within)
	case c == '[':
		return f.array(path, wanted, depth, within)
	case c == '"':
		if !f.text() {
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
		f.found = append(f.found, span{from, f.at, plain})
	}
	return true
}

func (f *Finder) object(path string, wanted bool, depth int, within uint64) bool {
	f.at++
	before := len(f.found)
	if f.skipSpace(); f.take('}') {
		return true
	}
	for {
		f.skipSpace()
		from := f.at
		if f.peek() != '"' || !f.text() {
			return false
		}
		key := f.data[from+1 : f.at-1]
		rest, match := "", false
		if wanted {
			if rest, match = f.match(f.data[from:f.at], path); match {
				f.found = f.found[:before] // the last of equal keys counts
			}
		}
		if f.skipSpace(); !f.take(':') {
			return false
		}
		f.skipSpace()
		field := uint64(0)
		if f.fields != nil {
			field = f.fields.see(within, key, f.beginsValue())
		}
		if !f.value(rest, match, depth-1, field) {
			return false
		}
		f.skipSpace()
		if f.take('}') {
			return true
		}
		if !f.take(',') {
			return false
		}
	}
}

func (f *Finder) array(path string, wanted bool, depth int, within uint64) bool {
	f.at++
	if f.skipSpace(); f.take(']') {
		return true
	}
	for {
		if f.skipSpace(); f.fields != nil && f.beginsValue() {
			f.fields.seeValue(within)
		}
		if !f.value(path, wanted, depth-1, within) {
			return false
		}
		f.skipSpace()
		if f.take(']') {
			return true
		}
		if !f.take(',') {
			return false
		}
	}
}

// beginsValue reports whether the next byte begins neither an object nor an array.
func (f *Finder) beginsValue() bool {
	c := f.peek()
	return c != '{' && c != '['
}

// match reports whether a key, with its quotes, is the first segment of a path,
// and returns the rest of the path. A key that contains dots may be several
// segments.
func (f *Finder) match(quoted []byte, path string) (string, bool) {
	key := quoted[1 : len(quoted)-1]
	if len(key) > 0 && path != "" && key[0] != path[0] && key[0] != '\\' {
		return "", false // as most keys
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
