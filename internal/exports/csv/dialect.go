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
