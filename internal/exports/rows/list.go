package rows

import (
	"bytes"

	"usher/hashing"
)

// maxNesting is how many pairs of quotes and brackets around an id are removed, and
// how deep lists within a list are read.
const maxNesting = 4

// AppendList appends the elements of a list of ids to out, one line each, and returns
// their number; 0 if cell is not such a list. It appends at most one byte more than
// cell has.
//
// Commas, semicolons and vertical bars separate the elements, and so do spaces if
// there is an id or a placeholder on both sides. Quotes and brackets may enclose each
// element, and all of them. At least one element must be an id, but in brackets there
// may be nothing but placeholders. Other elements are rows as well: empty ones,
// placeholders and words. Outside brackets and quotes, a text with spaces is no
// element, so that free text is not a list. The empty list is one empty row.
func AppendList(out, cell []byte) ([]byte, int) {
	return appendList(out, cell, true)
}

// appendLine appends the elements of a line of a plain list like AppendList. Unless brackets
// enclose it, a line with other words is no list: it may have several columns.
func appendLine(out, line []byte) ([]byte, int) {
	return appendList(out, line, false)
}

// appendList is AppendList and appendLine. words is whether a list without brackets may
// have other words.
func appendList(out, text []byte, words bool) ([]byte, int) {
	l := list{out: out}
	core, brackets := strip(text)
	switch {
	case !l.addAll(core, brackets, 0),
		l.ids == 0 && (!brackets || l.others > 0),
		l.others > 0 && !brackets && !words:
		return out, 0
	}
	return l.out, l.ids + l.nulls + l.others
}

// IsEnclosed reports whether brackets enclose all of a cell, possibly within quotes.
func IsEnclosed(cell []byte) bool {
	_, brackets := strip(cell)
	return brackets
}

// list is a list whose elements are being read.
type list struct {
	out                []byte
	ids, nulls, others int // rows
}

// addAll adds the elements of text. It reports false if text is not a list.
func (l *list) addAll(text []byte, brackets bool, nesting int) bool {
	for {
		n := elementSize(text, isDelimiter)
		if n < 0 || !l.add(TrimSpace(text[:n]), brackets, nesting) {
			return false
		}
		if n == len(text) || IsBlank(text[n+1:]) { // a delimiter at the end begins no element
			return true
		}
		text = text[n+1:]
	}
}

// add adds what stands between two delimiters.
func (l *list) add(element []byte, brackets bool, nesting int) bool {
	core, _ := strip(element)
	if l.addKnown(core) || len(core) < len(element) && l.addNested(core, nesting) {
		return true
	}
	n := elementSize(element, IsSpace)
	if n < 0 {
		return false
	}
	if n < len(element) {
		if l.addSpaced(element) {
			return true
		}
		if !brackets {
			return false
		}
	}
	l.out = AppendRow(l.out, element, len(element))
	l.others++
	return true
}

// addKnown adds an element if it is an id, a placeholder or empty.
func (l *list) addKnown(core []byte) bool {
	switch {
	case isID(core):
		l.ids++
	case len(core) == 0, hashing.IsPlaceholder(core):
		l.nulls++
	default:
		return false
	}
	l.out = append(append(l.out, core...), '\n')
	return true
}

// addNested adds a list within the list, if it has ids.
func (l *list) addNested(core []byte, nesting int) bool {
	inner := *l
	if nesting >= maxNesting || !inner.addAll(core, true, nesting+1) || inner.ids == l.ids {
		return false
	}
	*l = inner
	return true
}

// addSpaced adds ids and placeholders that are separated by spaces.
func (l *list) addSpaced(text []byte) bool {
	inner := *l
	for len(text) > 0 {
		n := elementSize(text, IsSpace)
		if n < 0 {
			return false
		}
		if core, _ := strip(text[:n]); !inner.addKnown(core) {
			return false
		}
		text = TrimSpace(text[n:])
	}
	*l = inner
	return true
}

// strip returns text without the spaces, quotes and brackets that enclose all of it,
// and reports whether there were brackets.
func strip(text []byte) (core []byte, brackets bool) {
	core = TrimSpace(text)
	for range maxNesting {
		n := enclosedSize(core)
		if n == 0 || n < len(core) {
			break
		}
		mark := 1
		if core[0] == '\\' {
			mark = 2
		}
		brackets = brackets || closingBracket(core[0]) != 0
		core = TrimSpace(core[mark : n-mark])
	}
	return core, brackets
}

// elementSize returns the size of text up to the first separator that no quotes or
// brackets enclose. It returns -1 if quotes or brackets are not closed.
func elementSize(text []byte, isSeparator func(byte) bool) int {
	for at, start := 0, true; at < len(text); {
		c := text[at]
		if isSeparator(c) {
			return at
		}
		if start && (startsQuoted(text[at:]) || closingBracket(c) != 0) {
			n := enclosedSize(text[at:])
			if n == 0 {
				return -1
			}
			at += n
			start = false
			continue
		}
		start = IsSpace(c)
		at++
	}
	return len(text)
}

// enclosedSize returns the size of the quotes or brackets that text begins with, and
// of what they enclose. It returns 0 if text does not begin with any, or they are not
// closed.
func enclosedSize(text []byte) int {
	if startsQuoted(text) {
		return quotedSize(text)
	}
	if len(text) == 0 || closingBracket(text[0]) == 0 {
		return 0
	}
	depth, start := 0, false
	for at := 0; at < len(text); at++ {
		c := text[at]
		switch {
		case start && startsQuoted(text[at:]):
			n := quotedSize(text[at:])
			if n == 0 {
				return 0
			}
			at += n - 1
			start = false
			continue
		case closingBracket(c) != 0:
			depth++
		case isClosingBracket(c):
			if depth--; depth == 0 && c == closingBracket(text[0]) {
				return at + 1
			} else if depth == 0 {
				return 0
			}
		}
		start = isSeparator(c) || closingBracket(c) != 0
	}
	return 0
}

// quotedSize returns the size of the quoted text that text begins with, 0 if the
// quotes are not closed. A quote that a backslash escapes is closed by one that is
// escaped as well, as in a JSON text within a JSON text.
func quotedSize(text []byte) int {
	mark := 1
	if text[0] == '\\' {
		mark = 2
	}
	for at := mark; ; at++ {
		i := bytes.IndexByte(text[at:], text[mark-1])
		if i < 0 {
			return 0
		}
		at += i
		if escaped := text[at-1] == '\\'; escaped == (mark == 2) && endsElement(text[at+1:]) {
			return at + 1
		}
	}
}

// endsElement reports whether an element may end before rest.
func endsElement(rest []byte) bool {
	return len(rest) == 0 || isSeparator(rest[0]) || isClosingBracket(rest[0]) || startsQuoted(rest)
}

// startsQuoted reports whether text begins with a quote, possibly an escaped one.
func startsQuoted(text []byte) bool {
	if len(text) > 1 && text[0] == '\\' {
		text = text[1:]
	}
	return len(text) > 0 && (text[0] == '"' || text[0] == '\'')
}

// closingBracket returns the bracket that closes c, 0 if c is no opening bracket.
func closingBracket(c byte) byte {
	switch c {
	case '[':
		return ']'
	case '{':
		return '}'
	case '(':
		return ')'
	}
	return 0
}

func isClosingBracket(c byte) bool { return c == ']' || c == '}' || c == ')' }

// isID reports whether value is a UUID, 12 to 16 hexadecimal digits, or a digest of 32,
// 40 or 64.
func isID(value []byte) bool {
	switch n := len(value); {
	case 12 <= n && n <= 16, n == 32, n == 40, n == 64:
		return hashing.IsHex(value)
	}
	return hashing.IsUUID(value)
}

// isDelimiter reports whether c separates the elements of a list, whatever they are.
func isDelimiter(c byte) bool { return c == ',' || c == ';' || c == '|' }

// isSeparator reports whether c separates the ids of a list.
func isSeparator(c byte) bool { return isDelimiter(c) || IsSpace(c) }
