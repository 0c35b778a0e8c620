package csv

import (
	"bytes"
	"strings"
)

// Delimiters are the characters that are detected as separators of fields; the last
// one is the ^A of Hive. A source may name any other one.
const Delimiters = "\t,;|\x01"

// Escape is how a dialect writes a quote inside a quoted field.
type Escape uint8

// The escapes.
const (
	// EscapeDouble writes the quote twice (RFC 4180).
	EscapeDouble Escape = iota

	// EscapeBackslash escapes the next byte by a backslash, inside quotes and outside
	// of them. A field \N is null, and an escaped line end does not end the record
	// (MySQL, COPY in the text format of PostgreSQL, the escapechar of pandas).
	EscapeBackslash

	// EscapeBackslashInQuotes escapes a quote or a backslash by a backslash, but only
	// inside quotes (ESCAPE '\' of PostgreSQL, Spark).
	EscapeBackslashInQuotes
)

// Dialect says how fields are separated, quoted and escaped.
type Dialect struct {
	Delimiter byte
	Bare      bool // quotes are ordinary characters
	Escape    Escape

	// Assumed says that Escape is only assumed, and Quoted that the job declares Bare. Text that
	// contradicts the dialect is an error unless the job declares both.
	Assumed, Quoted bool
}

func (d *Dialect) isSettled() bool { return !d.Assumed && d.Quoted }

// DeclaredDelimiter returns the delimiter that a line declares, as spreadsheets
// write it on the first line: sep=;
func DeclaredDelimiter(line []byte) (delimiter byte, ok bool) {
	line = bytes.Trim(bytes.TrimSuffix(line, []byte{'\r'}), `"`)
	if len(line) != 5 || !bytes.EqualFold(line[:4], []byte("sep=")) || !strings.ContainsRune(Delimiters, rune(line[4])) {
		return 0, false
	}
	return line[4], true
}

// quote is the character that fields are quoted with.
const quote = '"'

// field is one field of a record.
type field struct {
	value   []byte // as written; for a quoted field, the text between its quotes
	quoted  bool
	escaped bool // value has quotes that are doubled, or backslashes that escape
	last    bool // the last field of its record
	size    int  // bytes, including the delimiter or line end after it

	behind    bool // text stands between the closing quote and the end of the field
	backslash bool // a backslash stands before a quote, which the dialect does not treat as an escape
	lineEnd   bool // a CR without LF stands outside quotes
}

// nextField scans the field that data begins with. data ends where a line or the
// export ends. open is true if data ends inside quotes, or after a backslash that
// escapes.
func (d *Dialect) nextField(data []byte) (f field, open bool) {
	if len(data) == 0 || data[0] != quote || d.Bare {
		return d.bareField(data)
	}
	end, open := d.closingQuote(data, &f)
	if open {
		return field{}, true
	}
	f.quoted, f.value = true, data[1:end]
	rest := data[end+1:]
	if len(rest) > 0 && rest[0] == d.Delimiter {
		f.size = end + 2
		return f, false
	}
	extra, open := d.bareField(rest)
	if open {
		return field{}, true
	}
	f.size, f.last = end+1+extra.size, extra.last
	f.behind, f.lineEnd = len(extra.value) > 0 && !extra.lineEnd, extra.lineEnd
	return f, false
}

// closingQuote returns the offset of the quote that closes the field which data
// begins with. It sets what f says of the text inside.
func (d *Dialect) closingQuote(data []byte, f *field) (end int, open bool) {
	for at := 1; ; {
		i := bytes.IndexByte(data[at:], quote)
		if d.Escape != EscapeDouble {
			if slash := bytes.IndexByte(data[at:], '\\'); slash >= 0 && (slash < i || i < 0) {
				f.escaped = true
				if at += slash + 2; at >= len(data) {
					return 0, true
				}
				continue
			}
		}
		if i < 0 {
			return 0, true
		}
		at += i
		switch {
		case d.Escape != EscapeDouble:
			return at, false
		case isEscaped(data[1:at]):
			f.backslash = true
		}
		if at+1 == len(data) || data[at+1] != quote {
			return at, false
		}
		f.escaped = true
		at += 2
	}
}

// isEscaped reports whether text ends in an odd number of backslashes.
func isEscaped(text []byte) bool {
	return (len(text)-len(bytes.TrimRight(text, `\`)))%2 == 1
}

// bareField scans up to the delimiter or the line end. open is true if data ends
// after a backslash that escapes.
func (d *Dialect) bareField(data []byte) (f field, open bool) {
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case c == d.Delimiter:
			f.value, f.size = data[:i], i+1
			return f, false
		case c == '\n':
			f.setLast(data[:i], i+1)
			return f, false
		case c == '\r':
			f.lineEnd = f.lineEnd || !endsInLF(data[i:])
		case c == '\\' && d.Escape == EscapeBackslash:
			f.escaped = true
			i++
			if bytes.HasPrefix(data[i:], []byte("\r\n")) {
				i++
			}
			if i >= len(data) {
				return field{}, true
			}
		}
	}
	f.setLast(data, len(data))
	return f, false
}

// setLast makes f the last field of its record. value may end in CRs, which belong
// to the line end.
func (f *field) setLast(value []byte, size int) {
	f.value, f.size, f.last = value, size, true
	if !f.escaped || !isEscaped(bytes.TrimRight(value, "\r")) {
		f.value = bytes.TrimRight(value, "\r")
	}
}

// endsInLF reports whether the CRs that data begins with belong to a line end: CR LF,
// or an LF behind several CRs, as a program writes it that converts line ends twice. A CR
// at the end of data may be the first half of one.
func endsInLF(data []byte) bool {
	rest := bytes.TrimLeft(data, "\r")
	return len(rest) == 0 || rest[0] == '\n'
}

// text returns the field's text, in scratch unless it is written as it is. null is
// true if the field is \N.
func (d *Dialect) text(f *field, scratch []byte) (text []byte, null bool) {
	switch {
	case !f.escaped:
		return f.value, false
	case d.Escape == EscapeDouble:
		return appendUndoubled(scratch[:0], f.value), false
	case d.Escape == EscapeBackslash && string(f.value) == `\N`:
		return nil, true
	}
	return d.appendUnescaped(scratch[:0], f.value), false
}

// appendUndoubled appends text with one quote for two.
func appendUndoubled(out, text []byte) []byte {
	for {
		i := bytes.IndexByte(text, quote)
		if i < 0 {
			return append(out, text...)
		}
		out = append(out, text[:i+1]...)
		text = text[i+2:]
	}
}

// appendUnescaped appends text without its escapes.
func (d *Dialect) appendUnescaped(out, text []byte) []byte {
	for {
		i := bytes.IndexByte(text, '\\')
		if i < 0 || i+1 == len(text) {
			return append(out, text...)
		}
		out = append(out, text[:i]...)
		c := text[i+1]
		switch {
		case d.Escape == EscapeBackslash:
			if special := strings.IndexByte("bfnrt0", c); special >= 0 {
				c = "\b\f\n\r\t\x00"[special]
			}
		case c != quote && c != '\\':
			out = append(out, '\\')
		}
		out = append(out, c)
		text = text[i+2:]
	}
}

// Record is a record as SplitRecord finds it.
type Record struct {
	Fields []string // their texts; that of null is ""
	Ends   []int    // where they end in Raw, with the delimiter or line end
	Raw    []byte   // as written, with the line end

	Open      bool // it does not end in the data, and has no fields
	Broken    bool // text follows a closing quote
	Backslash bool // a backslash stands before a quote that it does not escape
	LineEnd   bool // a CR without LF stands outside quotes
	LineFeed  bool // a field has a line end
}

// SplitRecord splits the record that data begins with. open is true if a quote is
// not closed in data, or data ends after a backslash that escapes.
func (d *Dialect) SplitRecord(data []byte) (r Record, open bool) {
	for size := 0; ; {
		f, open := d.nextField(data[size:])
		if open {
			return Record{}, true
		}
		text, _ := d.text(&f, nil)
		r.Fields = append(r.Fields, string(text))
		size += f.size
		r.Ends, r.Raw = append(r.Ends, size), data[:size]
		r.Broken, r.Backslash = r.Broken || f.behind, r.Backslash || f.backslash
		r.LineEnd, r.LineFeed = r.LineEnd || f.lineEnd, r.LineFeed || bytes.IndexByte(f.value, '\n') >= 0
		if f.last {
			return r, false
		}
	}
}

// ReadsUnquoted reports whether a record, which has line ends within quotes, is several
// records of that many fields each if quotes are ordinary characters.
func (d *Dialect) ReadsUnquoted(record []byte, fields int) bool {
	bare := *d
	bare.Bare = true
	for _, bare.Escape = range []Escape{EscapeDouble, EscapeBackslash} {
		rest, records := record, 0
		for ; len(rest) > 0; records++ {
			r, open := bare.SplitRecord(rest)
			if open || len(r.Fields) != fields {
				break
			}
			rest = rest[len(r.Raw):]
		}
		if len(rest) == 0 && records > 1 {
			return true
		}
	}
	return false
}
